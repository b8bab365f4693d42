import { addDays, type CalendarDate, type DateRange, formatShortDate, isCalendarDate } from './dates.ts'

/** An all-day event of a calendar that this site gives out. */
export type FileEvent = DateRange & {
  uid: string
  /** How often its dates were changed (CAL-54). */
  sequence: number
  /** When its dates were changed last: a UTC ISO moment. */
  changedAt: string
  summary: string
  description?: string
  /** Opaque events take their nights, transparent ones are for information. */
  isTransparent: boolean
}

/** A stay, imported event or run of blocked nights that exports include. */
export type PublishedStay = Pick<FileEvent, 'uid' | 'sequence' | 'changedAt' | keyof DateRange>

const maxLineOctets = 75
const isAscii = /^[ -~]*$/
/** How long ago departures stay in the cleaner's calendar (CAL-56). */
export const departuresKeptDays = 30

/** What a platform reads: taken nights, and nothing of who takes them (CAL-52). */
export function platformEvent(stay: PublishedStay, isBlock: boolean): FileEvent {
  return { ...published(stay), summary: isBlock ? 'Blocked' : 'Booked', isTransparent: false }
}

/** What the owner reads: a guest's name and number, a feed's name or a block's reason (CAL-57). */
export function ownerEvent(stay: PublishedStay, summary: string): FileEvent {
  return { ...published(stay), summary, isTransparent: true }
}

/** A booking in the owner's calendar (CAL-57). */
export const bookingSummary = ({
  firstName,
  lastName,
  number,
}: {
  firstName: string
  lastName: string
  number: string
}): string => `${firstName} ${lastName} (${number})`

/** What the cleaner reads: a day for each departure, and the next arrival (CAL-56). */
export function cleaningEvents(stays: PublishedStay[], today: CalendarDate): FileEvent[] {
  const since = addDays(today, -departuresKeptDays)
  const arrivals = stays.map(({ start }) => start).sort()
  return stays
    .filter(({ end }) => end >= since)
    .map(stay => {
      const next = arrivals.find(arrival => arrival >= stay.end)
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

const published = ({ changedAt, end, sequence, start, uid }: PublishedStay) => ({
  uid,
  sequence,
  changedAt,
  start,
  end,
})

/**
 * An iCalendar file by RFC 5545; the same events make the same text, in whatever order they come (CAL-51, CAL-55).
 * @throws RangeError for a date or moment that an iCalendar file cannot hold
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
  const [one, other] = [`${a.start} ${a.uid}`, `${b.start} ${b.uid}`]
  return one === other ? 0 : one < other ? -1 : 1
}

function eventLines(event: FileEvent): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(event.uid)}`,
    `DTSTAMP:${utcMoment(event.changedAt)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTART;VALUE=DATE:${basicDate(event.start)}`,
    `DTEND;VALUE=DATE:${basicDate(event.end)}`,
    `SUMMARY:${escapeText(event.summary)}`,
    ...(event.description === undefined ? [] : [`DESCRIPTION:${escapeText(event.description)}`]),
    `TRANSP:${event.isTransparent ? 'TRANSPARENT' : 'OPAQUE'}`,
    'END:VEVENT',
  ]
}

function basicDate(date: CalendarDate): string {
  if (!isCalendarDate(date)) throw new RangeError(`${date} is not a calendar date`)
  return date.replaceAll('-', '')
}

/** Whole seconds: `2027-06-14T09:30:00.123Z` -> `20270614T093000Z`. */
const utcMoment = (moment: string): string =>
  `${new Date(moment).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** A text value: no line break or other control character is left in it. */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\\;,]/g, found => `\\${found}`)
    .replaceAll(/\r\n|[\r\n\u2028\u2029\u0085]/g, '\\n')
    .replaceAll('\t', ' ')
    .replaceAll(/\p{Cc}/gu, '')
}

/** A line broken into pieces of at most 75 octets, each character whole; further pieces begin with a blank. */
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
