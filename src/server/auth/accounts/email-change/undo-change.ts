import type { Actor } from '../../../../domain/accounts/access.ts'
import { safetyMessages } from '../../../../domain/accounts/account-safety-messages.ts'
import { undoEmailChange } from '../../../../domain/accounts/email-change.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import { recordEvent } from '../../../kernel/audit.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { findLink, markLinkUsed, revokeLinks } from '../../sessions/access-links.ts'
import { forcePasswordReset } from '../password-service.ts'
import { emailChangesOf, endEmailLinks, isEmailTaken, saveEmailChange } from './changes.ts'
import { correctContactEmail, setEmail } from './set-email.ts'

/**
 * Gives the account back to the former address and undoes all later changes. All sessions end, the password stops
 * working, and that address gets a link to set a new one (SAFE-28).
 * @throws AppError not_found for an invalid link, with the same message for every reason
 */
export async function undoEmailChangeByLink(
  deps: Deps,
  actor: Actor,
  { token }: { token: string },
): Promise<{ state: 'undone' }> {
  await deps.write(tx => {
    const at = nowIso(deps)
    const link = findLink(tx, at, 'email_undo', token)
    const before = link ? emailChangesOf(tx, link.personId) : []
    const index = before.findIndex(({ id }) => id === link?.subjectId)
    const undone = undoEmailChange(before, index, at)
    // After a wrong clock, somebody else can have the former address by now.
    if (!link || !undone || isEmailTaken(tx, at, undone.email, link.personId))
      throw new AppError('not_found', safetyMessages.invalidLink)
    markLinkUsed(tx, at, link.id)
    const userId = link.personId
    // Newest first, so that a contact address is restored step by step.
    for (const [position, row] of [...before.entries()].toReversed()) {
      const after = undone.changes[position]
      if (!after || after.cancelledAt === row.cancelledAt) continue
      saveEmailChange(tx, row.id, after)
      endEmailLinks(tx, at, row.id, 'email_old', 'email_new', 'email_undo')
      if (row.doneAt !== null && row.applicationsToo)
        correctContactEmail(tx, at, userId, { from: row.newEmail, to: row.oldEmail })
    }
    setEmail(tx, at, userId, undone.email)
    revokeLinks(tx, at, 'not_me', { personId: userId })
    forcePasswordReset(deps, tx, actor, { id: userId, email: undone.email })
    recordEvent(tx, at, actor, 'account.email_change_undone', userId)
  })
  return { state: 'undone' }
}
