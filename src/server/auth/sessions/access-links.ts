import { randomUUID } from 'node:crypto'
import { and, eq, gt, isNull, lte, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { accessLinks, linkTokens, users } from '../../../../db/schema.ts'
import { emailChangeTtlMs, emailUndoTtlMs } from '../../../domain/accounts/email-change.ts'
import { disownTtlMs } from '../../../domain/accounts/known-login.ts'
import { clockToleranceMs } from '../../../domain/common/dates.ts'
import { hourMs } from '../../../domain/common/durations.ts'
import { newToken, sha256 } from '../../lib/sha256.ts'

type LinkRow = typeof accessLinks.$inferSelect
/** Nobody asks for the person of the links that have none: of an installation, and of signers without an account. */
export type AccessLink = LinkRow & { personId: string }
type Kind = AccessLink['kind']

const ttlMs: Record<Kind, number> = {
  invitation: 30 * 24 * hourMs,
  password_reset: hourMs,
  site_preview: hourMs / 2,
  email_old: emailChangeTtlMs,
  email_new: emailChangeTtlMs,
  email_undo: emailUndoTtlMs,
  not_me: disownTtlMs,
  install: 24 * hourMs,
  // The end of the stay ends it; stays are booked at most two years ahead.
  stay: 800 * 24 * hourMs,
  message_reply: 14 * 24 * hourMs,
  review: 30 * 24 * hourMs,
  // The longest that the owner can choose, and thirty days more once everybody has signed.
  sign: 120 * 24 * hourMs,
  // The end of the offer ends it, and a promise may be for nights in three years.
  offer: 1200 * 24 * hourMs,
}
/** Their time starts with the delivery, as their mail is worth sending at any time. The other links have a fixed end. */
const startsAtDelivery: readonly Kind[] = ['invitation', 'password_reset']

/**
 * Creates a link that opens a page without a login, once `issueToken` has given it a token. `expiresAt` is an end of its
 * own, at most that of its kind.
 */
export function createLink(
  tx: Tx,
  at: string,
  { expiresAt: ownEnd, ...link }: Pick<LinkRow, 'kind' | 'subjectId' | 'personId'> & { expiresAt?: string },
): { id: string; expiresAt: string } {
  const id = randomUUID()
  const expiresAt = ownEnd ?? endOf(link.kind, at)
  tx.insert(accessLinks)
    .values({ ...link, id, createdAt: at, expiresAt })
    .run()
  return { id, expiresAt }
}

/**
 * Gives a link another token, of which only the hash is stored: it exists in the mail alone, never in a backup. Earlier
 * tokens keep working, because a mail whose delivery failed may have arrived. Undefined if the link has ended.
 */
export function issueToken(
  tx: Tx,
  at: string,
  linkId: string,
): { token: string; expiresAt: string } | undefined {
  const link = tx
    .select()
    .from(accessLinks)
    .where(and(eq(accessLinks.id, linkId), isNull(accessLinks.revokedAt)))
    .get()
  if (!link) return undefined
  const expiresAt = startsAtDelivery.includes(link.kind) ? endOf(link.kind, at) : link.expiresAt
  if (expiresAt <= at || expiresAt > latestEnd(link.kind, at)) return undefined
  const token = newToken()
  tx.insert(linkTokens)
    .values({ id: sha256(token), linkId })
    .run()
  tx.update(accessLinks).set({ expiresAt }).where(eq(accessLinks.id, linkId)).run()
  return { token, expiresAt }
}

/**
 * The link of a token, unless the token is unknown, expired or revoked, or from a time when the clock was ahead.
 * Changes nothing.
 */
export function findLink(db: Db, at: string, kind: Kind, token: string): AccessLink | undefined {
  return db
    .select({ link: accessLinks })
    .from(linkTokens)
    .innerJoin(accessLinks, eq(accessLinks.id, linkTokens.linkId))
    .where(
      and(
        eq(linkTokens.id, sha256(token)),
        eq(accessLinks.kind, kind),
        isNull(accessLinks.revokedAt),
        gt(accessLinks.expiresAt, at),
        lte(accessLinks.expiresAt, latestEnd(kind, at)),
      ),
    )
    .get()?.link as AccessLink | undefined
}

/** Whether the link of a token was revoked when its person's mailbox was proven, and not earlier for another reason. */
export function endedWithProof(db: Db, kind: Kind, token: string): boolean {
  const isOf = and(eq(linkTokens.id, sha256(token)), eq(accessLinks.kind, kind))
  const ended = db
    .select({ id: accessLinks.id })
    .from(linkTokens)
    .innerJoin(accessLinks, eq(accessLinks.id, linkTokens.linkId))
    .innerJoin(users, eq(users.id, accessLinks.personId))
    .where(and(isOf, eq(accessLinks.revokedAt, users.mailboxProvenAt)))
  return ended.get() !== undefined
}

/** Revokes the links of a kind to a subject or of a person, and returns the ids of the newly revoked links. */
export function revokeLinks(
  tx: Tx,
  at: string,
  kind: Kind,
  of: { subjectId: string } | { personId: string },
): string[] {
  const whose: SQL =
    'subjectId' in of ? eq(accessLinks.subjectId, of.subjectId) : eq(accessLinks.personId, of.personId)
  return tx
    .update(accessLinks)
    .set({ revokedAt: at })
    .where(and(eq(accessLinks.kind, kind), whose, isNull(accessLinks.revokedAt)))
    .returning({ id: accessLinks.id })
    .all()
    .map(({ id }) => id)
}

/** Lets the links to a subject that have not ended open it for longer. */
export function prolongLinks(tx: Tx, at: string, kind: Kind, subjectId: string, ms: number): void {
  const { expiresAt, id, revokedAt } = accessLinks
  const isLive = and(eq(accessLinks.subjectId, subjectId), isNull(revokedAt), gt(expiresAt, at))
  const links = tx
    .select({ id, expiresAt })
    .from(accessLinks)
    .where(and(eq(accessLinks.kind, kind), isLive))
    .all()
  for (const link of links) {
    const later = new Date(Date.parse(link.expiresAt) + ms).toISOString()
    tx.update(accessLinks).set({ expiresAt: later }).where(eq(id, link.id)).run()
  }
}

/** Marks a link as used, in the transaction that uses it. */
export function markLinkUsed(tx: Tx, at: string, id: string): void {
  tx.update(accessLinks).set({ lastUsedAt: at }).where(eq(accessLinks.id, id)).run()
}

const endOf = (kind: Kind, at: string) => new Date(Date.parse(at) + ttlMs[kind]).toISOString()
/** The end of a link that begins now; a later one was set while the clock was ahead. */
const latestEnd = (kind: Kind, at: string) =>
  new Date(Date.parse(at) + ttlMs[kind] + clockToleranceMs).toISOString()
