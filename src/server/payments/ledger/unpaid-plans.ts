import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db, Tx } from '../../../../db/open.ts'
import {
  applications,
  charges,
  instalments,
  isBookedRow,
  leases,
  paymentPlans,
  payments,
} from '../../../../db/schema.ts'
import { dateIn } from '../../../domain/dates.ts'
import { type LedgerRow, paidCents } from '../../../domain/ledger.ts'
import type { Instalment, LateFee } from '../../../domain/payment-plan.ts'
import { type PlanInstalment, planInstalments, planMoney } from '../../../domain/payment-plan-state.ts'
import { isLeaseInForce } from '../../bookings/records.ts'
import { currentSite } from '../../content/current-site.ts'
import type { Deps } from '../../kernel/deps.ts'

type ReadDb = Pick<Db | Tx, 'select'>

/** The plan of a signed, booked stay that may have something unpaid, filled as of today. */
export type UnpaidPlan = {
  applicationId: string
  applicationNumber: string
  tenantName: string
  /** UTC ISO. */
  signedAt: string
  lateFee: LateFee | null
  instalments: PlanInstalment[]
}

/**
 * The plans of all signed, booked stays of which something may be unpaid, as `planStateOf` has each of them. A few
 * queries in all, however many there are.
 */
export function unpaidPlans(deps: Pick<Deps, 'clock' | 'config' | 'words'>, db: ReadDb): UnpaidPlan[] {
  const { timeZone } = currentSite(deps)
  const today = dateIn(deps.clock.now(), timeZone)
  const signed = signedPlans(db)
  if (signed.length === 0) return []
  const ledgers = byApplication(ledgerRows(db, signed))
  const rowsOf = (applicationId: string) => ledgers.get(applicationId) ?? []
  // What was paid in full needs no closer look: money that went back is in the sum.
  const unpaid = signed.filter(plan => paidCents(rowsOf(plan.applicationId)) < plan.owedCents)
  const deposits = new Map(depositSums(db, unpaid).map(({ applicationId, cents }) => [applicationId, cents]))
  const live = byApplication(instalmentRows(db, unpaid))
  return unpaid.map(({ firstName, lastName, owedCents, ...plan }) => {
    const { applicationId, signedAt } = plan
    const depositCents = deposits.get(applicationId) ?? 0
    const money = planMoney({ owedCents, depositCents, rows: rowsOf(applicationId) })
    const day = { today, signedOn: dateIn(new Date(signedAt), timeZone) }
    return {
      ...plan,
      tenantName: `${firstName} ${lastName}`,
      instalments: planInstalments(live.get(applicationId) ?? [], money, day),
    }
  })
}

type SignedPlan = ReturnType<typeof signedPlans>[number]

function signedPlans(db: ReadDb) {
  return db
    .select({
      applicationId: applications.id,
      applicationNumber: applications.number,
      firstName: applications.firstName,
      lastName: applications.lastName,
      owedCents: applications.totalCents,
      signedAt: sql<string>`${leases.signedAt}`,
      lateFee: paymentPlans.lateFee,
    })
    .from(paymentPlans)
    .innerJoin(applications, eq(applications.id, paymentPlans.applicationId))
    .innerJoin(leases, isLeaseInForce)
    .where(and(isBookedRow, isNotNull(leases.signedAt)))
    .all()
}

function ledgerRows(db: ReadDb, plans: readonly SignedPlan[]): (LedgerRow & { applicationId: string })[] {
  return db
    .select({
      applicationId: sql<string>`${payments.applicationId}`,
      type: payments.type,
      method: payments.method,
      status: payments.status,
      amountCents: payments.amountCents,
      feeCents: payments.feeCents,
      refundedAmountCents: payments.refundedAmountCents,
      refundedFeeCents: payments.refundedFeeCents,
      lostAmountCents: payments.lostAmountCents,
      paidAt: payments.paidAt,
      voidedAt: payments.voidedAt,
    })
    .from(payments)
    .where(and(isOneOf(payments.applicationId, plans), isNull(payments.voidedAt)))
    .all()
}

/** The deposit that is charged, as `chargedDepositCents` has it. */
function depositSums(db: ReadDb, plans: readonly SignedPlan[]) {
  const { applicationId, amountCents, kind, voidedAt } = charges
  return db
    .select({ applicationId, cents: sql<number>`sum(${amountCents})` })
    .from(charges)
    .where(and(isOneOf(applicationId, plans), isNull(voidedAt), eq(kind, 'deposit')))
    .groupBy(applicationId)
    .all()
}

function instalmentRows(
  db: ReadDb,
  plans: readonly SignedPlan[],
): (Instalment & { applicationId: string })[] {
  const { amountCents, applicationId, chargeId, createdAt, dueDate, id, kind, label, position, waivedAt } =
    instalments
  return db
    .select({ applicationId, id, position, kind, chargeId, label, amountCents, dueDate, createdAt, waivedAt })
    .from(instalments)
    .where(and(isOneOf(applicationId, plans), isNull(instalments.supersededAt)))
    .all()
}

/** One parameter for all ids: there may be more of them than a statement takes. */
const isOneOf = (column: SQLiteColumn, plans: readonly SignedPlan[]): SQL =>
  sql`${column} in (select value from json_each(${JSON.stringify(plans.map(plan => plan.applicationId))}))`

function byApplication<Row extends { applicationId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, ({ applicationId }) => applicationId)
}
