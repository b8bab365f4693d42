import type { Admin } from '../../domain/access.ts'
import type { PostponeInput } from '../../domain/payment-plan-form.ts'
import type { Deps } from '../kernel/deps.ts'
import type { PlanView } from './presenter.ts'

/** Moves the open part of an instalment, or some of it, to a later date (PLAN-28). @throws AppError */
export function postponeInstalment(
  _deps: Deps,
  _actor: Admin,
  _id: string,
  _input: PostponeInput,
): Promise<PlanView> {
  throw new Error('not built yet')
}
