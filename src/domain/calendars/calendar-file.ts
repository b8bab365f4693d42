import {
  addDays,
  type CalendarDate,
  type DateRange,
  formatShortDate,
  isCalendarDate,
} from '../common/dates.ts'

/** An event of a calendar: all-day, unless it has times. */
export type FileEvent = DateRange & {
  uid: string
  /** How often its dates changed (CAL-54). */
  sequence: number
  /** When its dates last changed, as a UTC ISO timestamp. */
  changedAt: string
  summary: string
  description?: string
  location?: string
  url?: string
  /** UTC ISO timestamps; without them, the event is all-day. */
  times?: DateRange
  /** Opaque events block their nights; transparent ones are only informational. */
  isTransparent: boolean
}

/** A stay, imported event or run of blocked nights that exports include. */
export type PublishedStay = Pick<FileEvent, 'uid' | 'sequence' | 'changedAt' | keyof DateRange>

const maxLineOctets = 75
const isAscii = /^[ -~]*$/
/** How many days departures stay in the cleaner's calendar (CAL-56). */
export const departuresKeptDays = 30

/** The event for platforms: the taken nights, no guest data (CAL-52). */
export function platformEvent(stay: PublishedStay, isBlock: boolean): FileEvent {
  return { ...published(stay), summary: isBlock ? 'Blocked' : 'Booked', isTransparent: false }
}

/** The event for the owner: a guest's name and number, a feed's name or a block's reason (CAL-57). */
export function ownerEvent(stay: PublishedStay, summary: string): FileEvent {
  return { ...published(stay), summary, isTransparent: true }
}

/** The summary of a booking in the owner's calendar (CAL-57). */
export const bookingSummary = ({
  firstName,
  lastName,
  number,
}: {
  firstName: string
  lastName: string
  number: string
}): string => `${firstName} ${lastName} (${number})`

/** The events for the cleaner: a day for each departure, with the next arrival (CAL-56). */
export function cleaningEvents(stays: PublishedStay[], today: CalendarDate): FileEvent[] {
  const since = addDays(today, -departuresKeptDays)
  const arrivals = stays.map(({ start }) => start).sort()
  return stays
    .filter(({ end }) => end >= since)
    .map(stay => {
      const next = arrivals[firstAtLeast(arrivals, stay.end)]
      return {
        ...published(stay),
        start: stay.end,
        end: addDays(stay.end, 1),
        summary: next === stay.end ? 'Departure and arrival' : 'Departure',
        description: next === undefined ? 'No arrival planned' : `Next arrival: ${formatShortDate(next)}`,
        isTransparent: true,
      }
    })
}

/** The index of the first of the sorted dates that is not before `date`. */
function firstAtLeast(dates: readonly CalendarDate[], date: CalendarDate): number {
  let [from, to] = [0, dates.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((dates[middle] ?? date) < date) from = middle + 1
    else to = middle
  }
  return from
}

const published = ({ changedAt, end, sequence, start, uid }: PublishedStay) => ({
  uid,
  sequence,
  changedAt,
  start,
  end,
})

/**
 * Writes an iCalendar file (RFC 5545). The same events in any order give the same text (CAL-51, CAL-55).
 * @throws RangeError for a date or timestamp that an iCalendar file cannot represent
 */
export function writeCalendar(name: string, events: FileEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Condo Portal//Calendars//EN',
    `X-WR-CALNAME:${escapeText(name)}`,
    ...[...events].sort(byStartAndUid).flatMap(eventLines),
    'END:VCALENDAR',
  ]
  return lines.map(line => `${fold(line)}\r\n`).join('')
}

function byStartAndUid(a: FileEvent, b: FileEvent): number {
  if (a.start !== b.start) return a.start < b.start ? -1 : 1
  return a.uid === b.uid ? 0 : a.uid < b.uid ? -1 : 1
}

function eventLines(event: FileEvent): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(event.uid)}`,
    `DTSTAMP:${utcMoment(event.changedAt)}`,
    `SEQUENCE:${event.sequence}`,
    ...(event.times
      ? [`DTSTART:${utcMoment(event.times.start)}`, `DTEND:${utcMoment(event.times.end)}`]
      : [`DTSTART;VALUE=DATE:${basicDate(event.start)}`, `DTEND;VALUE=DATE:${basicDate(event.end)}`]),
    `SUMMARY:${escapeText(event.summary)}`,
    ...(event.description === undefined ? [] : [`DESCRIPTION:${escapeText(event.description)}`]),
    ...(event.location === undefined ? [] : [`LOCATION:${escapeText(event.location)}`]),
    ...(event.url === undefined ? [] : [`URL:${event.url}`]),
    `TRANSP:${event.isTransparent ? 'TRANSPARENT' : 'OPAQUE'}`,
    'END:VEVENT',
  ]
}

function basicDate(date: CalendarDate): string {
  if (!isCalendarDate(date)) throw new RangeError(`${date} is not a calendar date`)
  return date.replaceAll('-', '')
}

/** Drops fractions of a second: `2027-06-14T09:30:00.123Z` -> `20270614T093000Z`. */
const utcMoment = (moment: string): string =>
  `${new Date(moment).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** Escapes a text value, and removes line breaks and other control characters. */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\\;,]/g, found => `\\${found}`)
    .replaceAll(/\r\n|[\r\n\u2028\u2029\u0085]/g, '\\n')
    .replaceAll('\t', ' ')
    .replaceAll(/\p{Cc}/gu, '')
}

/**
 * Folds a line into pieces of at most 75 octets without splitting a character; continuation lines begin with a space.
 */
function fold(line: string): string {
  if (line.length <= maxLineOctets && isAscii.test(line)) return line
  const pieces: string[] = []
  let piece = ''
  let octets = 0
  for (const character of line) {
    const size = octetsOf(character)
    if (octets + size > maxLineOctets) {
      pieces.push(piece)
      piece = ' '
      octets = 1
    }
    piece += character
    octets += size
  }
  return [...pieces, piece].join('\r\n')
}

function octetsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
