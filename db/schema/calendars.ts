import { sql } from 'drizzle-orm'
import { type AnySQLiteColumn, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { calendarProviders, eventKinds, feedModes } from '../../src/domain/calendars/calendar-event.ts'
import { exportScopes } from '../../src/domain/calendars/calendar-feed.ts'
import { applications } from './applications.ts'
import { claims } from './changes.ts'

/** Calendars of other platforms that this site imports. */
export const calendarFeeds = sqliteTable(
  'calendar_feeds',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    provider: text({ enum: calendarProviders }).notNull(),
    mode: text({ enum: feedModes }).notNull(),
    /** SHA-256 of the address, which carries the other platform's secret, to find duplicates; empty once removed. */
    url: text().notNull(),
    /** The address, encrypted with the installation's key and bound to this row. */
    urlEnc: text('url_enc'),
    active: integer({ mode: 'boolean' }).notNull(),
    /** Headers and body hash of the last successful response. */
    etag: text(),
    lastModified: text('last_modified'),
    bodySha256: text('body_sha256'),
    /**
     * When a whole file was last parsed. After months of "not modified" responses the feed is fetched unconditionally.
     */
    parsedAt: text('parsed_at'),
    lastAttemptAt: text('last_attempt_at'),
    lastSuccessAt: text('last_success_at'),
    nextAttemptAt: text('next_attempt_at'),
    /** Consecutive failures. */
    failures: integer().notNull().default(0),
    lastError: text('last_error'),
    /** Events in the last successful fetch that could not be parsed. */
    unreadable: integer().notNull().default(0),
    emptySince: text('empty_since'),
    createdAt: text('created_at').notNull(),
    removedAt: text('removed_at'),
  },
  t => [uniqueIndex('calendar_feeds_url').on(t.url).where(sql`${t.removedAt} is null`)],
)

/** Events imported from feeds: their nights and kind, no guest data. */
export const calendarEvents = sqliteTable(
  'calendar_events',
  {
    id: text().primaryKey(),
    feedId: text('feed_id')
      .notNull()
      .references(() => calendarFeeds.id),
    uid: text().notNull(),
    kind: text({ enum: eventKinds }).notNull(),
    /** Half-open. */
    start: text('start_date').notNull(),
    end: text('end_date').notNull(),
    /** The site's own nights, coming back from the platform. */
    echo: integer({ mode: 'boolean' }).notNull(),
    coveredAt: text('covered_at'),
    firstSeenAt: text('first_seen_at').notNull(),
    lastSeenAt: text('last_seen_at').notNull(),
    missingSince: text('missing_since'),
    misses: integer().notNull().default(0),
    releasedAt: text('released_at'),
    endedAt: text('ended_at'),
  },
  t => [
    index('calendar_events_feed_uid').on(t.feedId, t.uid),
    index('calendar_events_live').on(t.end).where(sql`${t.endedAt} is null`),
    index('calendar_events_ended').on(t.feedId, t.endedAt).where(sql`${t.endedAt} is not null`),
  ],
)

/** Double bookings: an imported event that overlaps a booking, or another feed's reservation. */
export const calendarConflicts = sqliteTable(
  'calendar_conflicts',
  {
    id: text().primaryKey(),
    eventId: text('event_id')
      .notNull()
      .references(() => calendarEvents.id),
    applicationId: text('application_id').references(() => applications.id),
    otherEventId: text('other_event_id').references(() => calendarEvents.id),
    /** Held nights that the event takes. */
    claimId: text('claim_id').references((): AnySQLiteColumn => claims.id),
    createdAt: text('created_at').notNull(),
    acknowledgedAt: text('acknowledged_at'),
    resolvedAt: text('resolved_at'),
  },
  // SQLite treats nulls as distinct, so each pair is checked by exactly one of the three indexes.
  t => [
    uniqueIndex('calendar_conflicts_application').on(t.eventId, t.applicationId),
    uniqueIndex('calendar_conflicts_event').on(t.eventId, t.otherEventId),
    uniqueIndex('calendar_conflicts_claim').on(t.eventId, t.claimId),
    index('calendar_conflicts_other').on(t.otherEventId),
  ],
)

/** Calendars that this site exports. */
export const calendarExports = sqliteTable(
  'calendar_exports',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    scope: text({ enum: exportScopes }).notNull(),
    /** The platform's own feed, in which the exported nights come back. */
    feedId: text('feed_id').references(() => calendarFeeds.id),
    /** SHA-256 of the token in the address. */
    token: text().notNull(),
    /** The token, encrypted with the installation's key and bound to this row, to be shown. */
    tokenEnc: text('token_enc'),
    oldToken: text('old_token'),
    oldUntil: text('old_until'),
    lastFetchedAt: text('last_fetched_at'),
    lastAgent: text('last_agent'),
    createdAt: text('created_at').notNull(),
    removedAt: text('removed_at'),
  },
  t => [uniqueIndex('calendar_exports_token').on(t.token), index('calendar_exports_old').on(t.oldToken)],
)

/** What exports last published for each stay, imported event or run of blocked nights. */
export const calendarPublished = sqliteTable('calendar_published', {
  uid: text().primaryKey(),
  /** Half-open, including the turnover nights. */
  start: text('start_date').notNull(),
  end: text('end_date').notNull(),
  /** How often the dates changed. */
  sequence: integer().notNull(),
  changedAt: text('changed_at').notNull(),
  goneAt: text('gone_at'),
})
