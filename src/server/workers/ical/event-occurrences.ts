import ICAL from 'ical.js'
import { isPast } from '../../../domain/calendars/calendar-event.ts'
import { addMonths, type CalendarDate, type DateRange } from '../../../domain/common/dates.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import type { ContentLine } from './content-line.ts'
import {
  dateOf,
  type LocalTime,
  nightsFrom,
  parseDuration,
  parseTime,
  type TimeZones,
  textOf,
  toIcalTime,
  UnreadableEvent,
} from './local-time.ts'

/** How far ahead recurring events are expanded, and the maximum number of occurrences (CAL-23). */
const monthsAhead = 18
const maxDates = 500

/**
 * The nights of an event and its recurrences, without past recurrences.
 * @param replaced occurrences that other events of the file replace (RECURRENCE-ID)
 * @throws UnreadableEvent for an invalid date or rule
 */
export function occurrencesOf(
  lines: ContentLine[],
  replaced: LocalTime[],
  zones: TimeZones,
  today: CalendarDate,
): DateRange[] {
  const start = timeOf(lines, 'DTSTART', zones)
  if (start === null) throw new UnreadableEvent('no start')
  const end = endOf(lines, start, zones)
  const rules = lines.filter(({ name }) => name === 'RRULE')
  const more = timesOf(lines, 'RDATE', zones)
  const isExcluded = excluder([...timesOf(lines, 'EXDATE', zones), ...replaced], start)
  const first = isExcluded(start) ? null : nightsFrom(start, end, zones.floating)
  if (rules.length === 0 && more.length === 0) return first ? [first] : []

  const lengthMs = end === null ? null : startWallMs(end, start) - start.wallMs
  const horizonMs = Date.parse(addMonths(today, monthsAhead)) + dayMs - 1
  const found = new Map<string, DateRange>()
  let dates = 0
  const take = (time: LocalTime, nights: DateRange | null) => {
    const last = nights?.end ?? dateOf(time.wallMs + dayMs)
    if (isExcluded(time) || isPast({ start: last, end: last }, today)) return
    dates++
    if (nights) found.set(`${nights.start} ${nights.end}`, nights)
  }
  const at = (wallMs: number) => {
    const time = { ...start, wallMs }
    const until =
      lengthMs === null ? null : { ...start, isDate: end?.isDate ?? false, wallMs: wallMs + lengthMs }
    return { time, nights: nightsFrom(time, until, zones.floating) }
  }
  take(start, first)
  for (const time of more) {
    if (dates >= maxDates) break
    const wallMs = startWallMs(time, start)
    const each = at(start.isDate ? Date.parse(dateOf(wallMs)) : wallMs)
    if (each.time.wallMs <= horizonMs) take(each.time, each.nights)
  }
  for (const rule of rules)
    for (const wallMs of repetitions(rule.value, start, zones)) {
      if (dates >= maxDates || wallMs > horizonMs) break
      if (wallMs === start.wallMs) continue
      const { nights, time } = at(wallMs)
      take(time, nights)
    }
  return [...found.values()]
}

/** The occurrence that an event replaces by its RECURRENCE-ID, or null. */
export function recurrenceIdOf(lines: ContentLine[], zones: TimeZones): LocalTime | null {
  return timeOf(lines, 'RECURRENCE-ID', zones)
}

function timeOf(lines: ContentLine[], name: string, zones: TimeZones): LocalTime | null {
  const line = lines.find(each => each.name === name)
  return line ? parseTime(line.value, line.params.get('TZID'), zones) : null
}

/** The times in all lines of a name; for periods, their starts. */
function timesOf(lines: ContentLine[], name: string, zones: TimeZones): LocalTime[] {
  return lines
    .filter(line => line.name === name)
    .flatMap(({ params, value }) =>
      value
        .split(',')
        .filter(part => part.trim() !== '')
        .map(part => parseTime(part.split('/')[0] ?? '', params.get('TZID'), zones)),
    )
}

function endOf(lines: ContentLine[], start: LocalTime, zones: TimeZones): LocalTime | null {
  const end = timeOf(lines, 'DTEND', zones)
  if (end !== null) return end
  const duration = textOf(lines, 'DURATION')
  if (duration === undefined) return null
  const ms = parseDuration(duration)
  // Part of a day counts as a whole day, so it takes a night.
  return { ...start, wallMs: start.wallMs + (start.isDate ? Math.ceil(ms / dayMs) * dayMs : ms) }
}

/** Converts a time to the wall-clock time of the event's start zone. */
function startWallMs(time: LocalTime, start: LocalTime): number {
  if (time.isDate || start.isDate || time.zone === start.zone) return time.wallMs
  return start.zone.toWallTime(time.zone.toTimestamp(time.wallMs))
}

/** Whether an occurrence is excluded; an excluded date excludes every occurrence that begins on it. */
function excluder(times: LocalTime[], start: LocalTime): (time: LocalTime) => boolean {
  if (times.length === 0) return () => false
  const dates = new Set(
    times.filter(({ isDate }) => isDate || start.isDate).map(({ wallMs }) => dateOf(wallMs)),
  )
  const startTimes = new Set(times.filter(({ isDate }) => !isDate).map(time => startWallMs(time, start)))
  return ({ wallMs }) => dates.has(dateOf(wallMs)) || startTimes.has(wallMs)
}

/** The occurrence starts of a rule, in the wall-clock time of the event's start zone. @throws UnreadableEvent */
function* repetitions(rule: string, start: LocalTime, zones: TimeZones): Generator<number> {
  const parts = rule.trim().split(';')
  const until = parts.find(part => /^UNTIL=/i.test(part))?.slice('UNTIL='.length)
  // ical.js would roll over an invalid date and compare UTC time with wall-clock time, so UNTIL is handled here.
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : lastStartMs(until, start, zones)
  const iterator = iteratorOf(parts.filter(part => part !== '' && !/^UNTIL=/i.test(part)).join(';'), start)
  for (let next = iterator.next(); next; next = iterator.next()) {
    const wallMs = Date.UTC(next.year, next.month - 1, next.day, next.hour, next.minute, next.second)
    if (wallMs > untilMs) return
    yield wallMs
  }
}

function iteratorOf(rule: string, start: LocalTime) {
  try {
    return ICAL.Recur.fromString(rule).iterator(toIcalTime(start))
  } catch (cause) {
    throw new UnreadableEvent('a rule that cannot be read', { cause })
  }
}

function lastStartMs(until: string, start: LocalTime, zones: TimeZones): number {
  const time = parseTime(until, undefined, zones)
  if (start.isDate) return Date.parse(dateOf(time.wallMs))
  if (time.isDate) return time.wallMs + dayMs - 1
  // UNTIL without a time zone is in the zone of the start, not of the property.
  return time.zone === zones.floating ? time.wallMs : startWallMs(time, start)
}
