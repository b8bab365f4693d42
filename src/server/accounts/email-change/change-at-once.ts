import { randomUUID } from 'node:crypto'
import { emailChanges } from '../../../../db/schema.ts'
import { system } from '../../../domain/access.ts'
import { emailText } from '../../../domain/account.ts'
import { emailKey } from '../../../domain/account-rules.ts'
import { canUndo, startEmailChange } from '../../../domain/email-change.ts'
import { AppError } from '../../../domain/errors.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { findUserByEmail } from '../../sessions/users.ts'
import {
  cancelWaitingEmailChange,
  type EmailChangeRow,
  emailChangesOf,
  endEmailLinks,
  isEmailTaken,
  saveEmailChange,
} from './changes.ts'
import { finishEmailChange } from './finish-change.ts'
import type { MoveContactEmail } from './set-email.ts'

/**
 * Changes the e-mail of an account at once, for the command line alone (SAFE-30). It is the last word: a change that
 * waits is given up, and no earlier one can be undone any more. Both addresses are mailed where mail is set up.
 * @throws AppError not_found when nobody has the e-mail; bad_request for the same one; conflict for a taken one; ZodError
 */
export async function changeEmailAtOnce(
  deps: Deps,
  input: { email: string; newEmail: string; applicationsToo: boolean },
  moveContactEmail: MoveContactEmail,
): Promise<void> {
  const newEmail = emailText.parse(input.newEmail)
  await deps.write(tx => {
    const at = nowIso(deps)
    const user = findUserByEmail(tx, input.email)
    if (!user) throw new AppError('not_found', 'Nobody has this e-mail.')
    if (user.emailKey === emailKey(newEmail))
      throw new AppError('bad_request', 'The account has this e-mail already.')
    if (isEmailTaken(tx, at, newEmail, user.id))
      throw new AppError('conflict', 'Another account has this e-mail, or had it in the last seven days.')
    cancelWaitingEmailChange(tx, at, user.id)
    for (const earlier of emailChangesOf(tx, user.id).filter(change => canUndo(change, at))) {
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
    finishEmailChange(tx, at, system, change, moveContactEmail)
    if (!deps.mail) return
    const { oldEmail } = change
    for (const to of [oldEmail, newEmail])
      enqueueMail(tx, at, {
        kind: 'email-changed',
        to,
        dedupeKey: `email-changed:${change.id}:${to}`,
        props: { oldEmail, newEmail, at, undo: null },
      })
  })
}
