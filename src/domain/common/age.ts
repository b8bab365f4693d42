import { dayMs, hourMs, minuteMs } from './durations.ts'

const units = [
  ['day', dayMs],
  ['hour', hourMs],
  ['minute', minuteMs],
] as const
const format = new Intl.RelativeTimeFormat('en-US')

/**
 * How long ago or how far ahead a UTC ISO timestamp is, in whole units: `5 minutes ago`, `in 2 hours`, `just now`.
 * Ahead it is rounded, so that 72 hours are 3 days a moment later too.
 */
export function formatAge(iso: string, now: Date): string {
  const ms = Date.parse(iso) - now.getTime()
  const [unit, unitMs] = units.find(([, size]) => Math.abs(ms) >= size) ?? []
  if (unit && unitMs) return format.format(ms > 0 ? Math.round(ms / unitMs) : Math.trunc(ms / unitMs), unit)
  return ms > 0 ? 'in a moment' : 'just now'
}
