import type { AvailabilityEntry } from '../../../domain/bookings/availability.ts'
import { type CalendarDate, datesInRange } from '../../../domain/common/dates.ts'
import type { PricedPeriod } from '../../../domain/money/rent-quote.ts'

/** How many consecutive nights must be free if no season sets a minimum stay. */
const usualNights = 7

/**
 * The month, as YYYY-MM, of the first arrival for which the season's minimum stay is free; if there is none, of the first
 * free night; else the current month.
 */
export function firstMonth(
  today: CalendarDate,
  knownUntil: CalendarDate,
  entries: readonly AvailabilityEntry[],
  rates: readonly Pick<PricedPeriod, 'startDate' | 'endDate' | 'minStay'>[] = [],
  canArrive: (day: CalendarDate) => boolean = () => true,
): string {
  const taken = new Set(entries.filter(({ isAvailable }) => !isAvailable).map(({ date }) => date))
  const isFree = (night: CalendarDate) => !taken.has(night)
  const nights = datesInRange({ start: today, end: knownUntil })
  const fits = (day: CalendarDate, at: number) => {
    // A season within another starts later.
    const season = rates.findLast(({ startDate, endDate }) => startDate <= day && day <= endDate)
    return canArrive(day) && nights.slice(at, at + (season?.minStay ?? usualNights)).every(isFree)
  }
  const first = nights.find(fits) ?? nights.find(day => isFree(day) && canArrive(day)) ?? today
  return first.slice(0, 7)
}
