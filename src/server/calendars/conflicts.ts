import { randomUUID } from 'node:crypto'
import { eq, isNull } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db, Tx } from '../../../db/open.ts'
import { applications, calendarConflicts, calendarEvents, calendarFeeds } from '../../../db/schema.ts'
import type { Admin } from '../../domain/access.ts'
import {
  type DoubleBooking,
  diffConflicts,
  doubleBookingKey,
  doubleBookings,
} from '../../domain/calendar-conflict.ts'
import { maxNightsAhead } from '../../domain/calendar-event.ts'
import { addDays, dateIn } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors.ts'
import { bookingsWithin } from '../bookings/nights.ts'
import { currentSite } from '../content/current-site.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { enqueueMail } from '../mail/outbox.ts'
import type { ConflictView } from './presenter.ts'
import { blockingEvents } from './records.ts'

type ConflictDeps = Pick<Deps, 'clock' | 'config' | 'siteContent'>

/**
 * Updates the stored conflicts, in the write that changed nights: stores and mails each new pair once, and resolves
 * pairs that no longer share a night.
 * @param overriding applications that the owner knowingly books onto imported nights: their pairs are acknowledged
 */
export function updateConflicts(deps: ConflictDeps, tx: Tx, ...overriding: string[]): void {
  const isTold = (applicationId: string | null) =>
    applicationId !== null && overriding.includes(applicationId)
  const at = nowIso(deps)
  const stored = tx.select().from(calendarConflicts).all()
  const { added, back, gone } = diffConflicts(stored, findDoubleBookings(deps, tx))
  for (const pair of added) {
    const { applicationId, eventId, otherEventId } = pair
    const isKnown = isTold(applicationId)
    const id = randomUUID()
    tx.insert(calendarConflicts)
      .values({
        id,
        eventId,
        applicationId,
        otherEventId,
        createdAt: at,
        acknowledgedAt: isKnown ? at : null,
      })
      .run()
    if (!isKnown) mailConflict(deps, tx, at, id, pair)
  }
  for (const { applicationId, id } of back) {
    tx.update(calendarConflicts)
      .set({ resolvedAt: null, acknowledgedAt: isTold(applicationId) ? at : null })
      .where(eq(calendarConflicts.id, id))
      .run()
  }
  for (const { id } of gone)
    tx.update(calendarConflicts).set({ resolvedAt: at }).where(eq(calendarConflicts.id, id)).run()
}

/** Whether `updateConflicts` would change anything; checked before a write, to avoid empty writes. */
export function areConflictsStale(deps: ConflictDeps, db: Db | Tx): boolean {
  const stored = db.select().from(calendarConflicts).all()
  const { added, back, gone } = diffConflicts(stored, findDoubleBookings(deps, db))
  return added.length + back.length + gone.length > 0
}

/** Unresolved conflicts with their currently shared nights, by date. */
export function listConflicts(db: Db | Tx, deps: ConflictDeps): ConflictView[] {
  const open = selectConflicts(db).where(isNull(calendarConflicts.resolvedAt)).all()
  if (open.length === 0) return []
  const standing = new Map(findDoubleBookings(deps, db).map(pair => [doubleBookingKey(pair), pair]))
  return open
    .flatMap(row => {
      const shared = standing.get(doubleBookingKey(row.conflict))
      return shared ? [presentConflict(row, shared)] : []
    })
    .sort((a, b) => a.startDate.localeCompare(b.startDate))
}

/**
 * Reopens acknowledged conflicts that share more nights after a reading, because the owner acknowledged only the
 * earlier nights. Sends no second mail.
 * @param before the conflicts before the reading
 */
export function reopenExtendedConflicts(deps: ConflictDeps, tx: Tx, before: ConflictView[]): void {
  const known = new Map(before.map(conflict => [conflict.id, conflict]))
  if (known.size === 0) return
  for (const { acknowledgedAt, endDate, id, startDate } of listConflicts(tx, deps)) {
    const old = known.get(id)
    if (acknowledgedAt === null || !old) continue
    if (old.startDate <= startDate && endDate <= old.endDate) continue
    tx.update(calendarConflicts).set({ acknowledgedAt: null }).where(eq(calendarConflicts.id, id)).run()
  }
}

