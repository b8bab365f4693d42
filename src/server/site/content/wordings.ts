import { and, desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { wordings } from '../../../../db/schema.ts'
import type { Parsed } from '../../../domain/content/content-text.ts'
import {
  type MailWording,
  parseMailWording,
  shippedMailWordings,
  type WordingKind,
  wordingKinds,
  wordingLabels,
} from '../../../domain/content/wording.ts'
import {
  type LeaseWording,
  parseLeaseWording,
  shippedLeaseWording,
} from '../../../domain/leases/lease-wording.ts'
import type { NoticeCheck } from '../../kernel/notice.ts'
import { sha256 } from '../../lib/sha256.ts'

export type WordingRow = typeof wordings.$inferSelect
export type WordingBody<Kind extends WordingKind> = Kind extends 'lease' ? LeaseWording : MailWording

/** The newest saved version of a wording; undefined if the shipped wording was never changed. */
export function newestWording(db: Db | Tx, kind: WordingKind): WordingRow | undefined {
  return db
    .select()
    .from(wordings)
    .where(eq(wordings.kind, kind))
    .orderBy(desc(wordings.version))
    .limit(1)
    .get()
}

/** The shipped wording of a kind. */
export function shippedWording<Kind extends WordingKind>(kind: Kind): WordingBody<Kind> {
  const shipped: Record<WordingKind, LeaseWording | MailWording> = {
    lease: shippedLeaseWording,
    ...shippedMailWordings,
  }
  return shipped[kind] as WordingBody<Kind>
}

/**
 * The body of a row, or the shipped wording without a row or if the row refers to it. Undefined if the row is damaged:
 * a wrong hash or invalid JSON (LTEXT-05, LTEXT-09). The caller checks for required placeholders.
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

/** Parses a submitted wording for storage; returns errors by field if it is invalid (LTEXT-01, LTEXT-07). */
export function parseWording<Kind extends WordingKind>(
  kind: Kind,
  given: unknown,
): Parsed<WordingBody<Kind>> {
  const parsed = kind === 'lease' ? parseLeaseWording(given) : parseMailWording(kind, given)
  return parsed as Parsed<WordingBody<Kind>>
}

/** A usable wording, or why it cannot be used; version 0 is the shipped wording. */
type UsableWording<Kind extends WordingKind> =
  | { version: number; body: WordingBody<Kind>; fault?: undefined }
  | { version: number; body?: undefined; fault: string }

/** The newest or the given version, checked again, because an upgrade may require more (LTEXT-05, LTEXT-09). */
export function usableWording<Kind extends WordingKind>(
  db: Db | Tx,
  kind: Kind,
  version?: number,
): UsableWording<Kind> {
  const row = version === undefined ? newestWording(db, kind) : wordingOf(db, kind, version)
  const number = row?.version ?? 0
  if (version !== undefined && number !== version) return { version, fault: unreadable }
  const stored = bodyOfWording(kind, row)
  if (stored === undefined) return { version: number, fault: unreadable }
  const parsed = parseWording(kind, stored)
  if (parsed.fields === undefined) return { version: number, body: parsed.body }
  return { version: number, fault: Object.values(parsed.fields).join(' ').replaceAll('\n', ' ') }
}

const unreadable = 'It could not be read.'

const wordingOf = (db: Db | Tx, kind: WordingKind, version: number): WordingRow | undefined =>
  db
    .select()
    .from(wordings)
    .where(and(eq(wordings.kind, kind), eq(wordings.version, version)))
    .get()

/** Saved wordings that cannot be used: no leases are generated, and mails use the shipped wording. */
export const unusableWordings: NoticeCheck = ({ db }) =>
  wordingKinds.flatMap(kind => {
    const { fault } = usableWording(db, kind)
    if (fault === undefined) return []
    const isLease = kind === 'lease'
    return {
      id: `wording-${kind}`,
      tone: isLease ? ('danger' as const) : ('warning' as const),
      title: isLease
        ? 'The lease wording must be checked'
        : `The wording of a mail cannot be used: ${wordingLabels[kind]}`,
      detail: isLease
        ? `${fault} Until it is saved again, no lease can be generated.`
        : `${fault} Until it is saved again, the mail leaves in the words that the site came with.`,
      action: { kind: 'site' as const },
    }
  })
