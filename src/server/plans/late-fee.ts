import type { Admin } from '../../domain/access.ts'
import type { Deps } from '../kernel/deps.ts'
import type { PlanView } from './presenter.ts'

/** Charges the proposed late fee of an instalment, or less, in cents (PLAN-33). @throws AppError */
export function chargeLateFee(
  _deps: Deps,
  _actor: Admin,
  _id: string,
  _amountCents: number | undefined,
): Promise<PlanView> {
  throw new Error('not built yet')
}

/** Decides against the late fee of an instalment (PLAN-34). @throws AppError */
export function dismissLateFee(_deps: Deps, _actor: Admin, _id: string): Promise<PlanView> {
  throw new Error('not built yet')
}
