import { and, eq, gt, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import {
  applications,
  installments,
  isBookedRow,
  leases,
  paymentPlans,
  payments,
  users,
} from '../../../db/schema.ts'
import { type CalendarDate, dateIn } from '../../domain/common/dates.ts'
import type { LateFee } from '../../domain/money/payment-plan.ts'
import { type PlanInstallment, planInstallments, planMoney } from '../../domain/money/payment-plan-state.ts'
import { isLeaseInForce } from '../bookings/records.ts'
import { cachedUntilWrite } from '../kernel/cached-until-write.ts'
import { type Deps, todayAt } from '../kernel/deps.ts'
import { currentSite } from '../site/content/published.ts'
import { byApplication, chargedDeposits, isOneOf, ledgersOf } from './records.ts'

/** The plan of a signed, booked stay that may have unpaid installments, computed as of today. */
export type UnpaidPlan = {
  applicationId: string
  applicationNumber: string
  tenantName: string
  /** The email of the tenant's account. */
  email: string
  /** The first signature as in `dueSince`, UTC ISO string. */
  signedAt: string
  lateFee: LateFee | null
  installments: PlanInstallment[]
}

/**
 * The plans of all signed, booked stays that may have something unpaid, each equal to `planStateOf`. Runs a fixed,
 * small number of queries, and none while nothing has changed.
 */
export function unpaidPlans(deps: Deps): readonly UnpaidPlan[] {
  const { timeZone } = currentSite(deps)
  const today = todayAt(deps)
  // The mail scheduler and the notice board read this more often than anything changes.
  return cachedUntilWrite(deps, `unpaid plans ${today} ${timeZone}`, () =>
    readUnpaidPlans(deps.db, today, timeZone),
  )
}

function readUnpaidPlans(db: Db, today: CalendarDate, timeZone: string): UnpaidPlan[] {
  const plans = plansToPay(db)
  if (plans.length === 0) return []
  const ids = plans.map(({ applicationId }) => applicationId)
  const ledgers = ledgersOf(db, ids)
  const live = byApplication(liveInstallmentsOf(db, ids))
  const deposits = chargedDeposits(db, ids)
  return plans.map(({ firstName, lastName, owedCents, ...plan }) => {
    const { applicationId, signedAt } = plan
    const depositCents = deposits.get(applicationId) ?? 0
    const money = planMoney({ owedCents, depositCents, rows: ledgers.get(applicationId) ?? [] })
    const day = { today, signedOn: dateIn(new Date(signedAt), timeZone) }
    return {
      ...plan,
      tenantName: `${firstName} ${lastName}`,
      installments: planInstallments(live.get(applicationId) ?? [], money, day),
    }
  })
}

/**
 * Signed plans with less paid than owed. A returned deposit may be included; `planMoney` does not make it due again.
 */
function plansToPay(db: Db) {
  const counted = and(
    isNull(payments.voidedAt),
    eq(payments.status, 'succeeded'),
    ne(payments.type, 'deduction'),
    sql`${payments.applicationId} in (select ${paymentPlans.applicationId} from ${paymentPlans})`,
  )
  const paid = db
    .select({
      applicationId: payments.applicationId,
      cents: sql<number>`sum(${payments.amountCents} - ${payments.refundedAmountCents})`.as('cents'),
      movedCents: sql<number>`max(iif(${payments.method} = 'transfer', ${payments.amountCents}, 0))`.as(
        'moved_cents',
      ),
    })
    .from(payments)
    .where(counted)
    .groupBy(payments.applicationId)
    .as('paid')
  const signedAt = sql`max(${leases.signedAt}, ${leases.generatedAt})`
  return db
    .select({
      applicationId: applications.id,
      applicationNumber: applications.number,
      firstName: applications.firstName,
      lastName: applications.lastName,
      email: users.email,
      owedCents: applications.totalCents,
      signedAt: sql<string>`min(${signedAt}, coalesce(${leases.firstSignedAt}, ${signedAt}))`,
      lateFee: paymentPlans.lateFee,
    })
    .from(paymentPlans)
    .innerJoin(applications, eq(applications.id, paymentPlans.applicationId))
    .innerJoin(users, eq(users.id, applications.userId))
    .innerJoin(leases, isLeaseInForce)
    .leftJoin(paid, eq(paid.applicationId, applications.id))
    .where(
      and(
        isBookedRow,
        isNotNull(leases.signedAt),
        // What was moved here may be missing where it came from.
        or(gt(applications.totalCents, sql`coalesce(${paid.cents}, 0)`), sql`${paid.movedCents} > 0`),
      ),
    )
    .all()
}

function liveInstallmentsOf(db: Db, ids: readonly string[]) {
  const { applicationId, supersededAt } = installments
  return db
    .select()
    .from(installments)
    .where(and(isOneOf(applicationId, ids), isNull(supersededAt)))
    .all()
}
