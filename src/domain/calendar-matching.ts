import { echoEnds, isEcho, isExported, type PlatformExport } from './calendar-echo.ts'
import { blocksNights, type CalendarEvent, type FeedMode, isOver, type ReadEvent } from './calendar-event.ts'
import type { CalendarDate } from './dates.ts'

const hourMs = 3_600_000
/** A missing event ends at the third good reading without it, and not within two hours of the first (CAL-30). */
const missesToEnd = 3
const missingMs = 2 * hourMs
/** A feed that became empty frees its nights after a day (CAL-31). */
const emptyMs = 24 * hourMs

/** A feed's good reading. */
export type Reading = {
  /** Null for one that says that nothing changed (CAL-13). */
  events: ReadEvent[] | null
  /** How many events the file has, of any kind; 0 makes the feed empty (CAL-31). */
  eventCount: number
  /** Events that could not be read; with one, nothing counts as missing (CAL-18). */
  unreadable: number
}

export type ReadingContext = {
  now: Date
  /** At the property. */
  today: CalendarDate
  mode: FeedMode
  /** UIDs that end with it are our own (CAL-46). */
  uidDomain: string
  /**
   * Platform exports for this feed or for none. One for none also holds nights of this feed's own events: `present` are
   * the unchanged ones; only their nights count, or an event that is split would look like an echo.
   */
  exportsWith: (present: ReadonlySet<string>) => PlatformExport[]
  /** The last good reading before this one; an earlier clock has gone back (CAL-33). */
  lastSuccessAt: string | null
  emptySince: string | null
}

/** The changes of a reading to a feed's events. */
export type ReadingPlan = {
  added: NewCalendarEvent[]
  /** Stored events as they are from now on, all that were given. */
  events: CalendarEvent[]
  moved: number
  /** Not found and kept. */
  missing: number
  /** Not found and ended by this reading. */
  ended: number
  emptySince: string | null
  /** Echoes that take their nights from now on (CAL-48). */
  endedEchoes: string[]
}
export type NewCalendarEvent = Omit<CalendarEvent, 'id' | 'feedId'>

/** A UID that this site gave out (CAL-46). */
export const isOwnUid = (uid: string, uidDomain: string): boolean =>
  uid.toLowerCase().endsWith(`@${uidDomain.toLowerCase()}`)

/**
 * Applies a good reading to a feed's stored events (CAL-28 to CAL-35, CAL-46 to CAL-48).
 * @param stored the feed's events; ended ones stay as they are
 */
export function applyReading(
  stored: CalendarEvent[],
  reading: Reading,
  context: ReadingContext,
): ReadingPlan {
  const { now, today } = context
  const at = now.toISOString()
  const live = stored.filter(({ endedAt }) => endedAt === null)
  const isEmpty = reading.events !== null ? reading.eventCount === 0 : context.emptySince !== null
  const found = isEmpty ? { pairs: new Map<string, ReadEvent>(), fresh: [] } : match(live, reading, context)

  const next = new Map<string, CalendarEvent>()
  const isMoved = (event: CalendarEvent) => {
    const read = found.pairs.get(event.id)
    return read !== undefined && (read.start !== event.start || read.end !== event.end)
  }
  const present = live.filter(event => found.pairs.has(event.id) && !isMoved(event) && blocksNights(event))
  const exports = context.exportsWith(new Set(present.map(({ id }) => id)))
  for (const event of live) {
    const read = found.pairs.get(event.id)
    if (read) next.set(event.id, seen(event, read, exports, context))
  }
  const moved = live.filter(isMoved).length

  const lost = live.filter(event => !next.has(event.id) && !isOver(event, today))
  const emptySince = isEmpty && lost.length > 0 ? earlier(context.emptySince, at) : null
  for (const event of lost) next.set(event.id, notSeen(event, reading, { ...context, emptySince }))

  const added = found.fresh
    .filter(event => !isOver(event, today))
    .map(event => newEvent(event, exports, context))
  const endedEchoes: string[] = []
  const events = stored.map(before => {
    const event = next.get(before.id) ?? before
    if (!event.echo || event.endedAt !== null) return event
    if (isExported(event, exports, today)) return { ...event, coveredAt: at }
    if (!echoEnds(event, exports, now, today)) return event
    endedEchoes.push(event.id)
    return { ...event, echo: false }
  })
  const after = lost.map(({ id }) => next.get(id))
  const ended = after.filter(event => event?.endedAt).length
  const kept = lost.length - ended
  return {
    added,
    events,
    moved,
    missing: reading.unreadable > 0 ? 0 : kept,
    ended,
    emptySince: kept > 0 ? emptySince : null,
    endedEchoes,
  }
}

/** Pairs stored events with those of the reading: by UID and dates, by dates, by UID; each once (CAL-28). */
function match(stored: CalendarEvent[], reading: Reading, { mode, today, uidDomain }: ReadingContext) {
  const pairs = new Map<string, ReadEvent>()
  // Nothing changed: what was there is there, what was missing is missing.
  if (reading.events === null) {
    for (const event of stored) if (event.missingSince === null) pairs.set(event.id, event)
    return { pairs, fresh: [] }
  }
  const wanted = reading.events.filter(
    ({ kind, uid }) => !isOwnUid(uid, uidDomain) && (mode === 'all' || kind !== 'block'),
  )
  let left = pairBy(stored, wanted, pairs, sameUidAndDates)
  // What is over only keeps what it was; a series must not pull a coming event into the past.
  const coming = stored.filter(event => !isOver(event, today))
  const countIn = countByUid(reading.events)
  const countStored = countByUid(coming)
  const isOnly = ({ uid }: ReadEvent) => countIn.get(uid) === 1 && countStored.get(uid) === 1
  left = pairBy(
    coming,
    left.filter(event => !isOver(event, today) || isOnly(event)),
    pairs,
    dates,
  )
  // Events without a UID have nothing to be known by.
  const fresh = pairBy(coming, left, pairs, ({ uid }) => uid || null)
  return { pairs, fresh }
}

