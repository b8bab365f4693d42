import { and, gte, isNotNull, lt, max, min, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { payments } from '../../../db/schema.ts'
import { addMonths, type CalendarDate, dateIn } from '../../domain/dates.ts'
import {
  monthsBetween,
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

/** As many of the newest payments come with the figures; the export has them all. */
const newestShown = 100

export type RevenueSummary = {
  summary: RevenueFigures
  revenueByType: Partial<Record<PaymentType, { amount: number; count: number }>>
  /** By YYYY-MM; months without revenue are 0. All time begins at the first payment, at the latest a year ago. */
  monthlyRevenue: Record<string, number>
  /** The newest of the period. */
  payments: ReturnType<typeof toAdminPaymentView>[]
}

/**
 * The revenue of a period in cents: what `isRevenue` counts, by the property's months. Types and months include the
 * fees and add up to the total (REV-07 to -09, REST-14). The sums are made by the database.
 */
export function revenueSummary(deps: Deps, input: RevenueInput): RevenueSummary {
  const { db } = deps
  const { months, within } = periodOf(deps, input)
  const sums = sumsByMonthAndType(db, months)
  const byType = Map.groupBy(sums, row => row.type)
  const byMonth = Map.groupBy(sums, row => row.month)
  return {
    summary: revenueFigures({
      amountCents: total(sums, row => row.amountCents),
      feeCents: total(sums, row => row.feeCents),
      count: total(sums, row => row.received),
    }),
    revenueByType: Object.fromEntries(
      [...byType].map(([type, rows]) => [
        type,
        { amount: total(rows, withFees), count: total(rows, row => row.counted) },
      ]),
    ),
    monthlyRevenue: Object.fromEntries(
      months.map(({ month }) => [month, total(byMonth.get(month) ?? [], withFees)]),
    ),
    payments: listPayments(db, within, newestShown).map(toAdminPaymentView),
  }
}

/** All payments that make up the revenue of a period, newest first. */
export function revenuePayments(deps: Deps, input: RevenueInput): RevenueSummary['payments'] {
  return listPayments(deps.db, periodOf(deps, input).within).map(toAdminPaymentView)
}

/** A month at the property: moments, [start, end). */
type Month = { month: string; start: string; end: string }

/** The months of a period, and what of the ledger is its revenue. */
function periodOf({ clock, config, db }: Deps, input: RevenueInput) {
  const { timeZone } = config.site
  const { first, last } = endsOf(db, input, dateIn(clock.now(), timeZone), timeZone)
  const startOf = (day: CalendarDate) => startOfDateIn(day, timeZone).toISOString()
  const months = monthsBetween(first, last).map(month => ({
    month,
    start: startOf(`${month}-01`),
    end: startOf(addMonths(`${month}-01`, 1)),
  }))
  const bounds = input.period && [
    gte(payments.paidAt, startOf(first)),
    lt(payments.paidAt, startOf(addMonths(last, 1))),
  ]
  return { months, within: and(isRevenueRow, ...(bounds ?? [])) as SQL }
}

/** The first days of the period's first and last month. */
function endsOf(
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
  // One question each: together they would read the whole index.
  const first = db
    .select({ paidAt: min(payments.paidAt) })
    .from(payments)
    .where(isRevenueRow)
    .get()
  const last = db
    .select({ paidAt: max(payments.paidAt) })
    .from(payments)
    .where(isRevenueRow)
    .get()
  const yearAgo = twelveMonthsStart(today)
  const monthOf = (paidAt: string | null | undefined) => paidAt && `${revenueMonth(paidAt, timeZone)}-01`
  const firstPaid = monthOf(first?.paidAt) || yearAgo
  const lastPaid = monthOf(last?.paidAt) || today
  return {
    first: [firstPaid, yearAgo].toSorted()[0] ?? yearAgo,
    last: [lastPaid, today].toSorted()[1] ?? today,
  }
}

/** `isRevenue` of the ledger: the condition of its index, too. */
const isRevenueRow = isNotNull(payments.revenueDay)

type Sums = {
  month: string
  type: PaymentType
  amountCents: number
  feeCents: number
  counted: number
  received: number
}

/**
 * Whole UTC days come from the sums that are kept by day; the two days in which a month begins and ends at the
 * property, from the payments themselves.
 */
function sumsByMonthAndType(db: Pick<Db, 'all'>, months: readonly Month[]): Sums[] {
  return db.all<Sums>(sql`
    with months as (
      select value ->> 'month' as month, value ->> 'start' as start, value ->> 'end' as "end"
      from json_each(${JSON.stringify(months)})
    ),
    parts as (
      select month, type, amount_cents, fee_cents, counted, received
      from months cross join revenue_days on day > substr(start, 1, 10) and day < substr("end", 1, 10)
      union all
      select month, ${ofPayment}
      from months cross join payments on paid_at >= start and paid_at < substr(start, 1, 10) || 'U'
      where revenue_day is not null
      union all
      select month, ${ofPayment}
      from months cross join payments on paid_at >= substr("end", 1, 10) and paid_at < "end"
      where revenue_day is not null
    )
    select month, type, sum(amount_cents) as amountCents, sum(fee_cents) as feeCents,
      sum(counted) as counted, sum(received) as received
    from parts group by month, type having sum(counted) > 0`)
}

const ofPayment = sql.raw(
  'type, amount_cents - refunded_amount_cents, fee_cents - refunded_fee_cents, 1, amount_cents > 0',
)

const withFees = ({ amountCents, feeCents }: Sums): number => amountCents + feeCents

function total<T>(rows: readonly T[], cents: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + cents(row), 0)
}
