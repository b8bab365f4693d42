import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Tx } from '../../../../../db/open.ts'
import { emailChanges } from '../../../../../db/schema.ts'
import type { SignedIn } from '../../../../domain/accounts/access.ts'
import { emailKey } from '../../../../domain/accounts/account-rules.ts'
import type { emailChangeForm, emailChangeResponse } from '../../../../domain/accounts/account-safety-form.ts'
import { safetyAnswers } from '../../../../domain/accounts/account-safety-messages.ts'
import { type EmailSide, startEmailChange } from '../../../../domain/accounts/email-change.ts'
import { AppError, fieldError } from '../../../../domain/common/errors.ts'
import { recordEvent } from '../../../kernel/audit.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { enqueueMail } from '../../../mail/outbox.ts'
import { requireProvenMailbox, requireStepUp } from '../../factors/step-up.ts'
import { createLink } from '../../sessions/access-links.ts'
import { findUser } from '../../sessions/users.ts'
import { cancelPendingEmailChange, type EmailChangeRow, emailLinkKey, isEmailTaken } from './changes.ts'
import { toEmailChangeView } from './views.ts'

/**
 * Begins a change of the caller's email and mails a link to both addresses; replaces a pending change (SAFE-29). If
 * the new address is taken, the response is the same, but its mail has no link and says that it has an account
 * (SAFE-26).
 * @throws AppError unavailable if mail is not set up; forbidden without a fresh step-up and without a proven mailbox (FIX-27); bad_request for the account's
 * current email; too_many
 */
export async function requestEmailChange(
  deps: Deps,
  actor: SignedIn,
  { applicationsToo, newEmail }: z.infer<typeof emailChangeForm>,
): Promise<z.infer<typeof emailChangeResponse>> {
  if (!deps.mail) throw new AppError('unavailable', safetyAnswers.noMail)
  // Checked before the rate limits count, and again in the transaction of the insert, where it matters.
  requireStepUp(deps, deps.db, actor)
  // The owner of the mailbox would confirm a change that somebody else asks for.
  requireProvenMailbox(deps, deps.db, actor)
  await deps.limits.consume('emailChangeByUser', actor.userId)
  await deps.limits.consume('emailChangeByNewEmail', emailKey(newEmail))
  const change = await deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const at = nowIso(deps)
    const user = findUser(tx, actor.userId)
    if (!user) throw new AppError('unauthorized', 'Please log in to continue.')
    if (user.emailKey === emailKey(newEmail)) throw fieldError('newEmail', safetyAnswers.sameEmail)
    cancelPendingEmailChange(tx, at, user.id)
    const change: EmailChangeRow = {
      id: randomUUID(),
      userId: user.id,
      applicationsToo,
      ...startEmailChange(user.email, newEmail, at),
    }
    tx.insert(emailChanges).values(change).run()
    sendLinks(tx, actor, change)
    recordEvent(tx, at, actor, 'account.email_change_requested', user.id)
    return change
  })
  return { change: toEmailChangeView(change) }
}

/** Creates a link for a taken address too, but mails it to nobody: neither timing nor the database reveals it. */
function sendLinks(
  tx: Tx,
  { requestOrigin }: SignedIn,
  { createdAt: at, id: subjectId, newEmail, oldEmail, userId: personId }: EmailChangeRow,
): void {
  const isTaken = isEmailTaken(tx, at, newEmail, personId)
  const sides: [EmailSide, 'email_old' | 'email_new', string][] = [
    ['old', 'email_old', oldEmail],
    ['new', 'email_new', newEmail],
  ]
  for (const [side, kind, to] of sides) {
    const link = createLink(tx, at, { kind, subjectId, personId })
    const mail = { to, dedupeKey: emailLinkKey(link.id), validUntil: link.expiresAt }
    if (side === 'new' && isTaken)
      enqueueMail(tx, at, { ...mail, kind: 'email-change-taken', props: { email: to } })
    else
      enqueueMail(tx, at, {
        ...mail,
        kind: 'email-change-link',
        props: { side, newEmail, at, ...requestOrigin, linkId: link.id },
      })
  }
}

/** Cancels the caller's pending change, if there is one. */
export async function cancelOwnEmailChange(deps: Deps, actor: SignedIn): Promise<{ message: string }> {
  await deps.write(tx => cancelPendingEmailChange(tx, nowIso(deps), actor.userId))
  return { message: safetyAnswers.emailChangeCanceled }
}
