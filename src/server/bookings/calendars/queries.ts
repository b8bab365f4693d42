import { and, asc, count, gt, inArray, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { calendarEvents } from '../../../../db/schema.ts'
import { type Deps, todayAt } from '../../kernel/deps.ts'
import { listConflicts } from './conflicts.ts'
import { calendarNotices } from './notices.ts'
import { listExportRows, listFeedRows, loadFeed } from './records.ts'
import { type EventView, type overviewResponse, presentEvent, presentExport, presentFeed } from './views.ts'

const maxListedEvents = 500

/** The data of the Calendars page, except the events. */
export function readOverview(deps: Deps): z.infer<typeof overviewResponse> {
  const { db } = deps
  const found = listConflicts(db, deps)
  return {
    feeds: listFeedRows(db).map(row => presentFeed(db, deps, row)),
    exports: listExportRows(db).map(row => presentExport(deps, row)),
    conflicts: found.conflicts,
    moreConflicts: found.more,
    notices: calendarNotices(deps, found),
  }
}

/**
 * Imported events of feeds that were not removed, by night, up to a limit, and how many more there are; without `all`,
 * no ended or past events.
 * @throws AppError not_found for an unknown feed
 */
export function listEvents(
  { clock, config, db }: Deps,
  { all, feedId }: { all: boolean; feedId?: string | undefined },
): { events: EventView[]; more: number } {
  const feeds = feedId === undefined ? listFeedRows(db) : [loadFeed(db, feedId)]
  const today = todayAt({ clock, config })
  const names = new Map(feeds.map(({ id, name }) => [id, name]))
  const { end, endedAt, id, start } = calendarEvents
  const wanted = and(
    inArray(calendarEvents.feedId, [...names.keys()]),
    all ? undefined : and(isNull(endedAt), gt(end, today)),
  )
  const rows = db
    .select()
    .from(calendarEvents)
    .where(wanted)
    .orderBy(asc(start), asc(id))
    .limit(maxListedEvents)
    .all()
  const total = db.select({ events: count() }).from(calendarEvents).where(wanted).get()?.events ?? 0
  return {
    events: rows.map(event => presentEvent(event, names.get(event.feedId) ?? '')),
    more: total - rows.length,
  }
}
