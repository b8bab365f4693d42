import { stringify } from 'csv-stringify/sync'
import { and, gte, isNotNull, lt, lte, max, min, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { payments } from '../../../../db/schema.ts'
import { requireAdmin, type SignedIn } from '../../../domain/accounts/access.ts'
import { addMonths, type CalendarDate, dateIn } from '../../../domain/common/dates.ts'
import { startOfDateIn } from '../../../domain/common/zoned-time.ts'
import { type PaymentType, paymentTypeLabels } from '../../../domain/money/ledger.ts'
import { newestRevenuePayments, revenueFileName } from '../../../domain/money/payment.ts'
import type { RevenueInput } from '../../../domain/money/payment-input.ts'
import {
  localRevenueMonth,
  monthsBetween,
  revenueFigures,
  twelveMonthsStart,
} from '../../../domain/money/revenue.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { cachedUntilWrite } from '../../kernel/cached-until-write.ts'
import type { Deps } from '../../kernel/deps.ts'
import { isNotTrial } from '../../kernel/trial.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import { disputedAmounts } from './reconcile/disputes.ts'
import { listPayments } from './records.ts'
import { type AdminPaymentView, type RevenueSummary, toAdminPaymentView } from './views.ts'

/**
 * The revenue of a period in cents: payments for which `isRevenue` is true, by the property's months. Types and months
 * include the fees and add up to the total (REV-07 to -09, REST-14).
 */
export function revenueSummary(deps: Deps, input: RevenueInput): RevenueSummary {
  const { db } = deps
  const { months, paidWithin, within } = periodOf(deps, input)
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
    heldDeposits: heldDepositsCents(deps),
    disputed: disputedAmounts(db, paidWithin),
    payments: listPayments(db, within, newestRevenuePayments).map(toAdminPaymentView),
  }
}

/** The deposits of all bookings that are held today: `depositHeldCents` in SQL, never below 0 for a booking (LOOK-86). */
function heldDepositsCents(deps: Deps): number {
  return cachedUntilWrite(deps, 'held deposits', () => {
    const { cents } = deps.db.get<{ cents: number }>(sql`
      select coalesce(sum(max(held, 0)), 0) as cents from (
        select sum(iif(type in ('deposit', 'deposit_transfer'), amount_cents - refunded_amount_cents, amount_cents)) as held
        from payments where status = 'succeeded' and voided_at is null
          and type in ('deposit', 'deposit_transfer', 'deposit_return', 'deduction')
          and ${isNotTrial(payments.userId)}
        group by coalesce(application_id, former_application_id, user_id)
      )`)
    return cents
  })
}

/** The number of payments read before other requests get a turn. */
const sliceSize = 250

/** All payments in the revenue of a period, newest first, in slices. */
async function* revenuePayments(deps: Deps, input: RevenueInput): AsyncGenerator<RevenueSummary['payments']> {
  const { within } = periodOf(deps, input)
  let older: SQL | undefined
  while (true) {
    const slice = listPayments(deps.db, and(within, older), sliceSize)
    if (slice.length > 0) yield slice.map(toAdminPaymentView)
    const last = slice.at(-1)?.payment
    if (slice.length < sliceSize || !last?.paidAt) return
    older = and(
      lte(payments.paidAt, last.paidAt),
      or(lt(payments.paidAt, last.paidAt), lt(payments.id, last.id)),
    )
    await yieldToEventLoop()
  }
}

/** A month at the property: times in UTC, [start, end). */
type Month = { month: string; start: string; end: string }

/** The months of a period, with conditions for its revenue and for everything paid in it. */
function periodOf(
  { clock, config, db }: Deps,
  input: RevenueInput,
): { months: Month[]; within: SQL | undefined; paidWithin: SQL | undefined } {
  const { timeZone } = config.site
  const { first, last } = endsOf(db, input, dateIn(clock.now(), timeZone), timeZone)
  const starts = monthsBetween(first, addMonths(last, 1)).map(month => ({
    month,
    at: startOfDateIn(`${month}-01`, timeZone).toISOString(),
  }))
  const months = starts.flatMap(({ month, at }, i) => {
    const next = starts[i + 1]
    return next ? [{ month, start: at, end: next.at }] : []
  })
  const [start, end] = [months[0]?.start ?? '', months.at(-1)?.end ?? '']
  const bounds = input.period ? [gte(payments.paidAt, start), lt(payments.paidAt, end)] : []
  return {
    months,
    within: and(isRevenueRow, ...bounds),
    paidWithin: and(isNotTrial(payments.userId), ...bounds),
  }
}

