import type { RateFormValues } from '../domain/money/rate.ts'
import type { PricedPeriod } from '../domain/money/rent-quote.ts'

/** What the owner enters for a summer period, in dollars. */
export function buildRate(overrides: Partial<RateFormValues> = {}): RateFormValues {
  return {
    period: 'Summer',
    startDate: '2026-06-01',
    endDate: '2026-08-31',
    monthly: 3600,
    weekly: 1050,
    nightly: 160,
    weekendNight: 190,
    minStay: 7,
    isActive: true,
    ...overrides,
  }
}

let count = 0

/** A stored rate period as pricing reads it, without weekly or nightly prices by default. */
export function buildPeriod(overrides: Partial<PricedPeriod> = {}): PricedPeriod {
  count++
  return {
    id: `rate-${count}`,
    period: `Period ${count}`,
    startDate: '2026-01-01',
    endDate: '2026-12-31',
    monthly: 3000,
    weekly: null,
    nightly: null,
    weekendNight: null,
    minStay: 30,
    isActive: true,
    ...overrides,
  }
}
