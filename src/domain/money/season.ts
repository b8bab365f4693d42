import { type CalendarDate, type DateRange, datesInRange, nightsBetween } from '../common/dates.ts'
import type { Rate } from './rate.ts'

/** The fields of a rate period that pricing uses. */
export type PricedPeriod = Pick<
  Rate,
  'id' | 'period' | 'startDate' | 'endDate' | 'monthly' | 'weekly' | 'nightly' | 'weekendNight' | 'minStay'
> & { isActive?: boolean }

/**
 * The rate period that prices a night: the shortest active one, then the one that starts later, then by name and id, so
 * that the order of the list does not matter.
 */
export function rateForNight<T extends PricedPeriod>(
  rates: readonly T[],
  night: CalendarDate,
): T | undefined {
  return rates
    .filter(rate => rate.isActive !== false && rate.startDate <= night && night <= rate.endDate)
    .sort(
      (a, b) =>
        nightsBetween(a.startDate, a.endDate) - nightsBetween(b.startDate, b.endDate) ||
        compare(b.startDate, a.startDate) ||
        compare(a.period, b.period) ||
        compare(a.id, b.id),
    )[0]
}

/** The rate period with the most nights of a stay, or the earlier of two; undefined if no night has one. */
export function seasonOf<T extends PricedPeriod>(rates: readonly T[], stay: DateRange): T | undefined {
  const seasons = datesInRange(stay).flatMap(night => rateForNight(rates, night) ?? [])
  return seasons.length > 0 ? mostFrequent(seasons) : undefined
}

/** In a tie, the first. */
export function mostFrequent<T>(items: readonly T[]): T {
  const counts = new Map<T, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0]
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
