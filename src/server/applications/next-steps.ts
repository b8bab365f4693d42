import { and, eq } from 'drizzle-orm'
import { cancellations } from '../../../db/schema.ts'
import { isBooked, isEnded } from '../../domain/bookings/application-status.ts'
import { type NextStep, type NextStepSource, nextStep } from '../../domain/bookings/next-step.ts'
import { claimStep } from '../../domain/money/deposit-case.ts'
import { balance, unpaidDepositCents } from '../../domain/money/ledger.ts'
import { byDueDate } from '../../domain/money/payment-plan.ts'
import { dueRows, dueTotals } from '../../domain/money/payment-plan-due.ts'
import { planMoney, planTotals } from '../../domain/money/payment-plan-state.ts'
import { type ApplicationRecord, bookedStayOf, isSigned, needsLease, signingOf } from '../bookings/records.ts'
import { type AdminApplicationView, presentListForAdmin } from '../bookings/views.ts'
import { type Deps, todayAt } from '../kernel/deps.ts'
import { leftToReturn } from '../money/accounts.ts'
import { claimsOf, readDeposit } from '../money/deposits/records.ts'
import { chargedDeposits, isOneOf, ledgersOf, planStateOf } from '../money/records.ts'
import { toldClaims } from '../money/statements.ts'
import { type UnpaidPlan, unpaidPlans } from '../money/unpaid-plans.ts'

export type ListedApplication = AdminApplicationView & { nextStep: NextStep | null }

/** Applications as the admin sees them, each with its next step. */
export function presentWithNextSteps(deps: Deps, records: ApplicationRecord[]): ListedApplication[] {
  const moneyOf = readMoney(deps, records)
  const steps = nextStepsOf(deps, records, moneyOf)
  const isWithout = (record: ApplicationRecord) => !needsLease(record, () => moneyOf(record).balanceCents)
  const withoutLease = new Set(records.filter(isWithout).map(({ application }) => application.id))
  return presentListForAdmin(deps.db, records).map(view => ({
    ...view,
    ...(withoutLease.has(view.id) && { withoutLease: true }),
    nextStep: steps.get(view.id) ?? null,
  }))
}

/**
 * What has to happen next with applications, as of today, by their ids (LOOK-17). Takes a few queries for all of them,
 * and some more for each that was completed unsigned or has a claim on its deposit.
 */
export function nextStepsOf(
  deps: Deps,
  records: readonly ApplicationRecord[],
  moneyOf = readMoney(deps, records),
): Map<string, NextStep | null> {
  const today = todayAt(deps)
  const asking = askingToCancel(deps, records)
  return new Map(
    records.map(record => {
      const { application, lease } = record
      const stay = bookedStayOf(application)
      const { missing, own } = signingOf(record)
      const waitsFor = own > 0 && missing !== null ? missing : undefined
      const signing = lease && { isSigned: isSigned(lease), waitsFor }
      const { status } = application
      const money = moneyOf(record)
      const withoutLease = !needsLease(record, () => money.balanceCents)
      const asksToCancel = asking.has(application.id)
      return [
        application.id,
        nextStep({ status, withoutLease, asksToCancel, lease: signing, stay, ...money }, today),
      ]
    }),
  )
}

/**
 * What bookings have yet to bring, money on its way included (LOOK-83), and the part of it that is not in the list of due
 * payments (PLAN-35); in cents.
 */
export function toReceive(deps: Deps, records: readonly ApplicationRecord[]) {
  const moneyOf = readMoney(deps, records)
  const listed = Map.groupBy(
    dueRows(unpaidPlans(deps), todayAt(deps)),
    ({ booking }) => booking.applicationId,
  )
  const sums = { toReceiveCents: 0, notListedCents: 0 }
  for (const record of records) {
    const { balanceCents } = moneyOf(record)
    const rows = listed.get(record.application.id) ?? []
    const totals = dueTotals(rows.map(({ installment }) => installment))
    const listedCents = Object.values(totals).reduce((sum, cents) => sum + cents, 0)
    sums.toReceiveCents += Math.max(0, balanceCents)
    sums.notListedCents += Math.max(0, balanceCents - listedCents)
  }
  return sums
}

