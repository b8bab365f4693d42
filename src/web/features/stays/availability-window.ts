import { addMonths, type CalendarDate, endOfMonth } from '../../../domain/common/dates.ts'

/** The date range that a calendar loads for the month in view (YYYY-MM). */
export function availabilityWindow(month: string): { startDate: CalendarDate; endDate: CalendarDate } {
  const first = `${month}-01`
  return { startDate: addMonths(first, -1), endDate: endOfMonth(addMonths(first, 4)) }
}
