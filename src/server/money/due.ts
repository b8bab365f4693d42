import { lateFees } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { dateIn } from '../../domain/common/dates.ts'
import { proposedLateFee } from '../../domain/money/payment-plan-change.ts'
import { type DueInput, dueRows, dueTotals, isInFilter } from '../../domain/money/payment-plan-due.ts'
import type { PlanInstalment } from '../../domain/money/payment-plan-state.ts'
import type { Deps } from '../kernel/deps.ts'
import { currentSite } from '../site/content/current-site.ts'
import { listBankNotices } from './bank-notices.ts'
import { overdueNotices } from './notices.ts'
import { type DueView, toListedInstalment } from './plan-views.ts'
import { type UnpaidPlan, unpaidPlans } from './unpaid-plans.ts'

/** The due installments of signed, booked stays up to 30 days ahead, with totals and this list's notices (PLAN-35). */
export function listDue(deps: Deps, _actor: Admin, { limit, page, state }: DueInput): DueView {
  const plans = unpaidPlans(deps)
  const all = dueRows(plans, dateIn(deps.clock.now(), currentSite(deps).timeZone))
  const filtered = state ? all.filter(({ instalment }) => isInFilter(state, instalment.state)) : all
  const decided = new Set(
    deps.db
      .select({ id: lateFees.instalmentId })
      .from(lateFees)
      .all()
      .map(({ id }) => id),
  )
  return {
    instalments: filtered
      .slice((page - 1) * limit, page * limit)
      .map(({ booking, instalment }) => toDueRow(booking, instalment, decided.has(instalment.id))),
    totals: dueTotals(all.map(({ instalment }) => instalment)),
    total: filtered.length,
    notices: [...listBankNotices(deps), ...overdueNotices(plans)].map(({ at, detail, id, title, tone }) => ({
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
  instalment: PlanInstalment,
  lateFeeIsDecided: boolean,
): DueView['instalments'][number] {
  const proposedCents = proposedLateFee(lateFee, instalment, lateFeeIsDecided)
  return { ...toListedInstalment(instalment, proposedCents), applicationId, applicationNumber, tenantName }
}
