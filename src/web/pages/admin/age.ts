import { formatMoment } from '../../../domain/dates.ts'

const minuteMs = 60_000
const steps = [
  { unit: 'day', ms: 24 * 60 * minuteMs },
  { unit: 'hour', ms: 60 * minuteMs },
  { unit: 'minute', ms: minuteMs },
] as const
const format = new Intl.RelativeTimeFormat('en-US')

/** `12 minutes ago`; the moment itself where this browser's clock is behind it. */
export function formatAge(iso: string, now: Date, timeZone: string): string {
  const ageMs = now.getTime() - Date.parse(iso)
  if (ageMs < -5 * minuteMs) return formatMoment(iso, timeZone)
  const step = steps.find(({ ms }) => ageMs >= ms)
  return step ? format.format(-Math.floor(ageMs / step.ms), step.unit) : 'just now'
}
