import type { z } from 'zod'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import type { recoveryCodesResponse } from '../../../domain/accounts/account-safety-form.ts'
import { safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { hasSecondFactor } from '../../../domain/accounts/factor.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { findUser } from '../sessions/users.ts'
import { factorStatusOf } from './factor-status.ts'
import { mailFactorChange } from './notifications.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { requireStepUp } from './step-up.ts'

/**
 * Creates a new set of recovery codes for the caller, which voids the previous set.
 * @throws AppError forbidden without a step-up; conflict for an account without a factor
 */
export async function makeRecoveryCodes(
  deps: Deps,
  actor: SignedIn,
): Promise<z.infer<typeof recoveryCodesResponse>> {
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const at = nowIso(deps)
    const user = findUser(tx, actor.userId)
    if (!user || !hasSecondFactor(factorStatusOf(deps, tx, actor.userId)))
      throw new AppError('conflict', safetyMessages.noFactor)
    mailFactorChange(tx, at, actor, user, { change: 'recovery-codes', label: null, isOn: true })
    return { recoveryCodes: replaceRecoveryCodes(tx, at, actor, user.id) }
  })
}
