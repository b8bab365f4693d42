import { z } from 'zod'
import { isCalendarDate } from './dates.ts'

/** Schema of a calendar date, with the message for a missing or invalid date. */
export function calendarDate(message = 'Please enter a valid date') {
  return z.string({ error: message }).refine(isCalendarDate, message)
}
