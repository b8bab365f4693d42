import { z } from 'zod'
import { calendarDate, type DateRange } from '../../../domain/dates.ts'
import { readSession, removeSession, writeSession } from '../forms/session-store.ts'

const key = 'stay'
const schema = z.object({ start: calendarDate(), end: calendarDate() })

/** Takes the dates chosen on the home page along, past register and login, into the application form. */
export function keepStay({ start, end }: DateRange): void {
  writeSession(key, { start, end })
}

/** The dates that were taken along; none when they have passed by now. */
export function keptStay(today: string): DateRange | undefined {
  const stay = readSession(key, schema)
  return stay && stay.start >= today && stay.start < stay.end ? stay : undefined
}

export function forgetStay(): void {
  removeSession(key)
}
