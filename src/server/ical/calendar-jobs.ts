import { parseCalendar } from './parse-calendar.ts'

/** Pure functions that read what others wrote, and may take long. */
export const calendarJobs = { parseCalendar }
export type CalendarJobs = typeof calendarJobs
