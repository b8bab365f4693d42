import { z } from 'zod'
import type { Db } from '../../../../db/open.ts'
import { claimKinds } from '../../../domain/bookings/claim.ts'
import {
  blocksNights,
  calendarProviders,
  eventKinds,
  eventStateOf,
  eventStates,
  feedModes,
} from '../../../domain/calendars/calendar-event.ts'
import { exportScopes, feedStateOf, feedStates } from '../../../domain/calendars/calendar-feed.ts'
import { recordIds, wireDate, wireMoment } from '../../../domain/common/wire.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { view } from '../../kernel/view.ts'
import { countBlocking, type EventRow, type ExportRow, type FeedRow } from './records.ts'
import { feedAddress } from './stored-address.ts'

const moment = wireMoment.nullable()

export const feedView = z
  .strictObject({
    ...recordIds,
    name: z.string(),
    provider: z.enum(calendarProviders),
    mode: z.enum(feedModes),
    /**
     * Where it is read from. Its address shows the bookings to anyone who has it, so it is not sent back. Empty if the
     * key that encrypted it is lost: then the feed is paused.
     */
    host: z.string(),
    active: z.boolean(),
    state: z.enum(feedStates),
    /** Events that take nights. */
    eventCount: z.int(),
    /** Unreadable events of the last successful reading. */
    unreadable: z.int(),
    lastAttemptAt: moment,
    lastSuccessAt: moment,
    nextAttemptAt: moment,
    lastError: z.string().nullable(),
    failures: z.int(),
    emptySince: moment,
    createdAt: wireMoment,
  })
  .meta({ id: 'CalendarFeed' })
export type FeedView = z.infer<typeof feedView>

export const eventView = z
  .strictObject({
    ...recordIds,
    feedId: z.string(),
    feedName: z.string(),
    kind: z.enum(eventKinds),
    startDate: wireDate,
    /** Exclusive. */
    endDate: wireDate,
    state: z.enum(eventStates),
    /** Whether the event takes its nights now. */
    blocks: z.boolean(),
    firstSeenAt: wireMoment,
    lastSeenAt: wireMoment,
    missingSince: moment,
  })
  .meta({ id: 'CalendarEvent' })
export type EventView = z.infer<typeof eventView>

export const exportView = z
  .strictObject({
    ...recordIds,
    name: z.string(),
    scope: z.enum(exportScopes),
    feedId: z.string().nullable(),
    oldUrlUntil: moment,
    lastFetchedAt: moment,
    lastAgent: z.string().nullable(),
    createdAt: wireMoment,
  })
  .meta({ id: 'CalendarExport' })
export type ExportView = z.infer<typeof exportView>

export const conflictView = z
  .strictObject({
    ...recordIds,
    feedId: z.string(),
    feedName: z.string(),
    eventId: z.string(),
    applicationId: z.string().nullable(),
    applicationNumber: z.string().nullable(),
    otherFeedId: z.string().nullable(),
    otherFeedName: z.string().nullable(),
    /** Whom the nights are kept for. */
    claimId: z.string().optional(),
    claimKind: z.enum(claimKinds).optional(),
    claimName: z.string().optional(),
    /** The shared nights, end exclusive. */
    startDate: wireDate,
    endDate: wireDate,
    createdAt: wireMoment,
    acknowledgedAt: moment,
  })
  .meta({ id: 'CalendarConflict' })
export type ConflictView = z.infer<typeof conflictView>

/** A dashboard notice about calendars. */
export const calendarNoticeView = z.strictObject({
  id: z.string(),
  tone: z.enum(['warning', 'danger']),
  title: z.string(),
  detail: z.string(),
  at: moment,
})
export type CalendarNotice = z.infer<typeof calendarNoticeView>

/** The result of a reading. */
export const readingResult = z
  .strictObject({
    outcome: z.enum(['read', 'unchanged', 'failed']),
    added: z.int(),
    moved: z.int(),
    /** Events that are missing and kept. */
    missing: z.int(),
    /** Events that are missing and ended by this reading. */
    ended: z.int(),
    unreadable: z.int(),
    error: z.string().nullable(),
  })
  .meta({ id: 'CalendarReading' })
export type ReadingResult = z.infer<typeof readingResult>

export const overviewResponse = z.strictObject({
  feeds: z.array(feedView),
  exports: z.array(exportView),
  conflicts: z.array(conflictView),
  /** Double bookings beyond those in the list. */
  moreConflicts: z.int(),
  notices: z.array(calendarNoticeView),
})
/** `more` is the number of events beyond those in the list. */
export const eventsResponse = z.strictObject({ events: z.array(eventView), more: z.int() })
export const readFeedResponse = z.strictObject({ feed: feedView, result: readingResult })
export const editFeedResponse = z.strictObject({ feed: feedView, result: readingResult.nullable() })

export function presentFeed(db: Db, deps: Deps, row: FeedRow): FeedView {
  const url = feedAddress(deps, row)
  return view(feedView, {
    ...row,
    host: url === undefined ? '' : new URL(url).host,
    active: row.active && url !== undefined,
    state: url === undefined ? 'paused' : feedStateOf(row, deps.clock.now()),
    eventCount: countBlocking(db, row.id, todayAt(deps)),
  })
}

export function presentEvent(row: EventRow, feedName: string): EventView {
  return view(eventView, {
    ...row,
    feedName,
    startDate: row.start,
    endDate: row.end,
    state: eventStateOf(row),
    blocks: blocksNights(row),
  })
}

/** Without its address, which `showExport` gives after a step-up. */
export function presentExport(deps: Deps, row: ExportRow): ExportView {
  const hasOld = row.oldUntil !== null && row.oldUntil > nowIso(deps)
  return view(exportView, { ...row, oldUrlUntil: hasOld ? row.oldUntil : null })
}