/** Acknowledges a conflict, or takes that back. @throws AppError not_found for an unknown or resolved conflict */
export function acknowledgeConflict(
  deps: Deps,
  actor: Admin,
  id: string,
  acknowledged: boolean,
): Promise<ConflictView> {
  return deps.write(tx => {
    const find = () => listConflicts(tx, deps).find(conflict => conflict.id === id)
    const before = find()
    if (!before) throw new AppError('not_found', 'Double booking not found')
    if ((before.acknowledgedAt !== null) === acknowledged) return before
    const at = nowIso(deps)
    tx.update(calendarConflicts)
      .set({ acknowledgedAt: acknowledged ? at : null })
      .where(eq(calendarConflicts.id, id))
      .run()
    recordEvent(
      tx,
      at,
      actor,
      acknowledged ? 'calendar.conflict_acknowledged' : 'calendar.conflict_reopened',
      id,
      {
        event: before.eventId,
        application: before.applicationNumber,
      },
    )
    return find() ?? before
  })
}

function findDoubleBookings({ clock, config }: ConflictDeps, db: Db | Tx): DoubleBooking[] {
  const today = dateIn(clock.now(), config.site.timeZone)
  const events = blockingEvents(db, today)
  if (events.length === 0) return []
  const ahead = { start: today, end: addDays(today, maxNightsAhead + 1) }
  const booked = bookingsWithin(db, ahead).map(({ end, id, start }) => ({ applicationId: id, start, end }))
  return doubleBookings(events, booked, today)
}

const otherEvents = alias(calendarEvents, 'other_event')
const otherFeeds = alias(calendarFeeds, 'other_feed')

const selectConflicts = (db: Db | Tx) =>
  db
    .select({
      conflict: calendarConflicts,
      feedId: calendarFeeds.id,
      feedName: calendarFeeds.name,
      applicationNumber: applications.number,
      otherFeedId: otherFeeds.id,
      otherFeedName: otherFeeds.name,
    })
    .from(calendarConflicts)
    .innerJoin(calendarEvents, eq(calendarEvents.id, calendarConflicts.eventId))
    .innerJoin(calendarFeeds, eq(calendarFeeds.id, calendarEvents.feedId))
    .leftJoin(applications, eq(applications.id, calendarConflicts.applicationId))
    .leftJoin(otherEvents, eq(otherEvents.id, calendarConflicts.otherEventId))
    .leftJoin(otherFeeds, eq(otherFeeds.id, otherEvents.feedId))
    .$dynamic()
type ConflictRow = ReturnType<ReturnType<typeof selectConflicts>['all']>[number]

function presentConflict(
  { conflict, ...names }: ConflictRow,
  { end, start }: Pick<DoubleBooking, 'start' | 'end'>,
): ConflictView {
  const { acknowledgedAt, applicationId, createdAt, eventId, id } = conflict
  return {
    _id: id,
    id,
    eventId,
    applicationId,
    ...names,
    startDate: start,
    endDate: end,
    createdAt,
    acknowledgedAt,
  }
}

function mailConflict(deps: ConflictDeps, tx: Tx, at: string, id: string, shared: DoubleBooking): void {
  const row = selectConflicts(tx).where(eq(calendarConflicts.id, id)).get()
  if (!row) return
  const conflict = presentConflict(row, shared)
  enqueueMail(tx, at, {
    kind: 'owner-double-booking',
    to: currentSite(deps).ownerEmail,
    dedupeKey: `owner-double-booking:${id}`,
    props: {
      feedName: conflict.feedName,
      applicationNumber: conflict.applicationNumber,
      applicationId: conflict.applicationId,
      otherFeedName: conflict.otherFeedName,
      startDate: conflict.startDate,
      endDate: conflict.endDate,
    },
  })
}
