import type { RevenueInput } from '../../../../domain/payment-input.ts'

/** What the period selector holds. Year and month stay while another period is chosen. */
export type PeriodChoice = { period: 'all' | 'year' | 'month'; year: number; month: number }

export const monthNames = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2000, month)).toLocaleString('en-US', { month: 'long', timeZone: 'UTC' }),
)

/** The current year and the five before it. */
export const yearChoices = (currentYear: number) => Array.from({ length: 6 }, (_, back) => currentYear - back)

/** All time sends no period. */
export function toInput({ period, year, month }: PeriodChoice): RevenueInput {
  if (period === 'all') return {}
  return period === 'year' ? { period, year } : { period, year, month }
}

/** `All time`, `2026`, `March 2026`. */
export function periodLabel({ period, year, month }: PeriodChoice): string {
  if (period === 'all') return 'All time'
  return period === 'year' ? `${year}` : `${monthNames[month - 1]} ${year}`
}
