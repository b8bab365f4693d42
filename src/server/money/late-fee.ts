import type { Tx } from '../../../db/open.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { chargedLateFee } from '../../domain/money/payment-plan-change.ts'
import { planMessages } from '../../domain/money/payment-plan-messages.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { insertLaterCharge } from './add-charge.ts'
import { decideLateFee } from './changes.ts'
import { type LoadedInstalment, loadInstalment } from './load-instalment.ts'
import { lateFeeRuleOf, planViewIn } from './plan-queries.ts'
import { decidedLateFees } from './plan-records.ts'
import type { PlanView } from './plan-views.ts'

/**
 * Charges the proposed late fee of an installment, or less, in cents, and mails the tenant as for any later charge
 * (PLAN-33).
 * @throws AppError not_found; conflict if none is proposed, one was charged or dismissed, or the installment was
 * changed; bad_request for more than is proposed
 */
export function chargeLateFee(
  deps: Deps,
  actor: Admin,
  id: string,
  amountCents: number | undefined,
): Promise<PlanView> {
  return deps.write(tx => {
    const { cents, record, row } = loadProposed(deps, tx, actor, id, amountCents)
    const charge = insertLaterCharge(
      deps,
      tx,
      actor,
      record,
      { kind: 'late_fee', label: planMessages.lateFee(row.label), amountCents: cents, taxable: false },
      'plan',
    )
    const at = nowIso(deps)
    decideLateFee(tx, at, actor, id, charge.id)
    recordEvent(tx, at, actor, 'plan.late_fee_charged', row.applicationId, {
      instalmentId: id,
      chargeId: charge.id,
      label: row.label,
      amountCents: cents,
    })
    return planViewIn(deps, tx, actor, row.applicationId)
  })
}

/**
 * Dismisses the late fee of an installment for good (PLAN-34).
 * @throws AppError not_found; conflict as for charging it
 */
export function dismissLateFee(deps: Deps, actor: Admin, id: string): Promise<PlanView> {
  return deps.write(tx => {
    const { cents, row } = loadProposed(deps, tx, actor, id)
    const at = nowIso(deps)
    decideLateFee(tx, at, actor, id, null)
    recordEvent(tx, at, actor, 'plan.late_fee_dismissed', row.applicationId, {
      instalmentId: id,
      label: row.label,
      proposedCents: cents,
    })
    return planViewIn(deps, tx, actor, row.applicationId)
  })
}

/** The installment and the late fee to charge for it. @throws AppError like `chargeLateFee` */
function loadProposed(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  id: string,
  amountCents?: number,
): LoadedInstalment & { cents: number } {
  const loaded = loadInstalment(deps, tx, actor, id)
  const { instalment, record, state } = loaded
  const isDecided = decidedLateFees(tx, record.application.id).has(id)
  return {
    ...loaded,
    cents: chargedLateFee(lateFeeRuleOf(record, state), instalment, isDecided, amountCents),
  }
}
