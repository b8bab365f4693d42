import ICAL from 'ical.js'
import { type EventTime, nightsOf } from '../../../domain/calendars/calendar-event.ts'
import { type CalendarDate, type DateRange, isCalendarDate } from '../../../domain/common/dates.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { offsetMs } from '../../../domain/common/zoned-time.ts'
import type { Component, ContentLine } from './content-line.ts'

const lastMs = Date.UTC(9999, 11, 31)

/** Thrown for an event that cannot be read (CAL-18). */
export class UnreadableEvent extends Error {}

/** Converts wall-clock time to timestamps and back, in milliseconds; wall-clock time is encoded as if it were UTC. */
export type TimeZone = {
  toTimestamp: (wallMs: number) => number
  toWallTime: (timestampMs: number) => number
}
/** A date or time as written in the file: `wallMs` is its digits read as UTC. */
export type LocalTime = { wallMs: number; isDate: boolean; zone: TimeZone }

const utc: TimeZone = { toTimestamp: ms => ms, toWallTime: ms => ms }

/** Names of time zones in a file. A format takes memory that no limit of the worker counts (FIX-26). */
const maxZones = 100

/** The time zones of a file: by IANA name, else by the file's own VTIMEZONE (CAL-22). */
export type TimeZones = { floating: TimeZone; named: (tzid: string) => TimeZone }

export function createTimeZones(timeZone: string, vtimezones: Component[]): TimeZones {
  const floating = ianaZone(timeZone)
  const known = new Map<string, TimeZone>()
  const find = (tzid: string): TimeZone => {
    const iana = ianaName(tzid)
    if (iana !== undefined) return ianaZone(iana)
    const described = vtimezones.find(zone => textOf(zone.lines, 'TZID') === tzid)
    return (described && vtimezoneOf(described)) ?? floating
  }
  return {
    floating,
    named(tzid) {
      const found = known.get(tzid)
      if (found) return found
      if (known.size >= maxZones) throw new UnreadableEvent('too many time zones')
      const zone = find(tzid)
      known.set(tzid, zone)
      return zone
    },
  }
}

function ianaZone(timeZone: string): TimeZone {
  return {
    toTimestamp(wallMs) {
      const guess = wallMs - offsetMs(wallMs, timeZone)
      return wallMs - offsetMs(guess, timeZone)
    },
    toWallTime: timestampMs => timestampMs + offsetMs(timestampMs, timeZone),
  }
}

/** The canonical name of an IANA time zone, as the key of its cached format; undefined for other names. */
function ianaName(name: string): string | undefined {
  if (!/^[a-z]/i.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

const zoneLines = ['TZOFFSETFROM', 'TZOFFSETTO', 'DTSTART', 'RRULE', 'RDATE']

/** The time zone of a VTIMEZONE; null if it cannot be read. */
function vtimezoneOf(vtimezone: Component): TimeZone | null {
  const parts = vtimezone.components.filter(({ name }) => name === 'STANDARD' || name === 'DAYLIGHT')
  const text = parts.flatMap(({ lines, name }) => [
    `BEGIN:${name}`,
    ...lines.filter(line => zoneLines.includes(line.name)).map(line => `${line.name}:${line.value}`),
    `END:${name}`,
  ])
  try {
    const component = new ICAL.Component(
      ICAL.parse(['BEGIN:VTIMEZONE', 'TZID:own', ...text, 'END:VTIMEZONE'].join('\r\n')),
    )
    const zone = new ICAL.Timezone({ component })
    const offset = (ms: number) => zone.utcOffset(toIcalTime({ wallMs: ms, isDate: false })) * 1000
    offset(Date.UTC(2000, 0, 1))
    return { toTimestamp: wallMs => wallMs - offset(wallMs), toWallTime: ms => ms + offset(ms) }
  } catch {
    return null
  }
}

export function toIcalTime({ isDate, wallMs }: Pick<LocalTime, 'wallMs' | 'isDate'>) {
  const date = new Date(wallMs)
  return new ICAL.Time(
    {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
      isDate,
    },
    ICAL.Timezone.localTimezone,
  )
}

export const textOf = (lines: ContentLine[], name: string): string | undefined =>
  lines.find(line => line.name === name)?.value

const timePattern = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)(Z?)|Z?)$/i

/**
 * Parses a date or time. Not with ical.js, which would roll month 13 over into the next year.
 * @throws UnreadableEvent for an invalid date or time
 */
export function parseTime(text: string, tzid: string | undefined, zones: TimeZones): LocalTime {
  const match = timePattern.exec(text.trim())
  const [, year, month, day, hour, minute, second, zulu] = match ?? []
  const date = `${year}-${month}-${day}`
  if (!match || !isCalendarDate(date)) throw new UnreadableEvent('a date that does not exist')
  if (hour === undefined) return { wallMs: Date.parse(date), isDate: true, zone: zones.floating }
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60)
    throw new UnreadableEvent('a time that does not exist')
  const wallMs =
    Date.parse(date) + (Number(hour) * 3600 + Number(minute) * 60 + Math.min(Number(second), 59)) * 1000
  const zone = zulu ? utc : tzid === undefined ? zones.floating : zones.named(tzid)
  return { wallMs, isDate: false, zone }
}

const durationPattern =
  /^([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/i

/** Parses a duration, in milliseconds. @throws UnreadableEvent */
export function parseDuration(text: string): number {
  const match = durationPattern.exec(text.trim())
  if (!match || match.slice(2).every(part => part === undefined)) throw new UnreadableEvent('no duration')
  const [weeks, days, hours, minutes, seconds] = match.slice(2).map(part => Number(part ?? 0))
  const total = [weeks, days, hours, minutes, seconds].reduce<number>(
    (sum, count = 0, at) => sum + count * ([7 * dayMs, dayMs, 3_600_000, 60_000, 1000][at] ?? 0),
    0,
  )
  return match[1] === '-' ? -total : total
}

/** The nights between two times; null if there are none (CAL-21, CAL-22). */
export function nightsFrom(start: LocalTime, end: LocalTime | null, floating: TimeZone): DateRange | null {
  const written = (time: LocalTime): EventTime => ({
    written: dateOf(time.wallMs),
    isDate: time.isDate,
    isMidnight: !time.isDate && time.wallMs % dayMs === 0,
    local: dateOf(
      time.isDate || time.zone === floating
        ? time.wallMs
        : floating.toWallTime(time.zone.toTimestamp(time.wallMs)),
    ),
  })
  return nightsOf(written(start), end && written(end))
}

export const dateOf = (wallMs: number): CalendarDate =>
  new Date(Math.min(wallMs, lastMs)).toISOString().slice(0, 10)
