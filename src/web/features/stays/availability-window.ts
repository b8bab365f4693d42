import { addMonths, type CalendarDate, endOfMonth } from '../../../domain/dates.ts'

/** What a calendar needs from the server for a viewed month (YYYY-MM). */
export function availabilityWindow(month: string): { startDate: CalendarDate; endDate: CalendarDate } {
  const first = `${month}-01`
  return { startDate: addMonths(first, -1), endDate: endOfMonth(addMonths(first, 4)) }
}
