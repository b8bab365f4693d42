import type { RevenueInput } from '../../../../domain/money/payment-input.ts'

/** The state of the period selector. Year and month are kept while another period is selected. */
export type PeriodChoice = { period: 'all' | 'year' | 'month'; year: number; month: number }

export const monthNames = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2000, month)).toLocaleString('en-US', { month: 'long', timeZone: 'UTC' }),
)

/** The current year and the five before it. */
export const yearChoices = (currentYear: number) => Array.from({ length: 6 }, (_, back) => currentYear - back)

/** All time is sent as no period. */
export function toInput({ period, year, month }: PeriodChoice): RevenueInput {
  if (period === 'all') return {}
  return period === 'year' ? { period, year } : { period, year, month }
}

/** `All time`, `2026`, `March 2026`. */
export function periodLabel({ period, year, month }: PeriodChoice): string {
  if (period === 'all') return 'All time'
  return period === 'year' ? `${year}` : `${monthNames[month - 1]} ${year}`
}

/** The prefix of the period's months: `2026-03`, `2026`, or empty for all time. */
export function monthPrefix({ period, year, month }: PeriodChoice): string {
  if (period === 'all') return ''
  return period === 'year' ? `${year}` : `${year}-${String(month).padStart(2, '0')}`
}
