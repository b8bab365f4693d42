import { compare } from '../common/compare.ts'
import type { CalendarDate } from '../common/dates.ts'
import { hourMs } from '../common/durations.ts'
import { isEcho, isExported, type PlatformExport, shouldEndEcho } from './calendar-echo.ts'
import {
  blocksNights,
  type CalendarEvent,
  type CrowdingError,
  crowdingError,
  type FeedMode,
  isPast,
  type ReadEvent,
} from './calendar-event.ts'

/** A missing event ends at the third successful fetch without it, but not within two hours of the first (CAL-30). */
const missesToEnd = 3
const missingMs = 2 * hourMs
/** A feed that became empty frees its nights after a day (CAL-31). */
const emptyMs = 24 * hourMs

/** A successful fetch of a feed. */
export type Reading = {
  /** Null for a "not modified" response (CAL-13). */
  events: ReadEvent[] | null
  /** Number of events in the file, of any kind; 0 makes the feed empty (CAL-31). */
  eventCount: number
  /** Events that could not be parsed. If there are any, no event counts as missing (CAL-18). */
  unreadable: number
}

export type ReadingContext = {
  now: Date
  /** The date at the property. */
  today: CalendarDate
  mode: FeedMode
  /** Events whose UID ends with this domain are the site's own (CAL-46). */
  uidDomain: string
  /** Exports for this feed and exports without a feed, without this feed's own events. */
  exports: PlatformExport[]
  /** The last successful fetch before this one. If it is later than `now`, the clock was set back (CAL-33). */
  lastSuccessAt: string | null
  emptySince: string | null
}

/** The changes that a fetch makes to a feed's events. */
export type ReadingPlan = {
  added: NewCalendarEvent[]
  /** All stored events in their new state. */
  events: CalendarEvent[]
  moved: number
  /** Number of events not found and kept. */
  missing: number
  /** Number of events not found and ended by this fetch. */
  ended: number
  emptySince: string | null
  /** Former echoes that block their nights from now on (CAL-48). */
  endedEchoes: string[]
}
export type NewCalendarEvent = Omit<CalendarEvent, 'id' | 'feedId'>

/** Whether this site created the UID (CAL-46). */
export const isOwnUid = (uid: string, uidDomain: string): boolean =>
  uid.toLowerCase().endsWith(`@${uidDomain.toLowerCase()}`)

/**
 * Applies a successful fetch to a feed's stored events (CAL-28 to CAL-35, CAL-46 to CAL-48).
 * @param stored the feed's events; ended ones stay unchanged
 */
export function applyReading(
  stored: CalendarEvent[],
  reading: Reading,
  context: ReadingContext,
): ReadingPlan {
  const { exports, now, today } = context
  const at = now.toISOString()
  const live = stored.filter(({ endedAt }) => endedAt === null)
  const isEmpty = reading.events !== null ? reading.eventCount === 0 : context.emptySince !== null
  const nothing: Matches = { pairs: new Map(), replaced: new Map(), fresh: [] }
  const found = isEmpty ? nothing : match(live, reading, context)

  const next = new Map<string, CalendarEvent>()
  const isMoved = (event: CalendarEvent) => {
    const read = found.pairs.get(event.id)
    return read !== undefined && (read.start !== event.start || read.end !== event.end)
  }
  for (const event of live) {
    const read = found.pairs.get(event.id)
    if (read) next.set(event.id, seen(event, read, exports, context))
    else if (found.replaced.has(event.id)) next.set(event.id, { ...event, endedAt: at })
  }
  const moved = live.filter(isMoved).length

  const lost = live.filter(event => !next.has(event.id) && !isPast(event, today))
  const emptySince = isEmpty && lost.length > 0 ? earlier(context.emptySince, at) : null
  for (const event of lost) next.set(event.id, notSeen(event, reading, { ...context, emptySince }))

  const fresh = found.fresh
    .filter(event => !isPast(event, today))
    .map(event => newEvent(event, exports, context))
  const added = [...fresh, ...found.replaced.values()]
  const endedEchoes: string[] = []
  const events = stored.map(before => {
    const event = next.get(before.id) ?? before
    if (!event.echo || event.endedAt !== null) return event
    if (isExported(event, exports, today)) return { ...event, coveredAt: at }
    if (!shouldEndEcho(event, exports, now, today)) return event
    endedEchoes.push(event.id)
    return { ...event, echo: false }
  })
  const after = lost.map(({ id }) => next.get(id))
  const expired = after.filter(event => event?.endedAt).length
  const kept = lost.length - expired
  return {
    added,
    events,
    moved,
    missing: reading.unreadable > 0 ? 0 : kept,
    ended: expired + found.replaced.size,
    emptySince: kept > 0 ? emptySince : null,
    endedEchoes,
  }
}

