import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '../../../db/open.ts'
import { propertySettings, users } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { AppError, type FieldErrors } from '../../domain/common/errors.ts'
import type { Section } from '../../domain/content/settings-section.ts'
import { cardFeeSection } from '../../domain/money/card-fee.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'

type SectionOf<Schema extends z.ZodType<object>> = Section<string, Schema>
type Saved<Schema extends z.ZodType<object>> = { version: number; body: z.output<Schema> }

/** A section as it was last saved; version 0 and the defaults until then. Stored values are not validated again. */
export function readSection<Schema extends z.ZodType<object>>(
  db: Db,
  section: Pick<SectionOf<Schema>, 'name' | 'body'>,
): Saved<Schema> {
  const row = rowOf(db, section.name)
  const defaults = section.body.parse({})
  if (!row) return { version: 0, body: defaults }
  const stored = row.body as Record<string, unknown>
  const body = Object.fromEntries(
    Object.entries(defaults).map(([field, value]) => [field, field in stored ? stored[field] : value]),
  )
  return { version: row.version, body: body as z.output<Schema> }
}

/** The fee on top of a card payment, in basis points: the owner's, or the server's until they save one. */
export const readCardFee = ({ config, db }: Pick<Deps, 'config' | 'db'>): number =>
  readSection(db, cardFeeSection).body.basisPoints ?? config.cardFeeBasisPoints

/**
 * Saves a section over the version that was read.
 * @throws AppError conflict for another version, with who saved it and the stored values at the fields that differ
 */
export function saveSection<Schema extends z.ZodType<object>>(
  deps: Pick<Deps, 'clock' | 'write'>,
  actor: Admin,
  section: SectionOf<Schema>,
  saved: Saved<Schema>,
): Promise<Saved<Schema>> {
  return deps.write(tx => saveSectionIn(deps, tx, actor, section, saved))
}

/** The same inside a write. @throws AppError conflict */
export function saveSectionIn<Schema extends z.ZodType<object>>(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  actor: Admin,
  section: SectionOf<Schema>,
  { version, body: given }: Saved<Schema>,
): Saved<Schema> {
  const { complete, name } = section
  requireVersion(tx, section, { version, body: given })
  const at = nowIso(deps)
  const body = complete?.(given, readSection(tx, section).body, at) ?? given
  const values = { body, version: version + 1, updatedAt: at, updatedBy: actor.userId }
  tx.insert(propertySettings)
    .values({ section: name, ...values })
    .onConflictDoUpdate({ target: propertySettings.section, set: values })
    .run()
  const detail = { version: values.version, body: JSON.stringify(body) }
  recordEvent(tx, at, actor, 'setup.saved', name, detail)
  return { version: values.version, body }
}

/** @throws AppError conflict for another version than the one that was read */
export function requireVersion<Schema extends z.ZodType<object>>(
  db: Db,
  section: SectionOf<Schema>,
  { version, body }: { version: number; body: object },
): void {
  const stored = readSection(db, section)
  if (stored.version !== version) throw changedMeanwhile(db, section.name, stored.body, body)
}

const rowOf = (db: Db, name: string) =>
  db.select().from(propertySettings).where(eq(propertySettings.section, name)).get()

function changedMeanwhile(tx: Db, name: string, stored: object, wanted: object): AppError {
  const row = rowOf(tx, name)
  const saver = row && tx.select().from(users).where(eq(users.id, row.updatedBy)).get()
  const fields: FieldErrors = {}
  const mine = new Map<string, unknown>(Object.entries(wanted))
  for (const [field, value] of Object.entries(stored))
    if (JSON.stringify(value) !== JSON.stringify(mine.get(field)))
      fields[`body.${field}`] = `Saved in the meantime: ${inWords(value)}`
  const message = `These settings were changed in the meantime${saver ? ` by ${saver.email}` : ''}. Please load them and make your change again.`
  return new AppError('conflict', message, { fields })
}

function inWords(value: unknown): string {
  if (value === null) return 'nothing'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
