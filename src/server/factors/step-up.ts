import type { Db, Tx } from '../../../db/open.ts'
import type { SignedIn } from '../../domain/access.ts'
import { safetyMessages } from '../../domain/account-safety-messages.ts'
import { AppError } from '../../domain/errors.ts'
import { isProtected } from '../../domain/factor.ts'
import { missingStepUp, stepUpMethods } from '../../domain/step-up.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { findProof } from '../sessions/session-proof.ts'
import { protectionOf } from './protection.ts'

/**
 * Asks for a proof of the last ten minutes that it is the person whose session this is (SAFE-16). Called before
 * anything is changed or a provider is asked.
 * @throws AppError forbidden with the ways to prove it
 */
export function requireStepUp(
  deps: Pick<Deps, 'clock' | 'config' | 'key'>,
  db: Pick<Db | Tx, 'select'>,
  actor: SignedIn,
): void {
  const protection = protectionOf(deps, db, actor.userId)
  const session = findProof(db, actor.sessionId)
  const stepUp = session ? missingStepUp(protection, session, nowIso(deps)) : stepUpMethods(protection)
  if (stepUp) throw new AppError('forbidden', safetyMessages.stepUp, { stepUp })
}

/**
 * The same for a form that asks for the current password itself, which is the proof of an account without a factor.
 * @throws AppError forbidden with the ways to prove it
 */
export function requireStepUpBesidePassword(...[deps, db, actor]: Parameters<typeof requireStepUp>): void {
  if (isProtected(protectionOf(deps, db, actor.userId))) requireStepUp(deps, db, actor)
}
