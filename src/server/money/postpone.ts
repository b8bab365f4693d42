import type { Admin } from '../../domain/accounts/access.ts'
import { postpone } from '../../domain/money/payment-plan-change.ts'
import type { PostponeInput } from '../../domain/money/payment-plan-form.ts'
import { touchApplication } from '../bookings/terms.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { replaceInstalment } from './changes.ts'
import { loadSignedInstalment } from './load-instalment.ts'
import { mailPlanChanged } from './plan-mail.ts'
import { planViewIn } from './plan-queries.ts'
import type { PlanView } from './plan-views.ts'

/**
 * Moves the open part of an installment, or some of it, to a later date, and mails the tenant (PLAN-28, PLAN-31).
 * Cents.
 * @throws AppError not_found; conflict before signing, and if the installment was changed, is paid, waived or on its
 * way; bad_request for the date and for more than is open
 */
export function postponeInstalment(
  deps: Deps,
  actor: Admin,
  id: string,
  { reason, ...wanted }: PostponeInput,
): Promise<PlanView> {
  return deps.write(tx => {
    const { instalment, record, row, state } = loadSignedInstalment(deps, tx, actor, id)
    const { application } = record
    const parts = postpone(instalment, wanted, state.day.today)
    const at = nowIso(deps)
    replaceInstalment(tx, at, row, parts, reason)
    touchApplication(tx, at, application.id)
    const amountCents = parts.at(-1)?.amountCents ?? 0
    const { dueDate } = wanted
    recordEvent(tx, at, actor, 'plan.postponed', application.id, {
      instalmentId: id,
      label: row.label,
      amountCents,
      from: instalment.dueDate,
      to: dueDate,
      reason,
    })
    mailPlanChanged(
      deps,
      tx,
      at,
      actor,
      record,
      { change: 'postponed', label: row.label, amountCents, dueDate },
      id,
    )
    return planViewIn(deps, tx, actor, application.id)
  })
}