function countByUid(events: ReadEvent[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { uid } of events) counts.set(uid, (counts.get(uid) ?? 0) + 1)
  return counts
}

const dates = ({ end, start }: ReadEvent) => `${start} ${end}`
const sameUidAndDates = (event: ReadEvent) => `${dates(event)} ${event.uid}`

/**
 * Pairs what has the same key, in the order of dates; answers what is left of the reading. Of stored events with the same
 * dates one that takes its nights is matched first: a released one or an echo would free them.
 */
function pairBy(
  stored: CalendarEvent[],
  read: ReadEvent[],
  pairs: Map<string, ReadEvent>,
  keyOf: (event: ReadEvent) => string | null,
): ReadEvent[] {
  const inOrder = stored.filter(({ id }) => !pairs.has(id)).sort(byDatesAndNights)
  const waiting = Map.groupBy(inOrder, keyOf)
  return [...read].sort(byDates).filter(event => {
    const key = keyOf(event)
    const partner = key === null ? undefined : waiting.get(key)?.shift()
    if (partner) pairs.set(partner.id, event)
    return partner === undefined
  })
}

const byDates = (a: ReadEvent, b: ReadEvent) =>
  sameUidAndDates(a) < sameUidAndDates(b) ? -1 : sameUidAndDates(a) > sameUidAndDates(b) ? 1 : 0

function byDatesAndNights(a: CalendarEvent, b: CalendarEvent): number {
  if (dates(a) !== dates(b) || blocksNights(a) === blocksNights(b)) return byDates(a, b)
  return blocksNights(a) ? -1 : 1
}

/** A stored event that the reading has; a move is decided again (CAL-29, CAL-35, CAL-47). */
function seen(
  event: CalendarEvent,
  read: ReadEvent,
  exports: PlatformExport[],
  { now, today }: ReadingContext,
): CalendarEvent {
  const { end, kind, start, uid } = read
  const at = now.toISOString()
  const present = { ...event, uid, kind, lastSeenAt: at, missingSince: null, misses: 0 }
  // What the platform now calls a reservation is not our own.
  if (start === event.start && end === event.end)
    return kind === 'reservation' ? { ...present, echo: false, coveredAt: null } : present
  const echo = isEcho(read, kind, exports, today)
  return { ...present, start, end, echo, coveredAt: echo ? at : null, releasedAt: null }
}

function newEvent(
  { end, kind, start, uid }: ReadEvent,
  exports: PlatformExport[],
  { now, today }: ReadingContext,
): NewCalendarEvent {
  const at = now.toISOString()
  const echo = isEcho({ start, end }, kind, exports, today)
  return {
    uid,
    kind,
    start,
    end,
    echo,
    coveredAt: echo ? at : null,
    lastSeenAt: at,
    missingSince: null,
    misses: 0,
    releasedAt: null,
    endedAt: null,
  }
}

/** A stored event, not over, that the reading does not have. */
function notSeen(
  event: CalendarEvent,
  { unreadable }: Reading,
  { emptySince, lastSuccessAt, now, today }: ReadingContext,
): CalendarEvent {
  const at = now.toISOString()
  const hasBegun = event.start <= today
  const wentBack = [lastSuccessAt, event.lastSeenAt, event.missingSince].some(
    known => known !== null && known > at,
  )
  const end = (isDue: boolean, missing: CalendarEvent) =>
    isDue && !hasBegun && !wentBack ? { ...missing, endedAt: at } : missing
  if (unreadable > 0) return event
  if (emptySince !== null) {
    const missing = { ...event, missingSince: event.missingSince ?? at }
    return end(isSince(emptySince, now, emptyMs), missing)
  }
  // The clock went back: the hours since the first miss are not known any more.
  const misses = wentBack ? 1 : event.misses + 1
  const missingSince = wentBack ? at : (event.missingSince ?? at)
  return end(misses >= missesToEnd && isSince(missingSince, now, missingMs), {
    ...event,
    misses,
    missingSince,
  })
}

const earlier = (known: string | null, at: string) => (known !== null && known < at ? known : at)
const isSince = (moment: string, now: Date, ms: number) => now.getTime() - Date.parse(moment) >= ms

/** A feed's events once the owner confirms that it is empty (CAL-31), or removes it (CAL-34). */
export function endAll(events: CalendarEvent[], now: Date): CalendarEvent[] {
  return endWhere(events, now, () => true)
}

/** A feed's events after its mode became `reservations` (CAL-27). */
export function endBlocks(events: CalendarEvent[], now: Date): CalendarEvent[] {
  return endWhere(events, now, ({ kind }) => kind === 'block')
}

function endWhere(events: CalendarEvent[], now: Date, test: (event: CalendarEvent) => boolean) {
  return events.map(event =>
    event.endedAt === null && test(event) ? { ...event, endedAt: now.toISOString() } : event,
  )
}
