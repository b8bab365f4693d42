import { addMonths, type CalendarDate, dateIn, startOfMonth } from '../common/dates.ts'
import { isCounted, type LedgerRow, type PaymentType } from './ledger.ts'

/** Whether a row is revenue: counted, and neither a transfer nor a deduction from the deposit (REV-08). */
export function isRevenue(row: LedgerRow): boolean {
  return isCounted(row) && row.method !== 'transfer' && !notRevenueTypes.includes(row.type)
}

/** Types of money that was counted before. */
const notRevenueTypes: readonly PaymentType[] = ['admin_transfer', 'deposit_transfer', 'deduction']

type RevenueFigures = {
  totalRevenue: number
  netRevenue: number
  totalFees: number
  /** Payments received; returns by hand lower the revenue but are not counted. */
  paymentCount: number
  averagePayment: number
}

/** The cards of the revenue screen, in cents (REV-06, -07, -09). */
export function revenueFigures(totals: {
  amountCents: number
  feeCents: number
  count: number
}): RevenueFigures {
  const totalRevenue = totals.amountCents + totals.feeCents
  return {
    totalRevenue,
    netRevenue: totals.amountCents,
    totalFees: totals.feeCents,
    paymentCount: totals.count,
    averagePayment: totals.count > 0 ? Math.round(totalRevenue / totals.count) : 0,
  }
}

/** The months `YYYY-MM` from one date to another, inclusive. */
export function monthsBetween(first: CalendarDate, last: CalendarDate): string[] {
  const months: string[] = []
  for (let day = startOfMonth(first); day <= last; day = addMonths(day, 1)) months.push(day.slice(0, 7))
  return months
}

/** The first day of the month eleven months before `today`, where 'Last 12 Months' begins (REV-11). */
export function twelveMonthsStart(today: CalendarDate): CalendarDate {
  return addMonths(startOfMonth(today), -11)
}

/** The month `YYYY-MM` that a payment counts in, in the property's time zone. */
export function localRevenueMonth(paidAt: string, timeZone: string): string {
  return dateIn(new Date(paidAt), timeZone).slice(0, 7)
}
