import { lateFees } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { proposedLateFee } from '../../domain/money/payment-plan-change.ts'
import {
  type DueInput,
  dueRows,
  dueTotals,
  isInFilter,
  overdueNotice,
} from '../../domain/money/payment-plan-due.ts'
import type { PlanInstallment } from '../../domain/money/payment-plan-state.ts'
import { type Deps, todayAt } from '../kernel/deps.ts'
import { type NoticeCheck, openApplication } from '../kernel/notice.ts'
import { listBankNotices } from './bank-notices.ts'
import { type UnpaidPlan, unpaidPlans } from './unpaid-plans.ts'
import { type DueView, toListedInstallment } from './views.ts'

/** The due installments of signed, booked stays up to 30 days ahead, with totals and notices of the bank (PLAN-35). */
export function listDue(deps: Deps, _actor: Admin, { limit, page, state }: DueInput): DueView {
  const plans = unpaidPlans(deps)
  const all = dueRows(plans, todayAt(deps))
  const filtered = state ? all.filter(({ installment }) => isInFilter(state, installment.state)) : all
  const decided = new Set(
    deps.db
      .select({ id: lateFees.installmentId })
      .from(lateFees)
      .all()
      .map(({ id }) => id),
  )
  return {
    instalments: filtered
      .slice((page - 1) * limit, page * limit)
      .map(({ booking, installment }) => toDueRow(booking, installment, decided.has(installment.id))),
    totals: dueTotals(all.map(({ installment }) => installment)),
    total: filtered.length,
    notices: listBankNotices(deps).map(({ at = null, detail, id, title, tone = 'danger' }) => ({
      id,
      tone,
      title,
      detail,
      at,
    })),
  }
}

function toDueRow(
  { applicationId, applicationNumber, lateFee, tenantName }: UnpaidPlan,
  installment: PlanInstallment,
  lateFeeIsDecided: boolean,
): DueView['instalments'][number] {
  const proposedCents = proposedLateFee(lateFee, installment, lateFeeIsDecided)
  return { ...toListedInstallment(installment, proposedCents), applicationId, applicationNumber, tenantName }
}

/** Stays with an installment overdue beyond the grace period, until it is paid, postponed or waived (PLAN-36). */
export const overduePlans: NoticeCheck = deps =>
  unpaidPlans(deps).flatMap(plan => {
    const notice = overdueNotice(plan, plan.installments, plan.lateFee)
    if (!notice) return []
    const { id, title } = notice
    const detail = `${plan.tenantName} has not paid it. In the application you can postpone it, waive it or charge a late fee.`
    return [{ id, title, detail, action: openApplication(plan.applicationId) }]
  })
