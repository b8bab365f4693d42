import type { AvailabilityEntry } from '../../../domain/bookings/availability.ts'
import { addDays, type CalendarDate, datesInRange } from '../../../domain/common/dates.ts'

/** The number of days in the sample, starting today. */
export const sampleDays = 90

/**
 * Made-up availability for when the live availability cannot be loaded. It looks random, but is the same on every call,
 * so that the server's HTML matches the browser's.
 */
export function sampleAvailability(today: CalendarDate): AvailabilityEntry[] {
  return datesInRange({ start: today, end: addDays(today, sampleDays) }).map(date => {
    const isAvailable = noise(date.slice(0, 7) + Math.floor(Number(date.slice(8)) / 4)) > 0.35
    return { date, isAvailable, reason: isAvailable ? 'sample' : 'sample, not a real booking' }
  })
}

/** A number from 0 to 1 derived from a text (FNV-1a). */
function noise(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((hash ^ (hash >>> 13)) >>> 0) / 0xffffffff
}
