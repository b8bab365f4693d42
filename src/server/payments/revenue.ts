import { and, eq, gt, gte, isNull, lt, ne, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { payments } from '../../../db/schema.ts'
import { addMonths, type CalendarDate, dateIn } from '../../domain/dates.ts'
import {
  monthsBetween,
  notRevenueTypes,
  type PaymentType,
  type RevenueFigures,
  revenueFigures,
  revenueMonth,
  twelveMonthsStart,
} from '../../domain/ledger.ts'
import type { RevenueInput } from '../../domain/payment.ts'
import { startOfDateIn } from '../../domain/zoned-time.ts'
import type { Deps } from '../deps.ts'
import { listPayments, toAdminPaymentView } from './records.ts'

export type RevenueSummary = {
  summary: RevenueFigures
  revenueByType: Partial<Record<PaymentType, { amount: number; count: number }>>
  /** By YYYY-MM; months without revenue are 0. All time begins at the first payment, at the latest a year ago. */
  monthlyRevenue: Record<string, number>
  payments: ReturnType<typeof toAdminPaymentView>[]
}

/**
 * The revenue of a period in cents: what `isRevenue` counts, by the property's months. Types and months include the
 * fees and add up to the total (REV-07 to -09, REST-14). The sums are made by the database.
 */
export function revenueSummary({ clock, config, db }: Deps, input: RevenueInput): RevenueSummary {
  const { timeZone } = config.site
  const today = dateIn(clock.now(), timeZone)
  const { first, last } = periodOf(db, input, today, timeZone)
  const from = input.period && startOfDateIn(first, timeZone).toISOString()
  const until = input.period && startOfDateIn(addMonths(last, 1), timeZone).toISOString()
  const counted = isRevenueRow(from, until)
  const byType = sumsByType(db, counted)
  return {
    summary: revenueFigures({
      amountCents: total(byType, row => row.amountCents),
      feeCents: total(byType, row => row.feeCents),
      count: total(byType, row => row.received),
    }),
    revenueByType: Object.fromEntries(
      byType.map(row => [row.type, { amount: row.amountCents + row.feeCents, count: row.count }]),
    ),
    monthlyRevenue: Object.fromEntries(
      monthsBetween(first, last).map(month => [month, monthSum(db, `${month}-01`, timeZone)]),
    ),
    payments: listPayments(db, counted).map(toAdminPaymentView),
  }
}

/** The first days of the period's first and last month. */
function periodOf(
  db: Pick<Db, 'select'>,
  { month, period, year }: RevenueInput,
  today: CalendarDate,
  timeZone: string,
): { first: CalendarDate; last: CalendarDate } {
  if (period === 'year') return { first: `${year}-01-01`, last: `${year}-12-01` }
  if (period === 'month') {
    const only = `${year}-${String(month).padStart(2, '0')}-01`
    return { first: only, last: only }
  }
  const ends = db
    .select({
      first: sql<string | null>`min(${payments.paidAt})`,
      last: sql<string | null>`max(${payments.paidAt})`,
    })
    .from(payments)
    .where(isRevenueRow())
    .get()
  const yearAgo = twelveMonthsStart(today)
  const monthOf = (paidAt: string | null | undefined) => paidAt && `${revenueMonth(paidAt, timeZone)}-01`
  const firstPaid = monthOf(ends?.first) || yearAgo
  const lastPaid = monthOf(ends?.last) || today
  return {
    first: [firstPaid, yearAgo].toSorted()[0] ?? yearAgo,
    last: [lastPaid, today].toSorted()[1] ?? today,
  }
}

/** `isRevenue` of the ledger, as the database reads it; the bounds are moments, [from, until). */
function isRevenueRow(from?: string, until?: string): SQL | undefined {
  return and(
    from ? gte(payments.paidAt, from) : gt(payments.paidAt, ''),
    until ? lt(payments.paidAt, until) : undefined,
    eq(payments.status, 'succeeded'),
    isNull(payments.voidedAt),
    ne(payments.method, 'transfer'),
    notInArray(payments.type, [...notRevenueTypes]),
  )
}

const amountSum = sql<number>`coalesce(sum(${payments.amountCents} - ${payments.refundedAmountCents}), 0)`
const feeSum = sql<number>`coalesce(sum(${payments.feeCents} - ${payments.refundedFeeCents}), 0)`

function sumsByType(db: Pick<Db, 'select'>, counted: SQL | undefined) {
  return db
    .select({
      type: payments.type,
      amountCents: amountSum,
      feeCents: feeSum,
      count: sql<number>`count(*)`,
      received: sql<number>`count(*) filter (where ${payments.amountCents} > 0)`,
    })
    .from(payments)
    .where(counted)
    .groupBy(payments.type)
    .all()
}

/** One month's revenue: a range of the index. */
function monthSum(db: Pick<Db, 'select'>, firstDay: CalendarDate, timeZone: string): number {
  const from = startOfDateIn(firstDay, timeZone).toISOString()
  const until = startOfDateIn(addMonths(firstDay, 1), timeZone).toISOString()
  const sums = db
    .select({ amountCents: amountSum, feeCents: feeSum })
    .from(payments)
    .where(isRevenueRow(from, until))
    .get()
  return (sums?.amountCents ?? 0) + (sums?.feeCents ?? 0)
}

function total<T>(rows: readonly T[], cents: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + cents(row), 0)
}
