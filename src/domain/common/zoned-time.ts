import { type CalendarDate, dateIn } from './dates.ts'
import { hourMs } from './durations.ts'

/** Scheduled mails are sent from this hour on, in the property's time zone. */
export const mailHour = 9

/** When a calendar date begins in a time zone: midnight, or the first moment after it if midnight is skipped. */
export function startOfDateIn(date: CalendarDate, timeZone: string): Date {
  const asUtc = Date.parse(`${date}T00:00:00Z`)
  const firstGuess = asUtc - offsetMs(asUtc, timeZone)
  const start = new Date(asUtc - offsetMs(firstGuess, timeZone))
  return dateIn(start, timeZone) < date ? new Date(start.getTime() + hourMs) : start
}

/** Midday of a calendar date in a time zone, as a UTC ISO timestamp. */
export function middayIn(date: CalendarDate, timeZone: string): string {
  return new Date(startOfDateIn(date, timeZone).getTime() + 12 * hourMs).toISOString()
}

/** A full hour of a calendar date in a time zone; an hour off if the clock change skips it. */
export const hourOfDateIn = (date: CalendarDate, hour: number, timeZone: string): Date =>
  timeOfDateIn(date, `${String(hour).padStart(2, '0')}:00`, timeZone)

/** A time, as HH:MM, of a calendar date in a time zone; an hour off if the clock change skips it. */
export function timeOfDateIn(date: CalendarDate, time: string, timeZone: string): Date {
  const asUtc = Date.parse(`${date}T${time}:00Z`)
  const firstGuess = asUtc - offsetMs(asUtc, timeZone)
  return new Date(asUtc - offsetMs(firstGuess, timeZone))
}

/** How far the zone's local time is ahead of UTC at a timestamp. */
export function offsetMs(moment: number, timeZone: string): number {
  const parts = partsFormatOf(timeZone).formatToParts(moment)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find(found => found.type === type)?.value)
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return local - Math.floor(moment / 1000) * 1000
}

/** Cached, because formats are slow to create. */
const partsFormats = new Map<string, Intl.DateTimeFormat>()
function partsFormatOf(timeZone: string): Intl.DateTimeFormat {
  let format = partsFormats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    partsFormats.set(timeZone, format)
  }
  return format
}
