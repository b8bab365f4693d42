import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { calendarEvents, calendarExports, calendarFeeds } from '../../../db/schema.ts'
import { AppError } from '../../domain/errors.ts'

export type FeedRow = typeof calendarFeeds.$inferSelect
export type EventRow = typeof calendarEvents.$inferSelect
export type ExportRow = typeof calendarExports.$inferSelect

/** Feeds that were not removed, in the order in which they were added. */
export function listFeedRows(db: Db | Tx): FeedRow[] {
  return db
    .select()
    .from(calendarFeeds)
    .where(isNull(calendarFeeds.removedAt))
    .orderBy(asc(calendarFeeds.createdAt), sql`${calendarFeeds}.rowid`)
    .all()
}

/** @throws AppError not_found for an unknown or removed feed */
export function loadFeed(db: Db | Tx, id: string): FeedRow {
  const row = db
    .select()
    .from(calendarFeeds)
    .where(and(eq(calendarFeeds.id, id), isNull(calendarFeeds.removedAt)))
    .get()
  if (!row) throw new AppError('not_found', 'Calendar not found')
  return row
}

/** A feed's events that have not ended, by their nights. */
export function liveEventsOf(db: Db | Tx, feedId: string): EventRow[] {
  return db
    .select()
    .from(calendarEvents)
    .where(and(eq(calendarEvents.feedId, feedId), isNull(calendarEvents.endedAt)))
    .orderBy(asc(calendarEvents.start), asc(calendarEvents.id))
    .all()
}

/** All events that have not ended, by their nights. */
export function liveEvents(db: Db | Tx): EventRow[] {
  return db
    .select()
    .from(calendarEvents)
    .where(isNull(calendarEvents.endedAt))
    .orderBy(asc(calendarEvents.start), asc(calendarEvents.id))
    .all()
}

/** Exports that were not removed, in the order in which they were made; one whose feed was removed is for no feed. */
export function listExportRows(db: Db | Tx): ExportRow[] {
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
export function loadExport(db: Db | Tx, id: string): ExportRow {
  const row = listExportRows(db).find(each => each.id === id)
  if (!row) throw new AppError('not_found', 'Calendar not found')
  return row
}
