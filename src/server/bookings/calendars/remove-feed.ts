import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { calendarExports, calendarFeeds } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { blocksNights, freedNights, maxNightsAhead } from '../../../domain/calendars/calendar-event.ts'
import { endAllEvents } from '../../../domain/calendars/calendar-matching.ts'
import { calendarMessages } from '../../../domain/calendars/calendar-messages.ts'
import { addDays, type CalendarDate, type DateRange } from '../../../domain/common/dates.ts'
import { mailConnectionChange } from '../../auth/accounts/report-change.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { whoMayBook } from '../who-may-book.ts'
import { updateConflicts } from './conflicts.ts'
import { syncPublished } from './published.ts'
import { liveEventsOf, loadFeed } from './records.ts'
import { storeEvents } from './store-reading.ts'

/**
 * Removes a calendar; its events end at once (CAL-34). Exports for it then have no feed.
 * @returns `freedNights`: nights from today on that are now free
 * @throws AppError not_found; forbidden without a step-up
 */
export function removeFeed(
  deps: Deps,
  actor: Admin,
  id: string,
): Promise<{ message: string; freedNights: number }> {
  return deps.writeInParts(function* (tx) {
    requireStepUp(deps, tx, actor)
    const { name } = loadFeed(tx, id)
    const at = nowIso(deps)
    const today = todayAt(deps)
    const live = liveEventsOf(tx, id)
    storeEvents(tx, live, endAllEvents(live, deps.clock.now()))
    tx.update(calendarFeeds)
      .set({ removedAt: at, active: false, nextAttemptAt: null, url: '', urlEnc: null })
      .where(eq(calendarFeeds.id, id))
      .run()
    tx.update(calendarExports).set({ feedId: null }).where(eq(calendarExports.feedId, id)).run()
    yield
    syncPublished(deps, tx)
    yield
    updateConflicts(deps, tx)
    yield
    const freed = freedNights(live.filter(blocksNights), takenFrom(deps, tx, today), today)
    recordEvent(tx, at, actor, 'calendar.feed_removed', id, { name, freedNights: freed })
    mailConnectionChange(deps, tx, actor, `The removed calendar ${name}`, 'availability/other-platforms')
    return { message: calendarMessages.removed(name, freed), freedNights: freed }
  })
}

/** Everything that takes nights from today on: bookings, held and blocked nights, imported events. */
function takenFrom(deps: Deps, tx: Tx, today: CalendarDate): DateRange[] {
  return whoMayBook(deps, tx, { start: today, end: addDays(today, maxNightsAhead + 1) })
    .filter(({ block, stands }) => stands !== 'turnover' || block !== undefined)
    .map(({ date }) => ({ start: date, end: addDays(date, 1) }))
}
