import { randomUUID } from 'node:crypto'
import { emailChanges } from '../../../../../db/schema.ts'
import { system } from '../../../../domain/accounts/access.ts'
import { emailText } from '../../../../domain/accounts/account.ts'
import { emailKey } from '../../../../domain/accounts/account-rules.ts'
import { startEmailChange } from '../../../../domain/accounts/email-change.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { enqueueMail } from '../../../mail/outbox.ts'
import { findUserByEmail } from '../../sessions/users.ts'
import {
  cancelPendingEmailChange,
  type EmailChangeRow,
  emailChangesOf,
  endEmailLinks,
  isEmailTaken,
  saveEmailChange,
} from './changes.ts'
import { finishEmailChange } from './finish-change.ts'

/**
 * Changes the email of an account at once, only from the command line (SAFE-30). The change is final: a pending change
 * is canceled, and no earlier change can be undone anymore. Both addresses get a mail if mail is set up.
 * @throws AppError not_found when nobody has `email`; bad_request when both are the same; conflict when `newEmail` is
 * taken; ZodError
 */
export async function forceEmailChange(
  deps: Deps,
  input: { email: string; newEmail: string; applicationsToo: boolean },
): Promise<void> {
  const newEmail = emailText.parse(input.newEmail)
  await deps.write(tx => {
    const at = nowIso(deps)
    const user = findUserByEmail(tx, input.email)
    if (!user) throw new AppError('not_found', 'No account uses this email address.')
    if (user.emailKey === emailKey(newEmail))
      throw new AppError('bad_request', 'The account already uses this email address.')
    if (isEmailTaken(tx, at, newEmail, user.id))
      throw new AppError(
        'conflict',
        'Another account uses this email address, or did so in the last seven days.',
      )
    cancelPendingEmailChange(tx, at, user.id)
    for (const earlier of emailChangesOf(tx, user.id)) {
      if (earlier.undoUntil === null || earlier.undoUntil <= at) continue
      saveEmailChange(tx, earlier.id, { ...earlier, undoUntil: at })
      endEmailLinks(tx, at, earlier.id, 'email_undo')
    }
    const change: EmailChangeRow = {
      id: randomUUID(),
      userId: user.id,
      applicationsToo: input.applicationsToo,
      ...startEmailChange(user.email, newEmail, at),
      doneAt: at,
    }
    tx.insert(emailChanges).values(change).run()
    finishEmailChange(tx, at, system, change)
    if (!deps.mail) return
    const { oldEmail } = change
    for (const to of [oldEmail, newEmail])
      enqueueMail(tx, at, {
        kind: 'email-changed',
        to,
        dedupeKey: `email-changed:${change.id}:${to}`,
        props: { oldEmail, newEmail, at, undoLinkId: null },
      })
  })
}
