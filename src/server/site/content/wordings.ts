import { eq } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { wordings } from '../../../../db/schema.ts'
import type { Parsed } from '../../../domain/content/content-text.ts'
import {
  type MailWording,
  parseMailWording,
  shippedMailWordings,
} from '../../../domain/content/mail-wording.ts'
import {
  type DocumentKind,
  isDocumentKind,
  type WordingKind,
  wordingKinds,
  wordingLabels,
} from '../../../domain/content/wording.ts'
import { parseAddendumWording, shippedAddendumWording } from '../../../domain/leases/addendum-wording.ts'
import {
  type LeaseWording,
  parseLeaseWording,
  shippedLeaseWording,
} from '../../../domain/leases/lease-wording.ts'
import type { NoticeCheck } from '../../kernel/notice.ts'
import { historyOf, readStoredBody } from './versioned.ts'

export type WordingRow = typeof wordings.$inferSelect
export type WordingBody<Kind extends WordingKind> = Kind extends DocumentKind ? LeaseWording : MailWording

/** The saved versions of a wording; none if the shipped wording was never changed. */
export const wordingHistory = (kind: WordingKind) =>
  historyOf(wordings, wordings.version, eq(wordings.kind, kind))

/** The shipped wording of a kind. */
export function shippedWording<Kind extends WordingKind>(kind: Kind): WordingBody<Kind> {
  const shipped: Record<WordingKind, LeaseWording | MailWording> = {
    lease: shippedLeaseWording,
    addendum: shippedAddendumWording,
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
  const body = readStoredBody(row)
  return body === null ? shippedWording(kind) : (body as WordingBody<Kind> | undefined)
}

/** Parses a submitted wording for storage; returns errors by field if it is invalid (LTEXT-01, LTEXT-07). */
export function parseWording<Kind extends WordingKind>(
  kind: Kind,
  given: unknown,
): Parsed<WordingBody<Kind>> {
  const parse = { lease: parseLeaseWording, addendum: parseAddendumWording }
  const parsed = isDocumentKind(kind) ? parse[kind](given) : parseMailWording(kind, given)
  return parsed as Parsed<WordingBody<Kind>>
}

/** A usable wording, or why it cannot be used; version 0 is the shipped wording. */
type UsableWording<Kind extends WordingKind> =
  | { version: number; body: WordingBody<Kind>; fault?: undefined }
  | { version: number; body?: undefined; fault: string }

/** The newest or the given version, checked again, because an upgrade may require more (LTEXT-05, LTEXT-09). */
export function usableWording<Kind extends WordingKind>(
  db: Db,
  kind: Kind,
  version?: number,
): UsableWording<Kind> {
  const history = wordingHistory(kind)
  const row = version === undefined ? history.newest(db) : history.find(db, version)
  const number = row?.version ?? 0
  if (version !== undefined && number !== version) return { version, fault: unreadable }
  const stored = bodyOfWording(kind, row)
  if (stored === undefined) return { version: number, fault: unreadable }
  const parsed = parseWording(kind, stored)
  if (parsed.fields === undefined) return { version: number, body: parsed.body }
  return { version: number, fault: Object.values(parsed.fields).join(' ').replaceAll('\n', ' ') }
}

const unreadable = 'It could not be read.'

/** Saved wordings that cannot be used: no leases are generated, and mails use the shipped wording. */
export const unusableWordings: NoticeCheck = ({ db }) =>
  wordingKinds.flatMap(kind => {
    const { fault } = usableWording(db, kind)
    if (fault === undefined) return []
    const isLease = isDocumentKind(kind)
    const name = kind === 'addendum' ? 'addendum' : 'lease'
    return {
      id: `wording-${kind}`,
      tone: isLease ? ('danger' as const) : ('warning' as const),
      title: isLease
        ? `The ${name} wording must be checked`
        : `The wording of an email cannot be used: ${wordingLabels[kind]}`,
      detail: isLease
        ? `${fault} Until it is saved again, no ${name} can be ${isDocumentKind(kind) && kind === 'addendum' ? 'made' : 'generated'}.`
        : `${fault} Until it is saved again, the email leaves in the words that the site came with.`,
      action: { kind: 'site' as const },
    }
  })
