import type { Db } from '../../../../db/open.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { hasSecondFactor } from '../../../domain/accounts/factor.ts'
import { missingStepUp, stepUpMethods } from '../../../domain/accounts/step-up.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { findProof } from '../sessions/session-proof.ts'
import { findUser, isMailboxProven } from '../sessions/users.ts'
import { factorStatusOf } from './factor-status.ts'

/**
 * Requires a step-up of the session in the last ten minutes (SAFE-16). Call it before changing anything or calling a
 * provider.
 * @throws AppError forbidden with the possible methods
 */
export function requireStepUp(deps: Deps, db: Db, actor: SignedIn): void {
  const factorStatus = factorStatusOf(deps, db, actor.userId)
  const session = findProof(db, actor.sessionId)
  const stepUp = session ? missingStepUp(factorStatus, session, nowIso(deps)) : stepUpMethods(factorStatus)
  if (stepUp) throw new AppError('forbidden', safetyMessages.stepUp, { stepUp })
}

/**
 * Requires a proven mailbox before a factor is set up: otherwise the mailbox alone could remove it by a password reset
 * (FIX-29).
 * @throws AppError forbidden; unavailable if no code can be mailed
 */
export function requireProvenMailbox({ mail }: Deps, db: Db, { userId }: SignedIn): void {
  const user = findUser(db, userId)
  if (user && isMailboxProven(user)) return
  throw mail
    ? new AppError('forbidden', safetyMessages.confirmMailbox)
    : new AppError('unavailable', safetyMessages.noMail)
}

/**
 * Like `requireStepUp`, for a form that has a field for the current password, which is enough without a factor.
 * @throws AppError forbidden with the possible methods
 */
export function requireStepUpIfProtected(...[deps, db, actor]: Parameters<typeof requireStepUp>): void {
  if (hasSecondFactor(factorStatusOf(deps, db, actor.userId))) requireStepUp(deps, db, actor)
}
