import type { Admin } from '../../domain/access.ts'
import type { DueInput } from '../../domain/payment-plan-due.ts'
import type { Deps } from '../kernel/deps.ts'
import type { DueView } from './presenter.ts'

/** What is due of signed, booked stays up to 30 days ahead, with sums and this list's notices (PLAN-35). */
export function listDue(_deps: Deps, _actor: Admin, _input: DueInput): DueView {
  throw new Error('not built yet')
}
