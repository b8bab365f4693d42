import { createContext, Script } from 'node:vm'
import {
  type CalendarProvider,
  type CrowdingError,
  crowdingError,
  kindOf,
  type ReadEvent,
} from '../../../domain/calendars/calendar-event.ts'
import type { readingErrors } from '../../../domain/calendars/calendar-messages.ts'
import type { CalendarDate } from '../../../domain/common/dates.ts'
import { type Component, findComponents, unfold } from './content-line.ts'
import { occurrencesOf, recurrenceIdOf } from './event-occurrences.ts'
import { createTimeZones, type LocalTime, textOf } from './local-time.ts'
import { shortUid } from './short-uid.ts'

const maxEvents = 5000
const maxEventMs = 1000
const maxFeedMs = 5000

export type ParseInput = {
  /** The fetched file, decompressed. */
  bytes: Uint8Array
  provider: CalendarProvider
  /** Today's date at the property. */
  today: CalendarDate
  /** The property's time zone, which applies to times without a zone. */
  timeZone: string
}
export type ParseProblem = keyof Pick<
  typeof readingErrors,
  'noCalendar' | 'brokenOff' | 'tooManyEvents' | 'tooSlow' | CrowdingError
>
/** The content of a file, without summaries, descriptions or names (CAL-20). */
export type ParsedCalendar =
  | { problem: ParseProblem }
  | {
      events: ReadEvent[]
      /** The number of events of any kind, including those that take no nights. */
      eventCount: number
      unreadable: number
    }

/** Parses a calendar file (CAL-14, CAL-18 to CAL-26). Never throws for any input; takes at most 5 seconds. */
export function parseCalendar({ bytes, provider, timeZone, today }: ParseInput): ParsedCalendar {
  const endsAt = performance.now() + maxFeedMs
  const lines = unfold(new TextDecoder().decode(bytes))
  if (!/^\s*BEGIN:VCALENDAR\s*$/i.test(lines[0] ?? '')) return { problem: 'noCalendar' }
  if (!/^END:VCALENDAR$/i.test(lines.at(-1) ?? '')) return { problem: 'brokenOff' }
  const found = findComponents(lines, ['VEVENT', 'VTIMEZONE'])
  if (!found) return { problem: 'brokenOff' }
  const vevents = found.filter(({ name }) => name === 'VEVENT')
  if (vevents.length > maxEvents) return { problem: 'tooManyEvents' }
  const zones = createTimeZones(
    timeZone,
    found.filter(({ name }) => name === 'VTIMEZONE'),
  )

  const events = new Map<string, ReadEvent>()
  const replaced = new Map<string, LocalTime[]>()
  let unreadable = 0
  // Events that replace an occurrence come first, so that the series is expanded without that occurrence.
  const inOrder = [...vevents.filter(isReplacement), ...vevents.filter(event => !isReplacement(event))]
  for (const vevent of inOrder) {
    const leftMs = endsAt - performance.now()
    if (leftMs <= 0) return { problem: 'tooSlow' }
    try {
      const work = () => readEvent(vevent)
      for (const event of mayLoop(vevent) ? within(Math.min(maxEventMs, leftMs), work) : work()) {
        const key = `${event.start} ${event.end} ${event.uid}`
        // A block does not replace a reservation with the same UID and dates.
        if (event.kind !== 'block' || !events.has(key)) events.set(key, event)
      }
    } catch {
      if (performance.now() >= endsAt) return { problem: 'tooSlow' }
      unreadable++
    }
    if (events.size > maxEvents) return { problem: 'tooManyEvents' }
  }
  const read = [...events.values()]
  const problem = crowdingError(read, today)
  return problem === null ? { events: read, eventCount: vevents.length, unreadable } : { problem }

  function readEvent(vevent: Component): ReadEvent[] {
    const { isBroken, lines } = vevent
    if (isBroken) throw new Error('its end is missing')
    const uid = shortUid((textOf(lines, 'UID') ?? '').trim())
    const recurrenceId = recurrenceIdOf(lines, zones)
    const counts = isCounted(lines)
    const nights = counts
      ? occurrencesOf(lines, recurrenceId ? [] : (replaced.get(uid) ?? []), zones, today)
      : []
    if (recurrenceId && uid !== '') replaced.set(uid, [...(replaced.get(uid) ?? []), recurrenceId])
    const kind = kindOf(provider, (textOf(lines, 'SUMMARY') ?? '').trim())
    return nights.map(range => ({ uid, kind, ...range }))
  }
}

const isReplacement = ({ lines }: Component) => lines.some(({ name }) => name === 'RECURRENCE-ID')

/** Whether the event counts: canceled and transparent events are ignored (CAL-24). */
function isCounted(lines: Component['lines']): boolean {
  const is = (name: string, value: string) => textOf(lines, name)?.trim().toUpperCase() === value
  return !is('STATUS', 'CANCELLED') && !is('TRANSP', 'TRANSPARENT')
}

/** Whether ical.js handles a rule or a VTIMEZONE of this event, which can loop forever. */
const mayLoop = ({ lines }: Component) =>
  lines.some(({ name, params }) => name === 'RRULE' || params.has('TZID'))

const sandbox: { run?: () => unknown } = {}
const context = createContext(sandbox)
const script = new Script('run()')

/** Runs a function with a timeout: a single call of ical.js's iterator can loop forever. */
function within<T>(ms: number, run: () => T): T {
  sandbox.run = run
  return script.runInContext(context, { timeout: Math.ceil(ms) }) as T
}
