import type { Db } from '../../../db/open.ts'
import type { SignedIn } from '../../domain/accounts/access.ts'
import { isEnded } from '../../domain/bookings/application-status.ts'
import { visibleLines } from '../../domain/money/charge.ts'
import { depositCreditedCents, endedSums, keptForBillCents } from '../../domain/money/ledger.ts'
import type { LateFee } from '../../domain/money/payment-plan.ts'
import { proposedLateFee } from '../../domain/money/payment-plan-change.ts'
import { portionsOf } from '../../domain/money/payment-plan-charges.ts'
import { type PlanInstallment, planPay, planTotals } from '../../domain/money/payment-plan-state.ts'
import {
  type ApplicationRecord,
  type ApplicationRow,
  getApplicationRecord,
  getApplicationRow,
  isSigned,
} from '../bookings/records.ts'
import type { Deps } from '../kernel/deps.ts'
import { view } from '../kernel/view.ts'
import { paymentMethodsOf } from './methods.ts'
import {
  activeCharges,
  allCharges,
  type ChargeRow,
  decidedLateFees,
  moneyOf,
  type PlanState,
  planStateOf,
} from './records.ts'
import { toldClaimOf } from './statements.ts'
import {
  type AdminChargeView,
  adminChargeView,
  type ChargeSummary,
  type ChargeView,
  chargeView,
  type PlanView,
  toListedInstallment,
} from './views.ts'

/**
 * The charges of an application, except charges of $0.00, with what is owed and paid. The owner also sees voided ones.
 * @throws AppError not_found like `getApplicationRow`
 */
export function listCharges(
  { db }: Deps,
  actor: SignedIn,
  applicationId: string,
): { charges: (ChargeView | AdminChargeView)[]; summary: ChargeSummary } {
  const application = getApplicationRow(db, actor, applicationId)
  const summary = summaryOf(db, application, actor.role === 'tenant')
  const asOwed = (row: ChargeRow): ChargeRow =>
    row.source === 'cancellation' && row.voidedAt === null ? { ...row, amountCents: summary.owedCents } : row
  const charges =
    actor.role === 'admin'
      ? visibleLines(allCharges(db, applicationId).map(asOwed)).map(row => view(adminChargeView, row))
      : visibleLines(activeCharges(db, applicationId).map(asOwed)).map(row => view(chargeView, row))
  return { charges, summary }
}

/**
 * Owed, paid and balance in cents, and the deposit charged, credited, returned and due (CHG-27); of one that has ended as
 * the owner claims it, or as the tenant was told.
 */
export function summaryOf(db: Db, application: ApplicationRow, isTenant = false): ChargeSummary {
  const { balance, depositCents, depositDueCents, rows } = moneyOf(db, application)
  const { balanceCents, depositReturnedCents, label, owedCents, paidCents } = balance
  const keptCents = keptForBillCents(rows)
  const { status } = application
  return {
    owedCents,
    paidCents,
    balanceCents,
    label,
    depositCents,
    depositCreditedCents: depositCreditedCents(rows),
    depositReturnedCents,
    depositDueCents,
    ...(keptCents > 0 && { keptForBillCents: keptCents }),
    ...(isEnded(status) && {
      ended: endedSums(
        rows,
        status === 'cancelled' ? owedCents : 0,
        toldClaimOf(db, application.id, isTenant),
      ),
    }),
  }
}

/**
 * The payment plan of an application, with the paid, open and due amounts as of today.
 * @throws AppError not_found like `getApplicationRecord`
 */
export function showPlan(deps: Deps, actor: SignedIn, applicationId: string): PlanView {
  return planViewIn(deps, deps.db, actor, applicationId)
}

/** The plan inside a transaction, to return after a change. @throws AppError not_found like `getApplicationRecord` */
export function planViewIn(deps: Deps, db: Db, actor: SignedIn, applicationId: string): PlanView {
  const record = getApplicationRecord(db, actor, applicationId)
  const methods = paymentMethodsOf(deps)
  // Of a cancelled stay nothing is to be paid: its installments wait unseen until it is reinstated (CHANGE-12).
  const state = record.application.status === 'cancelled' ? undefined : planStateOf(deps, db, record)
  if (!state) return { plan: null, instalments: [], totals: planTotals([]), pay: null, methods }
  const { installments, money, plan } = state
  const proposed = actor.role === 'admin' ? lateFeesOf(db, record, state) : new Map<string, number>()
  const portions = leasePortions(db, applicationId, installments)
  return {
    plan: {
      kind: plan.kind,
      version: plan.version,
      frozen: isSigned(record.lease),
      lateFee: plan.lateFee,
    },
    instalments: installments.map(row => ({
      ...toListedInstallment(row, proposed.get(row.id) ?? null),
      portions: portions.get(row.id) ?? [],
    })),
    totals: planTotals(installments),
    pay: isEnded(record.application.status) ? null : planPay(installments, money),
    methods,
  }
}

/** The proposed late fees in cents, by installment id (PLAN-32). */
function lateFeesOf(db: Db, record: ApplicationRecord, state: PlanState): Map<string, number> {
  const lateFee = lateFeeRuleOf(record, state)
  if (lateFee === null) return new Map()
  const decided = decidedLateFees(db, record.application.id)
  return new Map(
    state.installments.flatMap(row => {
      const cents = proposedLateFee(lateFee, row, decided.has(row.id))
      return cents === null ? [] : [[row.id, cents] as const]
    }),
  )
}

/** The late fee rule of an application; null for none, and for a declined or cancelled application. */
export function lateFeeRuleOf({ application }: ApplicationRecord, { plan }: PlanState): LateFee | null {
  return isEnded(application.status) ? null : plan.lateFee
}

/** The portions of the lease's installments by installment id; charges of $0.00 are not listed (PLAN-12). */
function leasePortions(db: Db, applicationId: string, installments: readonly PlanInstallment[]) {
  const rows = installments.filter(({ kind }) => kind === 'lease')
  const charges = visibleLines(activeCharges(db, applicationId)).filter(
    ({ kind, source }) => source === 'lease' && kind !== 'deposit',
  )
  const portions = portionsOf(rows, charges)
  return new Map(rows.map(({ id }, i) => [id, portions[i] ?? []]))
}
