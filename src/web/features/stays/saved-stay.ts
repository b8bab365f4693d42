import { type DateRange, isCalendarDate } from '../../../domain/common/dates.ts'
import { readTabStorage, removeTabStorage, writeTabStorage } from '../../forms/tab-storage.ts'

const key = 'stay'

/** Saves the dates chosen on the home page for the application form. They survive registration and login. */
export function saveStay({ start, end }: DateRange): void {
  writeTabStorage(key, { start, end })
}

/** The saved dates, unless they are in the past. */
export function readSavedStay(today: string): DateRange | undefined {
  const stay = readTabStorage(key)
  return isStay(stay) && stay.start >= today && stay.start < stay.end ? stay : undefined
}

export function clearSavedStay(): void {
  removeTabStorage(key)
}

/** Checked without zod, which the home page does not load. */
function isStay(value: unknown): value is DateRange {
  const { start, end } = (value ?? {}) as { start?: unknown; end?: unknown }
  return typeof start === 'string' && typeof end === 'string' && isCalendarDate(start) && isCalendarDate(end)
}
