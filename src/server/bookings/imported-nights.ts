import { and, asc, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { calendarEvents, calendarFeeds } from '../../../db/schema.ts'
import { type EventKind, maxNightsAhead, sharedNights } from '../../domain/calendars/calendar-event.ts'
import {
  addDays,
  type CalendarDate,
  type DateRange,
  datesInRange,
  mergeOverlapping,
  overlaps,
} from '../../domain/common/dates.ts'
import { toDateRanges } from '../../domain/common/stay.ts'

/** An event of another platform's calendar that takes its nights. */
export type ImportedEvent = DateRange & {
  eventId: string
  feedId: string
  feedName: string
  uid: string
  kind: EventKind
}

/**
 * Imported events that take a night of the half-open stay, by arrival; each with all its nights up to `maxNightsAhead`.
 * Echoes, released and ended events take none.
 */
export function importedWithin(db: Db, stay: DateRange, today: CalendarDate): ImportedEvent[] {
  const horizon = addDays(today, maxNightsAhead + 1)
  const wanted = sharedNights(stay, { start: stay.start, end: horizon })
  if (wanted === null) return []
  return db
    .select({
      eventId: calendarEvents.id,
      feedId: calendarEvents.feedId,
      feedName: calendarFeeds.name,
      uid: calendarEvents.uid,
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

/** The parts of imported events that take nights of the `wanted` ranges, which must be sorted. */
export function importedAmong(db: Db, wanted: readonly DateRange[], today: CalendarDate): ImportedEvent[] {
  const [first, last] = [wanted[0], wanted.at(-1)]
  if (!first || !last) return []
  return importedWithin(db, { start: first.start, end: last.end }, today).flatMap(event =>
    wanted
      .filter(range => overlaps(range, event))
      .map(range => ({ ...event, ...sharedNights(event, range) })),
  )
}

/** The parts of a message about taken nights: the names of the feeds, and the nights as ranges. */
export function describeTaken(taken: readonly ImportedEvent[]): { feeds: string; nights: DateRange[] } {
  return {
    feeds: inWords.format(new Set(taken.map(({ feedName }) => feedName))),
    nights: toDateRanges(mergeOverlapping(taken).flatMap(datesInRange)),
  }
}

const inWords = new Intl.ListFormat('en-US')
