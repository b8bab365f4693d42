import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { calendarEvents, calendarFeeds } from '../../../../db/schema.ts'
import type { CalendarEvent } from '../../../domain/calendars/calendar-event.ts'
import { feedStateOf, nextAttemptAt } from '../../../domain/calendars/calendar-feed.ts'
import {
  applyReading,
  limitPlan,
  type NewCalendarEvent,
} from '../../../domain/calendars/calendar-matching.ts'
import { readingErrors } from '../../../domain/calendars/calendar-messages.ts'
import { dateIn } from '../../../domain/common/dates.ts'
import type { Deps } from '../../kernel/deps.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { inParts } from '../../lib/parts.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { currentSite } from '../../site/content/published.ts'
import { shortUid } from '../../workers/ical/short-uid.ts'
import { openConflictsOf, reopenExtendedConflicts, updateConflictsInParts } from './conflicts.ts'
import { deleteOldEvents } from './delete-old-events.ts'
import type { FetchedCalendar, GoodCalendar } from './fetch-calendar.ts'
import { platformExportsInParts, syncPublishedInParts, uidDomainOf } from './published.ts'
import { type EventRow, type FeedRow, liveEventsOf } from './records.ts'
import type { ReadingResult } from './views.ts'

/**
 * Stores the result of a reading in one write, in parts (CAL-15, CAL-16, FIX-26). `feed` must be loaded in the same
 * write.
 */
export function* storeReading(
  deps: Deps,
  tx: Tx,
  feed: FeedRow,
  fetched: FetchedCalendar,
): Generator<void, ReadingResult> {
  if (fetched.kind === 'good') return yield* storeGood(deps, tx, feed, fetched)
  return storeFailure(deps, tx, feed, fetched.message, fetched.retryAfterSeconds)
}

function* storeGood(
  deps: Deps,
  tx: Tx,
  feed: FeedRow,
  { reading, seen }: GoodCalendar,
): Generator<void, ReadingResult> {
  const now = deps.clock.now()
  const at = now.toISOString()
  // An earlier version stored long UIDs.
  const stored = liveEventsOf(tx, feed.id).map(event => ({ ...event, uid: shortUid(event.uid) }))
  yield
  const before = openConflictsOf(deps, tx)
  yield
  const exports = yield* platformExportsInParts(deps, tx, feed.id)
  yield
  const today = dateIn(now, deps.config.site.timeZone)
  const applied = applyReading(stored, reading, {
    now,
    today,
    mode: feed.mode,
    uidDomain: uidDomainOf(tx),
    exports,
    lastSuccessAt: feed.lastSuccessAt,
    emptySince: feed.emptySince,
  })
  yield
  const plan = limitPlan(applied, now, today)
  if ('problem' in plan) return storeFailure(deps, tx, feed, readingErrors[plan.problem](), undefined)
  yield
  const changed = changedEvents(stored, plan.events)
  yield* inParts(changed, prepareUpdate(tx))
  yield* inParts(plan.added, prepareInsert(tx, feed.id, at))
  failpoint('in-reading-write')
  tx.update(calendarFeeds)
    .set({
      ...seen,
      lastAttemptAt: at,
      lastSuccessAt: at,
      nextAttemptAt: nextReading(deps, feed, 0),
      failures: 0,
      lastError: null,
      unreadable: reading.unreadable,
      emptySince: plan.emptySince,
    })
    .where(eq(calendarFeeds.id, feed.id))
    .run()
  yield
  yield* syncPublishedInParts(deps, tx)
  yield
  const after = yield* updateConflictsInParts(deps, tx)
  yield
  const kinds = new Map(stored.map(({ id, kind }) => [id, kind]))
  const guests = changed.filter(({ id, kind }) => kind === 'reservation' && kinds.get(id) !== kind)
  reopenExtendedConflicts(tx, before, after, new Set(guests.map(({ id }) => id)))
  yield* deleteOldEvents(tx, feed.id, now)
  const { ended, missing, moved } = plan
  return {
    outcome: reading.events === null ? 'unchanged' : 'read',
    added: plan.added.length,
    moved,
    missing,
    ended,
    unreadable: reading.unreadable,
    error: null,
  }
}

function storeFailure(
  deps: Deps,
  tx: Tx,
  feed: FeedRow,
  error: string,
  retryAfterSeconds: number | undefined,
): ReadingResult {
  const now = deps.clock.now()
  const at = now.toISOString()
  const failures = feed.failures + 1
  tx.update(calendarFeeds)
    .set({
      lastAttemptAt: at,
      nextAttemptAt: nextReading(deps, feed, failures, retryAfterSeconds),
      failures,
      lastError: error,
    })
    .where(eq(calendarFeeds.id, feed.id))
    .run()
  if (feedStateOf(feed, now) === 'failing') mailFailing(deps, tx, at, feed, error)
  const nothing = { added: 0, moved: 0, missing: 0, ended: 0, unreadable: 0 }
  return { outcome: 'failed', ...nothing, error }
}

/** When the feed is read automatically next; null if it is paused or polling is off. */
function nextReading(
  { clock, config }: Deps,
  { active }: FeedRow,
  failures: number,
  retryAfterSeconds = 0,
): string | null {
  const pollSeconds = active ? config.calendarPollSeconds : 0
  const random = Math.random()
  const next = nextAttemptAt(clock.now(), { failures, pollSeconds, random, retryAfterSeconds })
  return next?.toISOString() ?? null
}

/** Mails once until the next successful reading (CAL-60): the key contains the time of the last one. */
function mailFailing(deps: Deps, tx: Tx, at: string, feed: FeedRow, lastError: string): void {
  const { createdAt, id, lastSuccessAt, name: feedName } = feed
  enqueueMail(tx, at, {
    kind: 'owner-feed-failing',
    to: currentSite(deps).ownerEmail,
    dedupeKey: `owner-feed-failing:${id}:${lastSuccessAt ?? createdAt}`,
    props: { feedName, lastSuccessAt, lastError },
  })
}

/** Writes the events that have changed, compared by id. */
export function storeEvents(tx: Tx, before: EventRow[], after: CalendarEvent[]): void {
  changedEvents(before, after).forEach(prepareUpdate(tx))
}

function changedEvents(before: EventRow[], after: CalendarEvent[]): CalendarEvent[] {
  const known = new Map<string, CalendarEvent>(before.map(event => [event.id, event]))
  return after.filter(event => known.get(event.id) !== event)
}

// Prepared, because a feed may have thousands of events.
const value = (name: keyof CalendarEvent) => sql`${sql.placeholder(name)}`
const eventValues = {
  uid: value('uid'),
  kind: value('kind'),
  start: value('start'),
  end: value('end'),
  echo: value('echo'),
  coveredAt: value('coveredAt'),
  lastSeenAt: value('lastSeenAt'),
  missingSince: value('missingSince'),
  misses: value('misses'),
  releasedAt: value('releasedAt'),
  endedAt: value('endedAt'),
}

function prepareUpdate(tx: Tx): (event: CalendarEvent) => void {
  const { id } = calendarEvents
  const update = tx
    .update(calendarEvents)
    .set(eventValues)
    .where(eq(id, sql.placeholder('id')))
    .prepare()
  return event => void update.run({ ...event, echo: Number(event.echo) })
}

function prepareInsert(tx: Tx, feedId: string, firstSeenAt: string): (event: NewCalendarEvent) => void {
  const row = { ...eventValues, id: value('id'), feedId, firstSeenAt }
  const insert = tx.insert(calendarEvents).values(row).prepare()
  return event => void insert.run({ ...event, id: randomUUID(), echo: Number(event.echo) })
}
