import {
  addDays,
  type CalendarDate,
  type DateRange,
  datesInRange,
  lastDate,
  mergeOverlapping,
} from '../common/dates.ts'

export const calendarProviders = ['airbnb', 'vrbo', 'booking', 'google', 'other'] as const
export type CalendarProvider = (typeof calendarProviders)[number]
/** Which events of a feed count: only reservations, or also what the platform's host blocked. */
export const feedModes = ['reservations', 'all'] as const
export type FeedMode = (typeof feedModes)[number]
export const eventKinds = ['reservation', 'block', 'unclear'] as const
export type EventKind = (typeof eventKinds)[number]
export const eventStates = ['active', 'missing', 'echo', 'released', 'ended'] as const
export type EventState = (typeof eventStates)[number]

/** An event as parsed from a feed: its nights, half-open. */
export type ReadEvent = { uid: string; kind: EventKind } & DateRange

/** An imported event as stored; timestamps are UTC ISO strings. */
export type CalendarEvent = ReadEvent & {
  id: string
  feedId: string
  /** The site's own nights coming back from the platform (CAL-47). */
  echo: boolean
  /** The last successful fetch that found the echo's nights in an export (CAL-48). */
  coveredAt: string | null
  lastSeenAt: string
  missingSince: string | null
  /** Consecutive successful fetches without this event. */
  misses: number
  releasedAt: string | null
  endedAt: string | null
}

/** How many days ahead events can take nights (CAL-25). */
export const maxNightsAhead = 1096
/** A feed whose events take one night more often than this is not a property's calendar. */
export const maxEventsPerNight = 20
/** More than a one-night stay for each night that an event can take. */
export const maxComingEvents = 1500

const hosts: [CalendarProvider, RegExp][] = [
  ['airbnb', /(^|\.)airbnb\.(com|cat|[a-z]{2}|com?\.[a-z]{2})$/],
  ['vrbo', /(^|\.)(vrbo|homeaway|abritel|fewo-direkt|stayz|bookabach)\.(com|[a-z]{2}|com?\.[a-z]{2})$/],
  ['booking', /(^|\.)booking\.com$/],
  ['google', /(^|\.)google\.com$/],
]

/** The platform of an address, guessed from its host (CAL-26). */
export function providerOf(url: string): CalendarProvider {
  const host = URL.parse(url)?.hostname ?? ''
  return hosts.find(([, pattern]) => pattern.test(host))?.[0] ?? 'other'
}

/** Whether the platform says which events are reservations. */
export const distinguishesKinds = (provider: CalendarProvider) => provider === 'airbnb' || provider === 'vrbo'

/** Only Airbnb and Vrbo distinguish reservations from blocks (CAL-27). */
export const defaultModeOf = (provider: CalendarProvider): FeedMode =>
  distinguishesKinds(provider) ? 'reservations' : 'all'

/** The kind of an event, from the platform's wording in its summary (CAL-26). */
export function kindOf(provider: CalendarProvider, summary: string): EventKind {
  if (!distinguishesKinds(provider)) return 'unclear'
  if (summary.startsWith('Reserved')) return 'reservation'
  return summary.startsWith('Blocked') || summary.includes('Not available') ? 'block' : 'unclear'
}

/** Start or end of an event as written, and its date in the property's time zone. */
export type EventTime = {
  written: CalendarDate
  /** A date without time of day. */
  isDate: boolean
  /** Written as 00:00:00. */
  isMidnight: boolean
  local: CalendarDate
}

/** The nights that an event takes, half-open; null if none (CAL-21, CAL-22). */
export function nightsOf(start: EventTime, end: EventTime | null): DateRange | null {
  const isAllDay = start.isDate || (end !== null && start.isMidnight && (end.isMidnight || end.isDate))
  if (!isAllDay) return nonEmptyOrNull({ start: start.local, end: end?.local ?? start.local })
  const first = start.written
  const last = end && (end.isDate || end.isMidnight ? end.written : end.local)
  return nonEmptyOrNull({ start: first, end: last !== null && last > first ? last : addDays(first, 1) })
}

const nonEmptyOrNull = (range: DateRange) => (range.start < range.end ? range : null)

export type CrowdingError = 'tooManyComing' | 'tooManyPerNight' | 'tooFarAhead'

/**
 * Why a feed with these events is refused, or null (FIX-26). Whoever runs the host must not be able to make the site
 * compare thousands of events with each other. An event without an end is fine, its nights are cut (CAL-25).
 */
export function crowdingError(events: readonly DateRange[], today: CalendarDate): CrowdingError | null {
  const coming = events.filter(event => !isPast(event, today))
  if (coming.length > maxComingEvents) return 'tooManyComing'
  const lastNight = addDays(today, maxNightsAhead)
  if (coming.some(({ start }) => start > lastNight)) return 'tooFarAhead'
  return overlapCounts(coming).some(others => others >= maxEventsPerNight) ? 'tooManyPerNight' : null
}

/** For each range, in order of their starts, how many of the earlier ones have not ended when it begins. */
export function overlapCounts(ranges: readonly DateRange[]): number[] {
  const [starts, ends] = [ranges.map(({ start }) => start).sort(), ranges.map(({ end }) => end).sort()]
  let ended = 0
  return starts.map((start, begun) => {
    while ((ends[ended] ?? lastDate) <= start) ended++
    return begun - ended
  })
}

/** Whether the last night of an event has passed (CAL-25). */
export const isPast = ({ end }: DateRange, today: CalendarDate): boolean => end <= today

/** Whether an imported event blocks nights at all (CAL-34, CAL-35, CAL-47). */
export function blocksNights(event: Pick<CalendarEvent, 'echo' | 'releasedAt' | 'endedAt'>): boolean {
  return event.endedAt === null && event.releasedAt === null && !event.echo
}

/** The part of an event's nights that is taken: from today on, up to the maximum days ahead; null if none. */
export function takenNights(event: DateRange, today: CalendarDate): DateRange | null {
  return sharedNights(event, { start: today, end: addDays(today, maxNightsAhead + 1) })
}

/** The nights that two half-open ranges share, or null. */
export function sharedNights(a: DateRange, b: DateRange): DateRange | null {
  const { start } = a.start > b.start ? a : b
  const { end } = a.end < b.end ? a : b
  return nonEmptyOrNull({ start, end })
}

/** An event's state as the owner sees it. */
export function eventStateOf(event: CalendarEvent): EventState {
  if (event.endedAt !== null) return 'ended'
  if (event.releasedAt !== null) return 'released'
  if (event.echo) return 'echo'
  return event.missingSince === null ? 'active' : 'missing'
}

/** The range plus `nights` on both sides (CAL-49). */
export function expandRange(range: DateRange, nights: number): DateRange {
  return { start: addDays(range.start, -nights), end: addDays(range.end, nights) }
}

/** How many nights, from today on, ended events took and no remaining event takes (CAL-34). */
export function freedNights(ended: DateRange[], staying: DateRange[], today: CalendarDate): number {
  const taken = nightsIn(staying, today)
  return [...nightsIn(ended, today)].filter(night => !taken.has(night)).length
}

function nightsIn(ranges: DateRange[], today: CalendarDate): Set<CalendarDate> {
  return new Set(
    mergeOverlapping(ranges.flatMap(range => takenNights(range, today) ?? [])).flatMap(datesInRange),
  )
}
