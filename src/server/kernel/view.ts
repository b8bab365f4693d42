import type { z } from 'zod'
import { wireMoment } from '../../domain/common/wire.ts'

/** When a record was last saved; the owner's views include it, and a save sends it back. */
export const lastSaved = { updatedAt: wireMoment.optional() }

/** The fields of a record that a view's schema names, its id as `_id` too; all else stays on the server, undefined is left out. */
export function view<Schema extends z.ZodObject>(
  { shape }: Schema,
  record: Omit<z.output<Schema>, '_id'> & ('_id' extends keyof z.output<Schema> ? { id: string } : object),
): z.output<Schema> {
  const fields: Record<string, unknown> = { ...record, _id: 'id' in record ? record.id : undefined }
  const shown = Object.keys(shape).filter(key => fields[key] !== undefined)
  return Object.fromEntries(shown.map(key => [key, fields[key]])) as z.output<Schema>
}
