import { parseCalendar } from './parse-calendar.ts'

/** The jobs of the calendar worker: pure functions that parse untrusted input and may take long. */
export const calendarJobs = { parseCalendar }
export type CalendarJobs = typeof calendarJobs
