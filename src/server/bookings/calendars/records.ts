import { and, asc, count, eq, getTableColumns, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { calendarEvents, calendarExports, calendarFeeds } from '../../../../db/schema.ts'
import type { CalendarDate } from '../../../domain/common/dates.ts'
import { AppError } from '../../../domain/common/errors.ts'

export type FeedRow = typeof calendarFeeds.$inferSelect
export type EventRow = typeof calendarEvents.$inferSelect
export type ExportRow = typeof calendarExports.$inferSelect

/** Feeds that were not removed, oldest first. */
export function listFeedRows(db: Db): FeedRow[] {
  return db
    .select()
    .from(calendarFeeds)
    .where(isNull(calendarFeeds.removedAt))
    .orderBy(asc(calendarFeeds.createdAt), sql`${calendarFeeds}.rowid`)
    .all()
}

/** @throws AppError not_found for an unknown or removed feed */
export function loadFeed(db: Db, id: string): FeedRow {
  const row = db
    .select()
    .from(calendarFeeds)
    .where(and(eq(calendarFeeds.id, id), isNull(calendarFeeds.removedAt)))
    .get()
  if (!row) throw new AppError('not_found', 'Calendar not found')
  return row
}

/** A feed's events that have not ended, by night. */
export function liveEventsOf(db: Db, feedId: string): EventRow[] {
  return db
    .select()
    .from(calendarEvents)
    .where(and(eq(calendarEvents.feedId, feedId), isNull(calendarEvents.endedAt)))
    .orderBy(asc(calendarEvents.start), asc(calendarEvents.id))
    .all()
}

/** How many of a feed's events take nights from today on. */
export function countBlocking(db: Db, feedId: string, today: CalendarDate): number {
  const isItsOwn = eq(calendarEvents.feedId, feedId)
  const row = db
    .select({ blocking: count() })
    .from(calendarEvents)
    .where(and(isItsOwn, takesNights(today)))
    .get()
  return row?.blocking ?? 0
}

/** A feed's events that take nights from today on since their 24 hours as an echo ended, by night (CAL-48). */
export function listEndedEchoes(db: Db, feedId: string, today: CalendarDate): EventRow[] {
  return db
    .select()
    .from(calendarEvents)
    .where(and(eq(calendarEvents.feedId, feedId), isNotNull(calendarEvents.coveredAt), takesNights(today)))
    .orderBy(asc(calendarEvents.start), asc(calendarEvents.id))
    .all()
}

/** Events that take nights from today on: `blocksNights` is true and they are not over. Only what comparing needs. */
export function blockingEvents(db: Db, today: CalendarDate) {
  const { echo, end, endedAt, feedId, id, kind, releasedAt, start } = calendarEvents
  return db
    .select({ id, feedId, kind, start, end, echo, releasedAt, endedAt })
    .from(calendarEvents)
    .where(takesNights(today))
    .orderBy(asc(start), asc(id))
    .all()
}

const takesNights = (today: CalendarDate) =>
  and(
    isNull(calendarEvents.endedAt),
    isNull(calendarEvents.releasedAt),
    eq(calendarEvents.echo, false),
    gt(calendarEvents.end, today),
  )

/** All echoes that have not ended, by night. */
export function liveEchoes(db: Db): EventRow[] {
  return db
    .select()
    .from(calendarEvents)
    .where(and(isNull(calendarEvents.endedAt), eq(calendarEvents.echo, true)))
    .orderBy(asc(calendarEvents.start), asc(calendarEvents.id))
    .all()
}

/** Exports that were not removed, oldest first; an export whose feed was removed has no feed. */
export function listExportRows(db: Db): ExportRow[] {
  return db
    .select({ ...getTableColumns(calendarExports), feedId: calendarFeeds.id })
    .from(calendarExports)
    .leftJoin(
      calendarFeeds,
      and(eq(calendarFeeds.id, calendarExports.feedId), isNull(calendarFeeds.removedAt)),
    )
    .where(isNull(calendarExports.removedAt))
    .orderBy(asc(calendarExports.createdAt), sql`${calendarExports}.rowid`)
    .all()
}

/** @throws AppError not_found for an unknown or removed export */
export function loadExport(db: Db, id: string): ExportRow {
  const row = listExportRows(db).find(each => each.id === id)
  if (!row) throw new AppError('not_found', 'Calendar not found')
  return row
}
