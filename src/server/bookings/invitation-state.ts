import { and, desc, eq } from 'drizzle-orm'
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

/** The newest invitation of a person; null without one, and when it was taken back before there was a password. */
export function invitationOf(db: Pick<Db | Tx, 'select'>, personId: string): InvitationState | null {
  const newest = db
    .select({ link: accessLinks, passwordHash: users.passwordHash })
    .from(accessLinks)
    .innerJoin(users, eq(users.id, accessLinks.personId))
    .where(and(eq(accessLinks.personId, personId), eq(accessLinks.kind, 'invitation')))
    .orderBy(desc(accessLinks.createdAt))
    .limit(1)
    .get()
  if (!newest) return null
  const { createdAt, expiresAt, lastUsedAt, revokedAt } = newest.link
  if (revokedAt !== null && newest.passwordHash === null) return null
  return { sentAt: createdAt, expiresAt, acceptedAt: lastUsedAt ?? revokedAt }
}
