import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '../../../db/open.ts'
import { accessLinks, users } from '../../../db/schema.ts'
import { wireMoment } from '../../domain/common/wire.ts'

export const invitationState = z
  .strictObject({
    sentAt: wireMoment,
    expiresAt: wireMoment,
    /** When the guest proved the mailbox, by the invitation link or otherwise. */
    acceptedAt: wireMoment.nullable(),
  })
  .meta({ id: 'InvitationState' })
export type InvitationState = z.infer<typeof invitationState>

/**
 * The newest invitation of each person who has one, preferring one that is not revoked. Ignores an invitation that was
 * revoked while the mailbox is not proven.
 */
export function invitationsOf(
  db: Pick<Db | Tx, 'select'>,
  personIds: readonly string[],
): Map<string, InvitationState> {
  if (personIds.length === 0) return new Map()
  const links = db
    .select({ link: accessLinks, acceptedAt: users.mailboxProvenAt })
    .from(accessLinks)
    .innerJoin(users, eq(users.id, accessLinks.personId))
    .where(and(inArray(accessLinks.personId, [...personIds]), eq(accessLinks.kind, 'invitation')))
    // The map below keeps the last row of each person.
    .orderBy(desc(sql`${accessLinks.revokedAt} is not null`), asc(accessLinks.createdAt))
    .all()
  const newest = new Map(links.map(row => [row.link.personId, row]))
  return new Map(
    [...newest].flatMap(([personId, { acceptedAt, link }]) => {
      if (link.revokedAt !== null && acceptedAt === null) return []
      return [[personId, { sentAt: link.createdAt, expiresAt: link.expiresAt, acceptedAt }] as const]
    }),
  )
}
