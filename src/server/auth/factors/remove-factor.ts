import { and, eq, isNotNull } from 'drizzle-orm'
import { userFactors } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { hasSecondFactor, keepsRecoveryCodes } from '../../../domain/accounts/factor.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { findUser } from '../sessions/users.ts'
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
    if (!factor || !user) throw new AppError('not_found', safetyMessages.factorNotFound)
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
