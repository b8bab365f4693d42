import type { Admin } from '../../domain/accounts/access.ts'
import { isBooked } from '../../domain/bookings/application-status.ts'
import { AppError } from '../../domain/common/errors.ts'
import { planMessages, planRefusals } from '../../domain/money/payment-plan.ts'
import type { PlanChange } from '../../domain/money/payment-plan-form.ts'
import { getSubmittedApplication, isSigned } from '../bookings/records.ts'
import type { Deps } from '../kernel/deps.ts'
import { planViewIn } from '../money/queries.ts'
import { planOf } from '../money/records.ts'
import type { PlanView } from '../money/views.ts'
import { notApprovedMessage, rewriteLease } from './generate.ts'

/**
 * Changes the payment plan of an unsigned lease and generates the lease again. Mails the tenant if the lease's text
 * changed (PLAN-15).
 * @throws AppError not_found if there is no application or no lease; bad_request if the installments do not fit the
 * lease; conflict if the version is outdated, the lease is signed, the application is not approved or completed, or the
 * lease's wording has no place for the plan
 */
export function changePlan(
  deps: Deps,
  actor: Admin,
  applicationId: string,
  { instalments: rows, kind: chosen, version }: PlanChange,
): Promise<PlanView> {
  return deps.write(tx => {
    const { application, lease } = getSubmittedApplication(tx, actor, applicationId)
    if (!lease) throw new AppError('not_found', planRefusals.notGenerated)
    if (isSigned(lease)) throw new AppError('conflict', planRefusals.signed)
    if (!isBooked(application.status)) throw new AppError('conflict', notApprovedMessage)
    if (version !== (planOf(tx, applicationId)?.version ?? 0))
      throw new AppError('conflict', planMessages.stale)
    rewriteLease(deps, tx, actor, applicationId, { chosen, rows })
    return planViewIn(deps, tx, actor, applicationId)
  })
}
