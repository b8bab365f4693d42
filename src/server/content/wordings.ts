import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { wordings } from '../../../db/schema.ts'
import { type LeaseWording, shippedLeaseWording } from '../../domain/lease-wording.ts'
import { type MailWording, shippedMailWordings } from '../../domain/mail-wording.ts'
import type { WordingKind } from '../../domain/wording.ts'
import { sha256 } from '../lib/sha256.ts'

export type WordingRow = typeof wordings.$inferSelect
export type WordingBody<Kind extends WordingKind> = Kind extends 'lease' ? LeaseWording : MailWording

/** The newest saved version of a wording; undefined while the shipped one was never changed. */
export function newestWording(db: Db | Tx, kind: WordingKind): WordingRow | undefined {
  return db
    .select()
    .from(wordings)
    .where(eq(wordings.kind, kind))
    .orderBy(desc(wordings.version))
    .limit(1)
    .get()
}

export function shippedWording<Kind extends WordingKind>(kind: Kind): WordingBody<Kind> {
  const shipped: Record<WordingKind, LeaseWording | MailWording> = {
    lease: shippedLeaseWording,
    ...shippedMailWordings,
  }
  return shipped[kind] as WordingBody<Kind>
}

/**
 * What a row says, the shipped wording where it says so; undefined where it cannot be read: another hash, or no JSON
 * (LTEXT-05, LTEXT-09). Whether it still has what is needed is the caller's to check.
 */
export function bodyOfWording<Kind extends WordingKind>(
  kind: Kind,
  row: Pick<WordingRow, 'body' | 'sha256'> | undefined,
): WordingBody<Kind> | undefined {
  if (!row) return shippedWording(kind)
  if (sha256(row.body ?? '') !== row.sha256) return undefined
  if (row.body === null) return shippedWording(kind)
  try {
    return JSON.parse(row.body)
  } catch {
    return undefined
  }
}
