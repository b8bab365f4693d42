import { addDays, addMonths, type CalendarDate, type DateRange, formatShortDate } from '../common/dates.ts'
import { fieldError } from '../common/errors.ts'

/** The same dates a year later, at least one night: February 28 and 29 are one day then. */
export function yearLater(range: DateRange): DateRange {
  const start = addMonths(range.start, 12)
  const end = addMonths(range.end, 12)
  return { start, end: end > start ? end : addDays(start, 1) }
}

/** Until when nights are promised by default: half a year before the first, at least 14 days, but before it. */
export function promiseUntil(firstDay: CalendarDate, today: CalendarDate): CalendarDate {
  const [, wanted = ''] = [addMonths(firstDay, -6), addDays(today, 14)].sort()
  return [wanted, addDays(firstDay, -1)].sort()[0] ?? ''
}

/** From tomorrow to the day before the first one (CLAIM-28). @throws AppError bad_request */
export function requirePromiseUntil(until: CalendarDate, firstDay: CalendarDate, today: CalendarDate): void {
  const [from, to] = [addDays(today, 1), addDays(firstDay, -1)]
  if (from <= until && until <= to) return
  throw fieldError('until', `Please choose a day from ${formatShortDate(from)} to ${formatShortDate(to)}.`)
}
