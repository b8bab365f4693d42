import { type FileEvent, writeCalendar } from '../domain/calendars/calendar-file.ts'
import {
  addDays,
  addMonths,
  type CalendarDate,
  isCalendarDate,
  startOfMonth,
} from '../domain/common/dates.ts'

/** The path of the calendar of the demo's fake booking platform. */
export const calendarPath = '/sandbox/calendar/airbnb.ics'

/** The URL of the platform's calendar; `from` is the demo's first day, so that its dates do not move. */
export const calendarUrl = (origin: string, from: CalendarDate): string =>
  `${origin}${calendarPath}?from=${from}`

/** The platform's calendar file, with reservations and blocked nights. Undefined for an invalid date. */
export function calendarFile(from: string): string | undefined {
  if (!isCalendarDate(from)) return undefined
  const event = (number: number, months: number, day: number, nights: number, summary: string): FileEvent => {
    const start = addDays(startOfMonth(addMonths(from, months)), day - 1)
    return {
      uid: `demo-${number}@airbnb.example`,
      sequence: 0,
      changedAt: `${from}T12:00:00.000Z`,
      start,
      end: addDays(start, nights),
      summary,
      isTransparent: false,
    }
  }
  return writeCalendar('Airbnb', [
    event(1, 3, 20, 5, 'Reserved'),
    event(2, 6, 12, 9, 'Reserved'),
    event(3, 8, 10, 7, 'Reserved'),
    event(4, 9, 1, 6, 'Airbnb (Not available)'),
  ])
}
