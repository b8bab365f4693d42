import { addMonths, type CalendarDate, dateIn, monthsApart, startOfMonth } from '../common/dates.ts'
import { plural } from '../common/plural.ts'
import {
  isCounted,
  type LedgerRow,
  type PaymentType,
  paymentTypeLabels,
  paymentTypes,
  returnTypes,
} from './ledger.ts'

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
  const start = startOfMonth(first)
  return Array.from({ length: Math.max(0, monthsApart(first, last) + 1) }, (_, month) =>
    addMonths(start, month).slice(0, 7),
  )
}

/** The first day of the month eleven months before `today`, where 'Last 12 Months' begins (REV-11). */
export function twelveMonthsStart(today: CalendarDate): CalendarDate {
  return addMonths(startOfMonth(today), -11)
}

/** The month `YYYY-MM` that a payment counts in, in the property's time zone. */
export function localRevenueMonth(paidAt: string, timeZone: string): string {
  return dateIn(new Date(paidAt), timeZone).slice(0, 7)
}

type ByType<Sum> = Partial<Record<PaymentType, Sum>>

/** Cents with fees, negative for returned money; `share` of everything received, 0 to 1. */
export type RevenuePart = { type: PaymentType; label: string; amount: number; count: number; share?: number }

/** The revenue of a period by type, received and returned by hand, largest first. Only received money has shares. */
export function revenueBreakdown(byType: ByType<{ amount: number; count: number }>): {
  received: RevenuePart[]
  returned: RevenuePart[]
} {
  const parts = paymentTypes
    .flatMap((type): RevenuePart[] => {
      const sum = byType[type]
      return sum ? [{ type, label: returnedLabels[type] ?? paymentTypeLabels[type], ...sum }] : []
    })
    .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount))
  const received = parts.filter(({ type }) => !returnTypes.includes(type))
  const total = received.reduce((sum, { amount }) => sum + amount, 0)
  return {
    received: total > 0 ? received.map(part => ({ ...part, share: part.amount / total })) : received,
    returned: parts.filter(({ type }) => returnTypes.includes(type)),
  }
}

/** Deposits received less those returned, in cents with fees. */
export const depositsLeft = (byType: ByType<{ amount: number; count: number }>): number =>
  (byType.deposit?.amount ?? 0) + (byType.deposit_return?.amount ?? 0)

/** Counts of returned money: `9 deposits returned`, `1 refund`. */
export function describeReturned(byType: ByType<{ count: number }>): string[] {
  return [
    counted(byType.deposit_return?.count, 'deposit returned', 'deposits returned'),
    counted(byType.refund?.count, 'refund', 'refunds'),
  ].filter(text => text !== '')
}

const returnedLabels: ByType<string> = { deposit_return: 'Deposits returned', refund: 'Refunds' }

const counted = (count: number | undefined, one: string, many: string): string =>
  count ? plural(count, one, many) : ''
