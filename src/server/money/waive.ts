import type { Admin } from '../../domain/accounts/access.ts'
import { waive } from '../../domain/money/payment-plan-change.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { touchApplication } from '../bookings/terms.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { markWaived } from './changes.ts'
import { addWaiver } from './later-charge.ts'
import { loadSignedInstalment } from './load-instalment.ts'
import { mailPlanChanged } from './plan-mail.ts'
import { planViewIn } from './plan-queries.ts'
import type { PlanView } from './plan-views.ts'

/**
 * Removes the open part of an installment from what is owed, and mails the tenant (PLAN-29, PLAN-31).
 * @throws AppError forbidden without a step-up; not_found; conflict before signing, for the deposit, while part of it is
 * on its way, and if it was changed, is paid or waived
 */
export function waiveInstalment(deps: Deps, actor: Admin, id: string, reason: string): Promise<PlanView> {
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const { instalment, record, row } = loadSignedInstalment(deps, tx, actor, id)
    const { application } = record
    const left = waive(instalment)
    const at = nowIso(deps)
    const { amountCents, label } = left.charge
    const charge = addWaiver(deps, tx, at, actor, application.id, { instalmentId: id, label, amountCents })
    markWaived(tx, at, id, left.amountCents, reason)
    touchApplication(tx, at, application.id)
    const waivedCents = -amountCents
    recordEvent(tx, at, actor, 'plan.waived', application.id, {
      instalmentId: id,
      chargeId: charge.id,
      label: row.label,
      amountCents: waivedCents,
      reason,
    })
    const change = { change: 'waived' as const, label: row.label, amountCents: waivedCents }
    mailPlanChanged(deps, tx, at, actor, record, change, charge.id)
    return planViewIn(deps, tx, actor, application.id)
  })
}
