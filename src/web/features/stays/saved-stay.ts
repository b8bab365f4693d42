import { type DateRange, isCalendarDate } from '../../../domain/dates.ts'
import { readSession, removeSession, writeSession } from '../../forms/tab-storage.ts'

const key = 'stay'

/** Takes the dates chosen on the home page along, past register and login, into the application form. */
export function saveStay({ start, end }: DateRange): void {
  writeSession(key, { start, end })
}

/** The dates that were taken along; none when they have passed by now. */
export function readSavedStay(today: string): DateRange | undefined {
  const stay = readSession(key)
  return isStay(stay) && stay.start >= today && stay.start < stay.end ? stay : undefined
}

export function forgetStay(): void {
  removeSession(key)
}

/** Checked by hand: the home page, which keeps the dates, gets by without a schema library. */
function isStay(value: unknown): value is DateRange {
  const { start, end } = (value ?? {}) as { start?: unknown; end?: unknown }
  return typeof start === 'string' && typeof end === 'string' && isCalendarDate(start) && isCalendarDate(end)
}
