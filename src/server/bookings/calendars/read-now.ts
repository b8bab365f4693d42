import type { Admin } from '../../../domain/accounts/access.ts'
import { calendarMessages } from '../../../domain/calendars/calendar-messages.ts'
import { AppError } from '../../../domain/common/errors.ts'
import type { Deps } from '../../kernel/deps.ts'
import { readFeed } from './reading.ts'
import { type FeedRow, loadFeed } from './records.ts'
import { type FeedView, presentFeed, type ReadingResult } from './views.ts'

/**
 * Reads a calendar at the owner's request; the result contains the outcome (CAL-12).
 * @throws AppError not_found; conflict if the calendar is paused; too_many beyond 30 in 10 minutes
 */
export async function readNow(
  deps: Deps,
  actor: Admin,
  id: string,
): Promise<{ feed: FeedView; result: ReadingResult }> {
  assertActive(loadFeed(deps.db, id))
  await deps.limits.consume('calendarReadByUser', actor.userId)
  const result = await readFeed(deps, id)
  const feed = loadFeed(deps.db, id)
  if (result) return { feed: presentFeed(deps.db, deps, feed), result }
  assertActive(feed)
  throw new AppError('conflict', 'This calendar has changed in the meantime. Please try again.')
}

function assertActive({ active }: FeedRow): void {
  if (!active) throw new AppError('conflict', calendarMessages.paused)
}
