import type { SignedIn } from '../../domain/access.ts'
import type { Deps } from '../kernel/deps.ts'
import type { PlanView } from './presenter.ts'

/**
 * The payment plan of an application, with what is paid, open and due as of today.
 * @throws AppError not_found as `loadRecord`
 */
export function showPlan(_deps: Deps, _actor: SignedIn, _applicationId: string): PlanView {
  throw new Error('not built yet')
}
