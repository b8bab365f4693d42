import { isBooked } from '../../domain/bookings/application-status.ts'
import { type NextStep, nextStep } from '../../domain/bookings/next-step.ts'
import { depositHeldCents, type LedgerRow } from '../../domain/money/ledger.ts'
import { planMoney, planTotals } from '../../domain/money/payment-plan-state.ts'
import { type ApplicationRecord, bookedStayOf, isSigned } from '../bookings/records.ts'
import { type AdminApplicationView, presentListForAdmin } from '../bookings/views.ts'
import { type Deps, todayAt } from '../kernel/deps.ts'
import { chargedDeposits, ledgersOf } from '../money/records.ts'
import { unpaidPlans } from '../money/unpaid-plans.ts'

export type ListedApplication = AdminApplicationView & { nextStep: NextStep | null }

/** Applications as the admin sees them, each with its next step. */
export function presentWithNextSteps(deps: Deps, records: ApplicationRecord[]): ListedApplication[] {
  const steps = nextStepsOf(deps, records)
  return presentListForAdmin(deps.db, records).map(view => ({
    ...view,
    nextStep: steps.get(view.id) ?? null,
  }))
}

/**
 * What has to happen next with applications, as of today, by their ids (LOOK-17). Takes a few queries in total,
 * regardless of the number of applications, and none if none are booked.
 */
export function nextStepsOf(deps: Deps, records: readonly ApplicationRecord[]): Map<string, NextStep | null> {
  const today = todayAt(deps)
  const moneyOf = readMoney(deps, records)
  return new Map(
    records.map(({ application, lease }) => {
      const stay = bookedStayOf(application)
      const signing = lease && { isSigned: isSigned(lease) }
      const source = { status: application.status, lease: signing, stay, ...moneyOf(application) }
      return [application.id, nextStep(source, today)]
    }),
  )
}

/** What bookings have yet to bring, money on its way included, in cents (LOOK-83). */
export function toReceiveCents(deps: Deps, records: readonly ApplicationRecord[]): number {
  const moneyOf = readMoney(deps, records)
  return records.reduce((sum, { application }) => sum + Math.max(0, moneyOf(application).balanceCents), 0)
}

/** The money of booked applications, in cents; not loaded for others. */
function readMoney(deps: Deps, records: readonly ApplicationRecord[]) {
  const ids = records.flatMap(({ application: { id, status } }) => (isBooked(status) ? [id] : []))
  const isAsked = ids.length > 0
  const ledgers = isAsked ? ledgersOf(deps.db, ids) : new Map<string, LedgerRow[]>()
  const deposits = isAsked ? chargedDeposits(deps.db, ids) : new Map<string, number>()
  const plans = new Map((isAsked ? unpaidPlans(deps) : []).map(plan => [plan.applicationId, plan]))
  return ({ id, totalCents: owedCents }: ApplicationRecord['application']) => {
    const [rows, depositCents] = [ledgers.get(id) ?? [], deposits.get(id) ?? 0]
    const { balanceCents, onItsWay } = planMoney({ owedCents, depositCents, rows })
    return {
      owedCents,
      balanceCents,
      onItsWayCents: onItsWay.depositCents + onItsWay.otherCents,
      overdueCents: planTotals(plans.get(id)?.installments ?? []).overdueCents,
      depositHeldCents: depositHeldCents(rows),
    }
  }
}
