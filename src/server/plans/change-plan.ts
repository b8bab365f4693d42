import type { Admin } from '../../domain/access.ts'
import type { PlanChange } from '../../domain/payment-plan-form.ts'
import type { Deps } from '../kernel/deps.ts'
import type { PlanView } from './presenter.ts'

/**
 * Changes the plan of a lease that is not signed, and writes the lease anew (PLAN-15).
 * @throws AppError not_found before generation; bad_request for rows that do not fit; conflict for another version, and once
 * signed
 */
export function changePlan(
  _deps: Deps,
  _actor: Admin,
  _applicationId: string,
  _change: PlanChange,
): Promise<PlanView> {
  throw new Error('not built yet')
}
