import { and, eq, gt, isNull, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { accessLinks } from '../../../db/schema.ts'
import { sha256 } from '../lib/sha256.ts'
import { newToken } from '../lib/token.ts'

export type AccessLink = typeof accessLinks.$inferSelect
type NewLink = Pick<AccessLink, 'kind' | 'subjectId' | 'personId'> & { ttlMs: number }

/** Creates a link that opens a page without a login. Its token is only in the mail; the database has the hash. */
export function createLink(
  tx: Tx,
  at: string,
  { ttlMs, ...link }: NewLink,
): { id: string; token: string; expiresAt: string } {
  const token = newToken()
  const id = sha256(token)
  const expiresAt = new Date(Date.parse(at) + ttlMs).toISOString()
  tx.insert(accessLinks)
    .values({ ...link, id, createdAt: at, expiresAt })
    .run()
  return { id, token, expiresAt }
}

/** The link of a token, unless the token is unknown, expired or revoked. Changes nothing. */
export function findLink(
  db: Pick<Db, 'select'>,
  at: string,
  kind: AccessLink['kind'],
  token: string,
): AccessLink | undefined {
  return db
    .select()
    .from(accessLinks)
    .where(
      and(
        eq(accessLinks.id, sha256(token)),
        eq(accessLinks.kind, kind),
        isNull(accessLinks.revokedAt),
        gt(accessLinks.expiresAt, at),
      ),
    )
    .get()
}

/** Revokes the links of a kind to a subject or of a person, and returns the ids of the newly revoked links. */
export function revokeLinks(
  tx: Tx,
  at: string,
  kind: AccessLink['kind'],
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

/** Marks a link as used, in the transaction that uses it. */
export function markLinkUsed(tx: Tx, at: string, id: string): void {
  tx.update(accessLinks).set({ lastUsedAt: at }).where(eq(accessLinks.id, id)).run()
}