/** The first days of the period's first and last month. */
function endsOf(
  db: Db,
  { month, period, year }: RevenueInput,
  today: CalendarDate,
  timeZone: string,
): { first: CalendarDate; last: CalendarDate } {
  if (period === 'year') return { first: `${year}-01-01`, last: `${year}-12-01` }
  if (period === 'month') {
    const only = `${year}-${String(month).padStart(2, '0')}-01`
    return { first: only, last: only }
  }
  // Two queries: a single query for both would read the whole index.
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
  const monthOf = (paidAt: string | null | undefined) => paidAt && `${localRevenueMonth(paidAt, timeZone)}-01`
  const firstPaid = monthOf(first?.paidAt) || yearAgo
  const lastPaid = monthOf(last?.paidAt) || today
  return {
    first: [firstPaid, yearAgo].toSorted()[0] ?? yearAgo,
    last: [lastPaid, today].toSorted()[1] ?? today,
  }
}

/** The ledger's `isRevenue` in SQL, the condition of its index; without the owner's trials. */
const isRevenueRow = and(isNotNull(payments.revenueMonth), isNotTrial(payments.userId))

type Sums = {
  month: string
  type: PaymentType
  amountCents: number
  feeCents: number
  counted: number
  received: number
}

/** The sums of the payments of each month at the property. */
function sumsByMonthAndType(db: Db, months: readonly Month[]): Sums[] {
  return db.all<Sums>(sql`
    with months as materialized (
      select value ->> 'month' as name, value ->> 'start' as start, value ->> 'end' as "end"
      from json_each(${JSON.stringify(months)})
    )
    select name as month, type, sum(amount_cents - refunded_amount_cents) as amountCents,
      sum(fee_cents - refunded_fee_cents) as feeCents, count(*) as counted, sum(amount_cents > 0) as received
    from months cross join payments on paid_at >= start and paid_at < "end"
    where revenue_month is not null and ${isNotTrial(payments.userId)} group by name, type`)
}

const withFees = ({ amountCents, feeCents }: Sums): number => amountCents + feeCents

function total<T>(rows: readonly T[], cents: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + cents(row), 0)
}

/** A column's heading, and its cell: text, or an amount in cents. */
type CsvColumn = [heading: string, cell: (payment: AdminPaymentView, timeZone: string) => string | number]

const columns: CsvColumn[] = [
  ['Date', ({ paidAt }, timeZone) => (paidAt ? dateIn(new Date(paidAt), timeZone) : 'N/A')],
  ['Application', ({ applicationId }) => applicationId?.applicationNumber ?? 'Unlinked'],
  ['Customer', ({ userId }) => `${userId.firstName} ${userId.lastName}`],
  ['Email', ({ userId }) => userId.email],
  ['Type', ({ paymentType }) => paymentTypeLabels[paymentType]],
  ['Method', payment => methodOf(payment)],
  ['Check number', ({ checkNumber }) => checkNumber],
  ['Reference', ({ stripePaymentIntentId }) => stripePaymentIntentId ?? ''],
  ['Description', ({ description }) => description],
  ['Notes', ({ notes }) => notes],
  ['Amount', ({ amount }) => amount],
  ['Card fee', ({ feeAmount }) => feeAmount],
  ['Refunded or disputed', payment => payment.refundedAmount + payment.refundedFeeAmount],
  [
    'Total revenue',
    ({ creditedAmount, feeAmount, refundedFeeAmount }) => creditedAmount + feeAmount - refundedFeeAmount,
  ],
  ['Net revenue', ({ creditedAmount }) => creditedAmount],
]

function methodOf({ method, providerMethod }: AdminPaymentView): string {
  if (method !== 'card') return 'By hand'
  return providerMethod === 'us_bank_account' ? 'Bank account' : 'Card'
}

/**
 * A period's revenue payments as CSV (RFC 4180, UTF-8 with a byte order mark), streamed: US dollars, the property's
 * dates, newest first. Text that looks like a formula gets an apostrophe (REV-14).
 * @throws AppError unauthorized; forbidden, also without a step-up
 */
export function revenueCsv(
  deps: Deps,
  actor: SignedIn,
  input: RevenueInput,
): { fileName: string; parts: AsyncGenerator<string> } {
  requireAdmin(actor)
  requireStepUp(deps, deps.db, actor)
  return { fileName: revenueFileName(input), parts: csvParts(deps, input) }
}

async function* csvParts(deps: Deps, input: RevenueInput): AsyncGenerator<string> {
  const { timeZone } = deps.config.site
  yield `\uFEFF${csvLines([columns.map(([heading]) => heading)])}`
  for await (const payments of revenuePayments(deps, input))
    yield csvLines(payments.map(payment => columns.map(([, cell]) => cell(payment, timeZone))))
}

/** Rows as CSV: numbers are cents, and no cell is a formula. */
export const csvLines = (rows: (string | number)[][]): string =>
  stringify(rows, {
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    escape_formulas: true,
    cast: { number: cents => (cents / 100).toFixed(2) },
  })