/** The money of booked, declined and cancelled applications, in cents; not loaded for others. */
function readMoney(deps: Deps, records: readonly ApplicationRecord[]) {
  const hasMoney = ({ application: { status } }: ApplicationRecord) => isBooked(status) || isEnded(status)
  const ids = records.filter(hasMoney).map(({ application }) => application.id)
  const isAsked = ids.length > 0
  const ledgers: ReturnType<typeof ledgersOf> = isAsked ? ledgersOf(deps.db, ids) : new Map()
  const deposits = isAsked ? chargedDeposits(deps.db, ids) : new Map<string, number>()
  const told = toldClaims(
    deps.db,
    records.flatMap(({ application: { id, status } }) => (isEnded(status) ? id : [])),
  )
  const claims = isAsked ? claimsOf(deps.db, ids) : new Map<string, number>()
  const plans = new Map((isAsked ? unpaidPlans(deps) : []).map(plan => [plan.applicationId, plan]))
  return (record: ApplicationRecord) => {
    const { application } = record
    const { id, totalCents: owedCents } = application
    const [rows, depositCents] = [ledgers.get(id) ?? [], deposits.get(id) ?? 0]
    // What the provider was asked to refund is on its way; what the owner gives back by hand is still to be done.
    const left = leftToReturn(application, rows, told.get(id))
    const { balanceCents, onItsWay } = planMoney({ owedCents, depositCents, rows })
    const overpaid = balance({ owedCents, depositCents, rows: left.rows })
    const plan = plans.get(id) ?? unsignedPlan(deps, record)
    return {
      owedCents,
      balanceCents: balanceCents < 0 ? Math.min(0, overpaid.balanceCents) : balanceCents,
      onItsWayCents: onItsWay.depositCents + onItsWay.otherCents,
      overdueCents: planTotals(plan?.installments ?? []).overdueCents,
      plan: plan && { dueCents: planTotals(plan.installments).dueCents, next: nextOf(plan) },
      depositOpenCents: unpaidDepositCents(depositCents, rows),
      depositFreeCents: left.depositCents - (claims.get(id) ?? 0),
      toReturnCents: left.toReturnCents,
      claim: claims.get(id) ? claimOf(deps, record) : undefined,
    }
  }
}

/** The booked applications whose tenant asked to cancel and waits for an answer. */
function askingToCancel({ db }: Deps, records: readonly ApplicationRecord[]): Set<string> {
  const ids = records.flatMap(({ application: { id, status } }) => (isBooked(status) ? [id] : []))
  if (ids.length === 0) return new Set()
  const { applicationId, state } = cancellations
  const isAsked = and(isOneOf(applicationId, ids), eq(state, 'requested'))
  const rows = db.select({ applicationId }).from(cancellations).where(isAsked).all()
  return new Set(rows.map(row => row.applicationId))
}

function claimOf(deps: Deps, record: ApplicationRecord): NextStepSource['claim'] {
  const facts = readDeposit(deps, deps.db, record)?.facts
  const kind = facts && claimStep(facts)
  return kind && { kind, amountCents: facts.claimedCents }
}

/** The plan of a booking that was completed before its lease was signed: unpaid plans only include signed leases. */
const unsignedPlan = (deps: Deps, record: ApplicationRecord) =>
  record.application.status === 'completed' && record.lease && !isSigned(record.lease)
    ? planStateOf(deps, deps.db, record)
    : undefined

/** The first that is open; without a date where it is due at signing. */
function nextOf({ installments }: Pick<UnpaidPlan, 'installments'>) {
  const [next] = installments.filter(({ openCents }) => openCents > 0).toSorted(byDueDate)
  return next ? { amountCents: next.openCents, dueDate: next.dueDate ?? undefined } : null
}
