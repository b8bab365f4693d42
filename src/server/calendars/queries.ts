import { desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { calendarEvents } from '../../../db/schema.ts'
import { isPast } from '../../domain/calendar-event.ts'
import { dateIn } from '../../domain/dates.ts'
import type { Deps } from '../kernel/deps.ts'
import { listConflicts } from './conflicts.ts'
import { calendarNotices } from './notices.ts'
import {
  type EventView,
  type overviewResponse,
  presentEvent,
  presentExport,
  presentFeed,
} from './presenter.ts'
import { listExportRows, listFeedRows, loadFeed } from './records.ts'

/** The data of the Calendars page, except the events. */
export function readOverview(deps: Deps): z.infer<typeof overviewResponse> {
  const { db } = deps
  return {
    feeds: listFeedRows(db).map(row => presentFeed(db, deps, row)),
    exports: listExportRows(db).map(row => presentExport(deps, row)),
    conflicts: listConflicts(db, deps),
    notices: calendarNotices(deps),
  }
}

/**
 * Imported events of feeds that were not removed, by night; without `all`, no ended or past events.
 * @throws AppError not_found for an unknown feed
 */
export function listEvents(
  { clock, config, db }: Deps,
  { all, feedId }: { all: boolean; feedId?: string | undefined },
): EventView[] {
  const feeds = feedId === undefined ? listFeedRows(db) : [loadFeed(db, feedId)]
  const today = dateIn(clock.now(), config.site.timeZone)
  return feeds
    .flatMap(feed =>
      db
        .select()
        .from(calendarEvents)
        .where(eq(calendarEvents.feedId, feed.id))
        .orderBy(desc(calendarEvents.firstSeenAt))
        .all()
        .filter(event => all || (event.endedAt === null && !isPast(event, today)))
        .map(event => presentEvent(event, feed.name)),
    )
    .sort((a, b) => (a.startDate + a.id < b.startDate + b.id ? -1 : 1))
}
