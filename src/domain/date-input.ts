import { z } from 'zod'
import { isCalendarDate } from './dates.ts'

/** A calendar date in an input, with the message for a missing or invalid one. */
export function calendarDate(message = 'Please enter a valid date') {
  return z.string({ error: message }).refine(isCalendarDate, message)
}
