import { and, asc, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { calendarEvents, calendarFeeds } from '../../../db/schema.ts'
import { type EventKind, maxNightsAhead, sharedNights } from '../../domain/calendars/calendar-event.ts'
import {
  addDays,
  type CalendarDate,
  type DateRange,
  datesInRange,
  mergeOverlapping,
} from '../../domain/common/dates.ts'
import { toDateRanges } from '../../domain/common/stay.ts'

/** An event of another platform's calendar that takes its nights. */
export type ImportedEvent = DateRange & {
  eventId: string
  feedId: string
  feedName: string
  kind: EventKind
}

/**
 * Imported events that take a night of the half-open stay, by arrival; each with all its nights up to `maxNightsAhead`.
 * Echoes, released and ended events take none.
 */
export function importedWithin(db: Db | Tx, stay: DateRange, today: CalendarDate): ImportedEvent[] {
  const horizon = addDays(today, maxNightsAhead + 1)
  const wanted = sharedNights(stay, { start: stay.start, end: horizon })
  if (wanted === null) return []
  return db
    .select({
      eventId: calendarEvents.id,
      feedId: calendarEvents.feedId,
      feedName: calendarFeeds.name,
      kind: calendarEvents.kind,
      start: calendarEvents.start,
      end: calendarEvents.end,
    })
    .from(calendarEvents)
    .innerJoin(calendarFeeds, eq(calendarFeeds.id, calendarEvents.feedId))
    .where(
      and(
        isNull(calendarEvents.endedAt),
        isNull(calendarEvents.releasedAt),
        eq(calendarEvents.echo, false),
        gt(calendarEvents.end, wanted.start),
        lt(calendarEvents.start, wanted.end),
      ),
    )
    .orderBy(asc(calendarEvents.start), asc(calendarFeeds.name), asc(calendarEvents.id))
    .all()
    .map(event => ({ ...event, ...sharedNights(event, { start: event.start, end: horizon }) }))
}

/** The nights of a half-open stay that are taken on other platforms, each with the first event that takes the night. */
export function importedNights(
  db: Db | Tx,
  stay: DateRange,
  today: CalendarDate,
): Map<CalendarDate, ImportedEvent> {
  const nights = new Map<CalendarDate, ImportedEvent>()
  // By arrival, earlier events have taken every night from this event's arrival to the day before which all of them end.
  let { start: takenTo } = stay
  for (const event of importedWithin(db, stay, today)) {
    const fresh = sharedNights(event, { start: takenTo, end: stay.end })
    if (!fresh) continue
    for (const night of datesInRange(fresh)) nights.set(night, event)
    takenTo = fresh.end
  }
  return nights
}

/** The requested nights that a calendar takes. */
export type TakenNights = { feedName: string; nights: CalendarDate[] }

/** Calendars whose events take nights in `wanted`, which must be sorted, each with the nights that it takes. */
export function importedAmong(
  db: Db | Tx,
  wanted: readonly CalendarDate[],
  today: CalendarDate,
): TakenNights[] {
  const [first, last = first] = [wanted[0], wanted.at(-1)]
  if (first === undefined || last === undefined) return []
  const stay = { start: first, end: addDays(last, 1) }
  const byFeed = Map.groupBy(importedWithin(db, stay, today), ({ feedId }) => feedId)
  return [...byFeed.values()].flatMap(events => {
    const shared = events.flatMap(event => sharedNights(event, stay) ?? [])
    const taken = new Set(mergeOverlapping(shared).flatMap(datesInRange))
    const nights = wanted.filter(night => taken.has(night))
    const feedName = events[0]?.feedName ?? ''
    return nights.length > 0 ? [{ feedName, nights }] : []
  })
}

/** The parts of a message about taken nights: the names of the feeds, and the nights as ranges. */
export function describeTaken(taken: readonly TakenNights[]): { feeds: string; nights: DateRange[] } {
  return {
    feeds: inWords.format(new Set(taken.map(({ feedName }) => feedName))),
    nights: toDateRanges(taken.flatMap(({ nights }) => nights)),
  }
}

const inWords = new Intl.ListFormat('en-US')
