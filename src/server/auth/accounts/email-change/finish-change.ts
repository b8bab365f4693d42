import type { Tx } from '../../../../../db/open.ts'
import type { Actor, System } from '../../../../domain/accounts/access.ts'
import { recordEvent } from '../../../kernel/audit.ts'
import { endChallengesOf } from '../../factors/challenges.ts'
import { revokeLinks } from '../../sessions/access-links.ts'
import { endSessionsWithNotice } from '../../sessions/sessions.ts'
import { endInvitationsOf } from '../invitations.ts'
import { endResetLinksOf } from '../reset-links.ts'
import { type EmailChangeRow, endEmailLinks } from './changes.ts'
import { correctContactEmail, setEmail } from './set-email.ts'

/**
 * Gives the account its new email and ends all other sessions, logins that wait for a second step, resets and links of
 * the person (SAFE-27).
 */
export function finishEmailChange(
  tx: Tx,
  at: string,
  actor: Actor | System,
  { applicationsToo, id, newEmail, oldEmail, userId }: EmailChangeRow,
): void {
  setEmail(tx, at, userId, newEmail)
  const isOwn = 'userId' in actor && actor.userId === userId
  endSessionsWithNotice(tx, at, userId, isOwn ? actor.sessionId : undefined)
  endResetLinksOf(tx, at, userId)
  endInvitationsOf(tx, at, userId)
  endChallengesOf(tx, at, userId)
  for (const kind of ['site_preview', 'not_me', 'message_reply'] as const)
    revokeLinks(tx, at, kind, { personId: userId })
  endEmailLinks(tx, at, id, 'email_old', 'email_new')
  if (applicationsToo) correctContactEmail(tx, at, userId, { from: oldEmail, to: newEmail })
  recordEvent(tx, at, actor, 'account.email_changed', userId, { applicationsToo })
}
