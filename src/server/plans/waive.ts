import type { Admin } from '../../domain/access.ts'
import type { Deps } from '../kernel/deps.ts'
import type { PlanView } from './presenter.ts'

/** Takes the open part of an instalment out of what is owed (PLAN-29). @throws AppError */
export function waiveInstalment(_deps: Deps, _actor: Admin, _id: string, _reason: string): Promise<PlanView> {
  throw new Error('not built yet')
}
