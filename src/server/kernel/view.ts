import type { z } from 'zod'

/** The fields of a record that a view's schema names, and its id as `_id` too; everything else stays on the server. */
export function view<Schema extends z.ZodObject>(
  { shape }: Schema,
  record: Omit<z.output<Schema>, '_id'> & { id: string },
): z.output<Schema> {
  const fields: Record<string, unknown> = { ...record, _id: record.id }
  return Object.fromEntries(Object.keys(shape).map(key => [key, fields[key]])) as z.output<Schema>
}
