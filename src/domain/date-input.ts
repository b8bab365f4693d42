import { z } from 'zod'
import { isCalendarDate } from './dates.ts'

/** A calendar date on the wire; the message is what an empty or impossible one says. */
export function calendarDate(message = 'Please enter a valid date') {
  return z.string({ error: message }).refine(isCalendarDate, message)
}
