import type { Db, Tx } from '../../../db/open.ts'
import type { SignedIn } from '../../domain/access.ts'
import { safetyMessages } from '../../domain/account-safety-messages.ts'
import { AppError } from '../../domain/errors.ts'
import { hasSecondFactor } from '../../domain/factor.ts'
import { missingStepUp, stepUpMethods } from '../../domain/step-up.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { findProof } from '../sessions/session-proof.ts'
import { factorStatusOf } from './factor-status.ts'

/**
 * Requires a step-up of the session in the last ten minutes (SAFE-16). Call it before changing anything or calling a
 * provider.
 * @throws AppError forbidden with the possible methods
 */
export function requireStepUp(
  deps: Pick<Deps, 'clock' | 'config' | 'key'>,
  db: Pick<Db | Tx, 'select'>,
  actor: SignedIn,
): void {
  const factorStatus = factorStatusOf(deps, db, actor.userId)
  const session = findProof(db, actor.sessionId)
  const stepUp = session ? missingStepUp(factorStatus, session, nowIso(deps)) : stepUpMethods(factorStatus)
  if (stepUp) throw new AppError('forbidden', safetyMessages.stepUp, { stepUp })
}

/**
 * Like `requireStepUp`, for a form that has a field for the current password, which is enough without a factor.
 * @throws AppError forbidden with the possible methods
 */
export function requireStepUpIfProtected(...[deps, db, actor]: Parameters<typeof requireStepUp>): void {
  if (hasSecondFactor(factorStatusOf(deps, db, actor.userId))) requireStepUp(deps, db, actor)
}
