import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { applications } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { isMissingEmail, missingEmail } from '../../../domain/accounts/account-rules.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { deleteApplication } from '../../applications/delete.ts'
import { createGuestAccount } from '../../auth/accounts/create-account.ts'
import { endEmailChanges } from '../../auth/accounts/email-change/changes.ts'
import { correctEmail } from '../../auth/accounts/invitations.ts'
import { replacePassword, sendResetLink } from '../../auth/accounts/password-service.ts'
import { removeAllFactors } from '../../auth/factors/remove-factor.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { findUser, type UserRow } from '../../auth/sessions/users.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { requireOwnSite } from '../../kernel/opening.ts'
import { addTrialGuest, listTrialGuests } from '../../kernel/trial.ts'

/** The guest of the trial that is going on; undefined before it, and once it is removed. */
export function findTrialGuest(db: Db | Tx): UserRow | undefined {
  const id = listTrialGuests(db).at(-1)
  const guest = id === undefined ? undefined : findUser(db, id)
  return guest && !isMissingEmail(guest.email) ? guest : undefined
}

/**
 * Makes the account with which the owner tries the site as a guest, and mails the link to set its password (OPEN-07).
 * @throws AppError conflict once the site was opened, while a trial is going on, and for an email that has an account;
 * unavailable without a mail service; forbidden without a step-up
 */
export function startTrial(deps: Deps, actor: Admin, { email }: { email: string }): Promise<void> {
  return deps.write(tx => {
    const at = nowIso(deps)
    requireStepUp(deps, tx, actor)
    if (deps.opening() !== 'never')
      throw new AppError('conflict', 'A trial is made before the site is opened.')
    if (findTrialGuest(tx)) throw new AppError('conflict', 'There is a trial. Remove it first.')
    if (!deps.mail) throw new AppError('unavailable', 'Set up email first: the trial guest gets a link.')
    const guest = createGuestAccount(tx, at, actor, { email, firstName: 'Trial', lastName: 'Guest' })
    addTrialGuest(tx, guest.id)
    sendResetLink(tx, at, { to: guest.email, userId: guest.id, isTrial: true })
    recordEvent(tx, at, actor, 'trial.started', guest.id)
  })
}

/**
 * Deletes the trial's applications, closes its account and frees its email (OPEN-07).
 * A second time changes nothing. @throws AppError conflict in the demo
 */
export async function removeTrial(deps: Deps, actor: Admin): Promise<void> {
  requireOwnSite(deps)
  const guest = findTrialGuest(deps.db)
  if (!guest) return
  const ofGuest = and(eq(applications.userId, guest.id), isNull(applications.deletedAt))
  const rows = deps.db
    .select({ id: applications.id })
    .from(applications)
    .where(and(ofGuest, isNotNull(applications.submittedAt)))
  for (const { id } of rows.all()) await deleteApplication(deps, actor, id)
  // Last, so that a removal that was interrupted can be repeated.
  await deps.write(tx => {
    const at = nowIso(deps)
    replacePassword(tx, at, actor, guest.id, { passwordHash: null })
    // A passkey logs in without a password.
    removeAllFactors(tx, at, actor, guest.id)
    endEmailChanges(tx, at, guest.id)
    correctEmail(tx, at, actor, guest, missingEmail(guest.id))
    recordEvent(tx, at, actor, 'trial.removed', guest.id)
  })
}
