import type { Tx } from '../../../../db/open.ts'
import { cancelUnsentMail } from '../../mail/outbox.ts'
import { revokeLinks } from '../sessions/access-links.ts'

export const resetMailKey = (linkId: string) => `password-reset:${linkId}`

/** Revokes the links to set a new password of an account and withdraws their unsent mails. */
export function endResetLinksOf(tx: Tx, at: string, personId: string): void {
  for (const id of revokeLinks(tx, at, 'password_reset', { personId })) cancelUnsentMail(tx, resetMailKey(id))
}
