import { and, desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '../../../db/open.ts'
import { accessLinks, users } from '../../../db/schema.ts'
import { wireMoment } from '../../domain/wire.ts'

export const invitationState = z
  .strictObject({
    sentAt: wireMoment,
    expiresAt: wireMoment,
    /** When the guest set a password, by this link or by a reset. */
    acceptedAt: wireMoment.nullable(),
  })
  .meta({ id: 'InvitationState' })
export type InvitationState = z.infer<typeof invitationState>

/** The newest invitation of a person, one that works before any other; null without one, and when all were taken back. */
export function invitationOf(
  db: Pick<Db | Tx, 'select'>,
  personId: string,
): { invitation: InvitationState | null; canInvite: boolean } {
  const [newest] = db
    .select({ link: accessLinks, passwordHash: users.passwordHash })
    .from(users)
    .leftJoin(accessLinks, and(eq(accessLinks.personId, users.id), eq(accessLinks.kind, 'invitation')))
    .where(eq(users.id, personId))
    .orderBy(sql`${accessLinks.revokedAt} is not null`, desc(accessLinks.createdAt))
    .limit(1)
    .all()
  const canInvite = newest?.passwordHash === null
  if (!newest?.link) return { invitation: null, canInvite }
  const { createdAt, expiresAt, lastUsedAt, revokedAt } = newest.link
  if (revokedAt !== null && canInvite) return { invitation: null, canInvite }
  const acceptedAt = lastUsedAt ?? revokedAt
  return { invitation: { sentAt: createdAt, expiresAt, acceptedAt }, canInvite }
}
