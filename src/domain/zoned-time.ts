import { type CalendarDate, dateIn } from './dates.ts'

const hourMs = 3_600_000
/** Mails that time alone makes due leave from this hour on, at the property. */
export const mailHour = 9

/** When a calendar date begins in a time zone: midnight, or the next moment if midnight is skipped. */
export function startOfDateIn(date: CalendarDate, timeZone: string): Date {
  const asUtc = Date.parse(`${date}T00:00:00Z`)
  const firstGuess = asUtc - offsetMs(asUtc, timeZone)
  const start = new Date(asUtc - offsetMs(firstGuess, timeZone))
  return dateIn(start, timeZone) < date ? new Date(start.getTime() + hourMs) : start
}

/** Midday of a calendar date in a time zone, as UTC ISO text. */
export function middayIn(date: CalendarDate, timeZone: string): string {
  return new Date(startOfDateIn(date, timeZone).getTime() + 12 * hourMs).toISOString()
}

/** A full hour of a calendar date in a time zone; where the clocks skip it, an hour off. */
export function hourOfDateIn(date: CalendarDate, hour: number, timeZone: string): Date {
  const asUtc = Date.parse(`${date}T00:00:00Z`) + hour * hourMs
  const firstGuess = asUtc - offsetMs(asUtc, timeZone)
  return new Date(asUtc - offsetMs(firstGuess, timeZone))
}

/** How far the zone's clocks are ahead of UTC at a moment. */
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

/** Cached, as formats are slow to create. */
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
