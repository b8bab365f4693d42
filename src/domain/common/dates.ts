import { dayMs } from './durations.ts'
/** A calendar date `YYYY-MM-DD` without time or zone. */
export type CalendarDate = string
/** A stay or term, half-open: the end is the day of departure. */
export type DateRange = { start: CalendarDate; end: CalendarDate }

const pattern = /^\d{4}-\d{2}-\d{2}$/

const toUtcMs = (date: CalendarDate): number => Date.parse(date)
/** The last date. A later one would have five digits of the year and sort before all others. */
export const lastDate = '9999-12-31'
const lastMs = toUtcMs(lastDate)
const twoDigits = (part: number) => String(part).padStart(2, '0')

/** Four times as fast as `toISOString`, which matters for a list of three years. */
function fromUtcMs(ms: number): CalendarDate {
  const day = new Date(Math.min(ms, lastMs))
  const year = day.getUTCFullYear()
  if (!(year >= 1000)) throw new RangeError('not a date of four digits')
  return `${year}-${twoDigits(day.getUTCMonth() + 1)}-${twoDigits(day.getUTCDate())}`
}

/** Whether the text is a real calendar date between the years 1900 and 9999. */
export function isCalendarDate(text: string): boolean {
  if (!pattern.test(text) || text < '1900-01-01') return false
  const ms = toUtcMs(text)
  return !Number.isNaN(ms) && fromUtcMs(ms) === text
}

/** `days` may be negative. Nothing is after the last date. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return fromUtcMs(toUtcMs(date) + days * dayMs)
}

/** Same day of a later (or earlier) month, or that month's last day if the month is shorter; at most the last date. */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
  const [year, month, day] = parts(date)
  const lastDay = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return fromUtcMs(Date.UTC(year, month - 1 + months, Math.min(day, lastDay)))
}

/** By how many months the calendar month of `last` is after that of `first`. */
export function monthsApart(first: CalendarDate, last: CalendarDate): number {
  const [[fromYear, fromMonth], [year, month]] = [parts(first), parts(last)]
  return (year - fromYear) * 12 + month - fromMonth
}

export function startOfMonth(date: CalendarDate): CalendarDate {
  return `${date.slice(0, 7)}-01`
}

/** The last day of the date's month. */
export function endOfMonth(date: CalendarDate): CalendarDate {
  const [year, month] = parts(date)
  return fromUtcMs(Date.UTC(year, month, 0))
}

/** Nights of the half-open stay [start, end): 0 if it is empty, negative if reversed. */
export function nightsBetween(start: CalendarDate, end: CalendarDate): number {
  return Math.round((toUtcMs(end) - toUtcMs(start)) / dayMs)
}

/** Every date from `start` until before `end`. */
export function datesInRange({ start, end }: DateRange): CalendarDate[] {
  const first = toUtcMs(start)
  return Array.from({ length: Math.max(0, nightsBetween(start, end)) }, (_, day) =>
    fromUtcMs(first + day * dayMs),
  )
}

/** The same nights as ranges that share none, by date. Makes walking many overlapping ranges cheap. */
export function mergeOverlapping(ranges: readonly DateRange[]): DateRange[] {
  const merged: DateRange[] = []
  for (const { end, start } of [...ranges].sort((a, b) => (a.start < b.start ? -1 : 1))) {
    const last = merged.at(-1)
    if (!last || start >= last.end) merged.push({ start, end })
    else if (end > last.end) last.end = end
  }
  return merged
}

/** Whether two half-open stays share a night; a guest can arrive on the day another leaves. */
export function overlaps(a: DateRange, b: DateRange): boolean {
  return a.start < b.end && b.start < a.end
}

/** 0 = Sunday … 6 = Saturday. */
export function weekday(date: CalendarDate): number {
  return new Date(toUtcMs(date)).getUTCDay()
}

/** The calendar date in a time zone at a given time; "today" at the property is `dateIn(now, propertyTimeZone)`. */
export function dateIn(moment: Date, timeZone: string): CalendarDate {
  return dateFormatOf(timeZone).format(moment)
}

/** Cached, because formats are slow to create. */
const dateFormats = new Map<string, Intl.DateTimeFormat>()
function dateFormatOf(timeZone: string): Intl.DateTimeFormat {
  let format = dateFormats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    dateFormats.set(timeZone, format)
  }
  return format
}

const long = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'long' })
const short = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium' })
const weekdayAndDay = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  weekday: 'long',
  month: 'long',
  day: 'numeric',
})
const month = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' })

/** `2026-06-01` -> `June 1, 2026`. */
export function formatLongDate(date: CalendarDate): string {
  return long.format(toUtcMs(date))
}

/** `2026-06-01` -> `Jun 1, 2026`. */
export function formatShortDate(date: CalendarDate): string {
  return short.format(toUtcMs(date))
}

/** `2026-06-01` -> `Monday, June 1`. */
export function formatWeekday(date: CalendarDate): string {
  return weekdayAndDay.format(toUtcMs(date))
}

/** `2026-06-01` -> `June 2026`. */
export function formatMonth(date: CalendarDate): string {
  return month.format(toUtcMs(date))
}

/** A UTC ISO timestamp as a short date in a time zone: `Jun 1, 2026`. */
export function formatMomentDate(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'medium' }).format(new Date(iso))
}

/** A UTC ISO timestamp as a time of day: `3:04 PM`. */
export function formatMomentTime(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' }).format(
    new Date(iso),
  )
}

/** A UTC ISO timestamp with time and zone: `Jun 1, 2026, 3:04 PM EDT`. */
export function formatMoment(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(iso))
}

function parts(date: CalendarDate): [year: number, month: number, day: number] {
  return [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10))]
}

/** How far a stored time may be in the future before the clock counts as wrong. */
export const clockToleranceMs = 60_000

export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Lists weekdays from Sunday on: `Friday`, `Friday and Saturday`, `Sunday, Friday and Saturday`. */
export function formatWeekdays(weekdays: readonly number[]): string {
  const names = weekdayNames.filter((_, day) => weekdays.includes(day))
  const [last = ''] = names.slice(-1)
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last
}
