import { and, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { userFactors } from '../../../../db/schema.ts'
import type { Actor, SignedIn, System } from '../../../domain/accounts/access.ts'
import { safetyAnswers } from '../../../domain/accounts/account-safety-messages.ts'
import { hasSecondFactor, keepsRecoveryCodes } from '../../../domain/accounts/factor.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { endSessionsWithNotice } from '../sessions/sessions.ts'
import { findUser, findUserByEmail } from '../sessions/users.ts'
import { endChallengesOf } from './challenges.ts'
import { factorStatusOf } from './factor-status.ts'
import { mailFactorChange } from './notifications.ts'
import { deleteRecoveryCodes } from './recovery-codes.ts'
import { requireStepUp } from './step-up.ts'

/**
 * Removes one of the caller's factors. Removing the last factor also removes the recovery codes.
 * @throws AppError forbidden without a step-up; not_found
 */
export async function removeFactor(deps: Deps, actor: SignedIn, id: string): Promise<void> {
  await deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const at = nowIso(deps)
    const isOwn = and(
      eq(userFactors.id, id),
      eq(userFactors.userId, actor.userId),
      isNotNull(userFactors.confirmedAt),
    )
    const factor = tx.delete(userFactors).where(isOwn).returning().get()
    const user = findUser(tx, actor.userId)
    if (!factor || !user) throw new AppError('not_found', safetyAnswers.factorNotFound)
    const factorStatus = factorStatusOf(deps, tx, user.id)
    if (!keepsRecoveryCodes(factorStatus)) deleteRecoveryCodes(tx, user.id)
    recordEvent(tx, at, actor, 'account.factor_removed', user.id, { kind: factor.kind })
    mailFactorChange(tx, at, actor, user, {
      change: `${factor.kind}-removed`,
      label: factor.label,
      isOn: hasSecondFactor(factorStatus),
    })
  })
}

/**
 * Removes all factors and recovery codes of an account and ends its sessions (SAFE-11). Only for the command line.
 * @throws AppError not_found when nobody has this email
 */
export async function resetFactors(deps: Deps, actor: System, email: string): Promise<void> {
  await deps.write(tx => {
    const at = nowIso(deps)
    const user = findUserByEmail(tx, email)
    if (!user) throw new AppError('not_found', 'No account uses this email address.')
    removeAllFactors(tx, at, actor, user.id)
    endSessionsWithNotice(tx, at, user.id)
    mailFactorChange(tx, at, actor, user, { change: 'reset', label: null, isOn: false })
  })
}

/** Removes all factors and recovery codes of an account, in the caller's transaction. */
export function removeAllFactors(tx: Tx, at: string, actor: Actor | System, userId: string): void {
  const removed = tx.delete(userFactors).where(eq(userFactors.userId, userId)).run().changes
  deleteRecoveryCodes(tx, userId)
  endChallengesOf(tx, at, userId)
  recordEvent(tx, at, actor, 'account.factors_reset', userId, { removed })
}
