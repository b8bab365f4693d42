import { eq } from 'drizzle-orm'
import { calendarFeeds } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { isPast } from '../../../domain/calendars/calendar-event.ts'
import { endAllEvents } from '../../../domain/calendars/calendar-matching.ts'
import { calendarMessages } from '../../../domain/calendars/calendar-messages.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { updateConflicts } from './conflicts.ts'
import { syncPublished } from './published.ts'
import { liveEventsOf, loadFeed } from './records.ts'
import { storeEvents } from './store-reading.ts'
import { type FeedView, presentFeed } from './views.ts'

/**
 * The owner confirms that an empty calendar is correct: its events end at once (CAL-31).
 * @returns `ended`: the number of ended events
 * @throws AppError not_found; conflict if the calendar is not empty
 */
export function confirmEmptyFeed(
  deps: Deps,
  actor: Admin,
  id: string,
): Promise<{ feed: FeedView; ended: number }> {
  return deps.write(tx => {
    const { emptySince, name } = loadFeed(tx, id)
    if (emptySince === null) throw new AppError('conflict', calendarMessages.notEmpty)
    const at = nowIso(deps)
    const today = todayAt(deps)
    // Past stays were not canceled, and the cleaner's calendar still needs them.
    const live = liveEventsOf(tx, id).filter(event => !isPast(event, today))
    storeEvents(tx, live, endAllEvents(live, deps.clock.now()))
    tx.update(calendarFeeds).set({ emptySince: null }).where(eq(calendarFeeds.id, id)).run()
    syncPublished(deps, tx)
    updateConflicts(deps, tx)
    recordEvent(tx, at, actor, 'calendar.empty_accepted', id, { name, ended: live.length })
    return { feed: presentFeed(tx, deps, loadFeed(tx, id)), ended: live.length }
  })
}