/**
 * The plan if it stays within the limits of a file, together with the events that earlier files left behind (FIX-26).
 * Beyond them the missing ones, which would be kept for a while, end at once: a host must not be able to pile them up.
 */
export function limitPlan(
  plan: ReadingPlan,
  now: Date,
  today: CalendarDate,
): ReadingPlan | { problem: CrowdingError } {
  const problemOf = ({ added, events }: ReadingPlan) =>
    crowdingError([...events.filter(({ endedAt }) => endedAt === null), ...added], today)
  if (problemOf(plan) === null) return plan
  const events = plan.events.map(event =>
    event.endedAt === null && event.missingSince !== null && event.start > today
      ? { ...event, endedAt: now.toISOString() }
      : event,
  )
  const ended = events.filter((event, at) => event !== plan.events[at]).length
  const limited = {
    ...plan,
    events,
    ended: plan.ended + ended,
    missing: Math.max(0, plan.missing - ended),
  }
  const problem = problemOf(limited)
  return problem === null ? limited : { problem }
}

type Matches = {
  /** The fetched event of each stored one that was found, by id. */
  pairs: Map<string, ReadEvent>
  /** New events that take the place of stored ones, by their id. */
  replaced: Map<string, NewCalendarEvent>
  fresh: ReadEvent[]
}

/**
 * Pairs stored events with fetched ones, each at most once: by UID and dates, then by dates, then by UID. By dates
 * alone, the fetched event may be another guest's, who must not inherit a release, an echo or an acknowledged double
 * booking: unless the feed renews its UIDs, it replaces the stored one (CAL-28).
 */
function match(stored: CalendarEvent[], reading: Reading, context: ReadingContext): Matches {
  const { exports, mode, today, uidDomain } = context
  const pairs = new Map<string, ReadEvent>()
  const replaced = new Map<string, NewCalendarEvent>()
  // "Not modified": present events stay present, missing events stay missing.
  if (reading.events === null) {
    for (const event of stored) if (event.missingSince === null) pairs.set(event.id, event)
    return { pairs, replaced, fresh: [] }
  }
  const wanted = reading.events.filter(
    ({ kind, uid }) => !isOwnUid(uid, uidDomain) && (mode === 'all' || kind !== 'block'),
  )
  let left = pairBy(stored, wanted, pairs, sameUidAndDates)
  const keepsUids = [...pairs.values()].some(({ uid }) => uid !== '')
  const renewsUids = !keepsUids && areRenewed(stored, left, pairs)
  // Past stored events match only exactly; otherwise a series could move a coming event into the past.
  const coming = stored.filter(event => !isPast(event, today))
  const countIn = countByUid(reading.events)
  const countStored = countByUid(coming)
  const isOnly = ({ uid }: ReadEvent) => countIn.get(uid) === 1 && countStored.get(uid) === 1
  const withDates = new Map(pairs)
  left = pairBy(
    coming,
    left.filter(event => !isPast(event, today) || isOnly(event)),
    withDates,
    dates,
  )
  for (const event of coming) {
    const read = withDates.get(event.id)
    if (!read || pairs.has(event.id)) continue
    // Platforms may renew the UIDs of their blocks alone: without its day (CAL-48) an echo would circulate among them.
    // But one whose nights are free again and had left the feed before may be a guest's now.
    const cameBack = event.echo && event.missingSince !== null && !isExported(event, exports, today)
    if (!cameBack && (renewsUids || event.echo)) {
      pairs.set(event.id, read)
      continue
    }
    const successor = newEvent(read, exports, context)
    if (!blocksNights(event) || !successor.echo) replaced.set(event.id, successor)
    // If the feed keeps UIDs, this one goes missing. If that is unknown, it may be the same: its nights stay taken.
    else if (keepsUids) left.push(read)
    else replaced.set(event.id, { ...successor, echo: false, coveredAt: null })
  }
  // Events without a UID cannot be matched by UID.
  const others = coming.filter(({ id }) => !replaced.has(id))
  const fresh = pairBy(others, left, pairs, ({ uid }) => uid || null)
  return { pairs, replaced, fresh }
}

