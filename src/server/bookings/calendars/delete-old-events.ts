import { and, desc, eq, inArray, isNotNull, isNull, lt, notExists, or } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { calendarConflicts, calendarEvents } from '../../../../db/schema.ts'
import { forgetPublished } from './published.ts'

/** How long events that have ended are kept … */
const keptMs = 30 * 24 * 3_600_000
/** … and how many of a feed, plus those that ended together with the last one. */
const maxEnded = 3000
/** More than one file can add. An earlier version kept any number; they are deleted over several readings. */
const maxDeleted = 3000
const deletedAtOnce = 200

/**
 * Deletes a feed's events that ended long ago, with their resolved double bookings, in parts: a calendar host must not
 * be able to fill the disk (FIX-26). An event of an unresolved double booking stays.
 */
export function* deleteOldEvents(tx: Tx, feedId: string, now: Date): Generator<void, void> {
  const before = endOfKept(tx, feedId, now)
  for (let deleted = 0; deleted < maxDeleted; deleted += deletedAtOnce) {
    yield
    if (!deleteSome(tx, feedId, before)) return
  }
}

/** Events that ended before this moment are deleted. */
function endOfKept(tx: Tx, feedId: string, now: Date): string {
  const old = new Date(now.getTime() - keptMs).toISOString()
  const last = tx
    .select({ endedAt: calendarEvents.endedAt })
    .from(calendarEvents)
    .where(and(eq(calendarEvents.feedId, feedId), isNotNull(calendarEvents.endedAt)))
    .orderBy(desc(calendarEvents.endedAt))
    .limit(1)
    .offset(maxEnded)
    .get()
  return last?.endedAt && last.endedAt > old ? last.endedAt : old
}

/** Deletes some of the old events that no double booking holds; false if there are none. */
function deleteSome(tx: Tx, feedId: string, before: string): boolean {
  const { eventId, otherEventId, resolvedAt } = calendarConflicts
  const openPair = tx
    .select({ id: calendarConflicts.id })
    .from(calendarConflicts)
    .where(and(isNull(resolvedAt), or(eq(eventId, calendarEvents.id), eq(otherEventId, calendarEvents.id))))
  const ids = tx
    .select({ id: calendarEvents.id })
    .from(calendarEvents)
    .where(and(eq(calendarEvents.feedId, feedId), lt(calendarEvents.endedAt, before), notExists(openPair)))
    .limit(deletedAtOnce)
    .all()
    .map(({ id }) => id)
  if (ids.length === 0) return false
  tx.delete(calendarConflicts)
    .where(or(inArray(eventId, ids), inArray(otherEventId, ids)))
    .run()
  forgetPublished(tx, ids)
  tx.delete(calendarEvents).where(inArray(calendarEvents.id, ids)).run()
  return true
}
