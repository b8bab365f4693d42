import { overdueNotice } from '../../domain/money/payment-plan-due.ts'
import type { DueView } from './plan-views.ts'
import type { UnpaidPlan } from './unpaid-plans.ts'

export type PlanNotice = DueView['notices'][number]

/** The board's notices about stays with an installment overdue beyond the grace period (PLAN-36). */
export function overdueNotices(plans: readonly UnpaidPlan[]): (PlanNotice & { applicationId: string })[] {
  return plans.flatMap(plan => {
    const notice = overdueNotice(plan, plan.instalments, plan.lateFee)
    if (!notice) return []
    const { id, title } = notice
    const detail = `${plan.tenantName} has not paid it. In the application you can postpone it, waive it or charge a late fee.`
    return [{ id, tone: 'danger', title, detail, at: null, applicationId: plan.applicationId }]
  })
}
