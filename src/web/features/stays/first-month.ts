import type { AvailabilityEntry } from '../../../domain/bookings/availability.ts'
import { addMonths, type CalendarDate, datesInRange, startOfMonth } from '../../../domain/common/dates.ts'

/** How far ahead the calendar may open, so that all three months that it shows are loaded. */
const monthsAhead = 2

/** The first month with a free night from today on, as YYYY-MM; the current month if the next ones have none. */
export function firstMonth(today: CalendarDate, entries: readonly AvailabilityEntry[]): string {
  const taken = new Set(entries.filter(({ isAvailable }) => !isAvailable).map(({ date }) => date))
  for (let ahead = 0; ahead <= monthsAhead; ahead++) {
    const start = ahead === 0 ? today : addMonths(startOfMonth(today), ahead)
    const end = addMonths(startOfMonth(start), 1)
    if (datesInRange({ start, end }).some(night => !taken.has(night))) return start.slice(0, 7)
  }
  return today.slice(0, 7)
}