/** Whether several events, past ones too, were found with their dates under other UIDs: one alone may be chance. */
function areRenewed(stored: CalendarEvent[], left: ReadEvent[], pairs: ReadonlyMap<string, ReadEvent>) {
  const lost = new Set(stored.filter(({ id }) => !pairs.has(id)).map(dates))
  return new Set(left.map(dates).filter(each => lost.has(each))).size > 1
}

function countByUid(events: ReadEvent[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { uid } of events) counts.set(uid, (counts.get(uid) ?? 0) + 1)
  return counts
}

const dates = ({ end, start }: ReadEvent) => `${start} ${end}`
const sameUidAndDates = (event: ReadEvent) => `${dates(event)} ${event.uid}`

/**
 * Pairs events with the same key in order of dates, and returns the fetched events without a partner. Of stored events
 * with the same dates, one that blocks its nights goes first; pairing a released event or an echo instead would free
 * them.
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

// Field by field: a file may have thousands of events, for which joined keys take several times as long.
const byNights = (a: ReadEvent, b: ReadEvent) => compare(a.start, b.start) || compare(a.end, b.end)
const byDates = (a: ReadEvent, b: ReadEvent) => byNights(a, b) || compare(a.uid, b.uid)
const byDatesAndNights = (a: CalendarEvent, b: CalendarEvent) =>
  byNights(a, b) || Number(blocksNights(b)) - Number(blocksNights(a)) || compare(a.uid, b.uid)

/** A stored event that the fetch found. A moved event is checked again (CAL-29, CAL-35, CAL-47). */
function seen(
  event: CalendarEvent,
  read: ReadEvent,
  exports: PlatformExport[],
  { lastSuccessAt, now, today }: ReadingContext,
): CalendarEvent {
  const { end, kind, start, uid } = read
  const at = now.toISOString()
  const present = { ...event, uid, kind, lastSeenAt: at, missingSince: null, misses: 0 }
  // An event that the platform now calls a reservation is not an echo.
  if (start === event.start && end === event.end)
    return kind === 'reservation' ? { ...present, echo: false, coveredAt: null } : present
  // An echo that moves was the site's own before.
  const echo = isEcho(read, exports, { readAt: event.echo ? at : lastSuccessAt, today })
  return { ...present, start, end, echo, coveredAt: echo ? at : null, releasedAt: null }
}

function newEvent(
  { end, kind, start, uid }: ReadEvent,
  exports: PlatformExport[],
  { lastSuccessAt, now, today }: ReadingContext,
): NewCalendarEvent {
  const at = now.toISOString()
  const echo = isEcho({ uid, kind, start, end }, exports, { readAt: lastSuccessAt, today })
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

/** A stored event, not past, that the fetch did not find. */
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
  // The clock was set back, so the time since the first miss is unknown.
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

/** A feed's events after the owner confirms that it is empty (CAL-31), or removes it (CAL-34). */
export function endAllEvents(events: CalendarEvent[], now: Date): CalendarEvent[] {
  return endWhere(events, now, () => true)
}

/** A feed's events after its mode became `reservations` (CAL-27). */
export function endBlockEvents(events: CalendarEvent[], now: Date): CalendarEvent[] {
  return endWhere(events, now, ({ kind }) => kind === 'block')
}

function endWhere(events: CalendarEvent[], now: Date, test: (event: CalendarEvent) => boolean) {
  return events.map(event =>
    event.endedAt === null && test(event) ? { ...event, endedAt: now.toISOString() } : event,
  )
}
