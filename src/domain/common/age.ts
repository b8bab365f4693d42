import { dateIn, nightsBetween } from './dates.ts'
import { dayMs, hourMs, minuteMs } from './durations.ts'

const units = [
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const
const format = new Intl.RelativeTimeFormat('en-US')

/**
 * How long ago or how far ahead a UTC ISO timestamp is, in whole units: `5 minutes ago`, `in 2 hours`, `just now`.
 * In the future, hours are rounded and days are calendar days: the end of December 11 is 11 days after November 30.
 */
export function formatAge(iso: string, now: Date, timeZone: string): string {
  const ms = Date.parse(iso) - now.getTime()
  if (ms >= dayMs) {
    const lastMoment = new Date(Date.parse(iso) - 1)
    return format.format(
      Math.max(1, nightsBetween(dateIn(now, timeZone), dateIn(lastMoment, timeZone))),
      'day',
    )
  }
  const [unit, unitMs] = units.find(([, size]) => Math.abs(ms) >= size) ?? []
  if (unit && unitMs) return format.format(ms > 0 ? Math.round(ms / unitMs) : Math.trunc(ms / unitMs), unit)
  return ms > 0 ? 'in a moment' : 'just now'
}
