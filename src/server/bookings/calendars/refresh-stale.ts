import { setTimeout as sleep } from 'node:timers/promises'
import { distinguishesKinds } from '../../../domain/calendars/calendar-event.ts'
import { calendarMessages, readingErrors } from '../../../domain/calendars/calendar-messages.ts'
import { AppError, internalErrorMessage } from '../../../domain/common/errors.ts'
import type { Deps } from '../../kernel/deps.ts'
import { readFeed } from './reading.ts'
import { type FeedRow, listFeedRows } from './records.ts'
import { feedAddress } from './stored-address.ts'

const freshMs = 15 * 60_000

/**
 * Before a booking, reads the active calendars whose last successful reading is at least 15 minutes old, in parallel
 * and within 10 seconds in total (CAL-40); always those that do not say what an event is, so that a guest of theirs is
 * not taken for the booking's own nights later (CAL-47). Never throws: returns one message for each calendar that failed.
 */
export async function refreshStaleFeeds(deps: Deps, withinMs = 10_000): Promise<string[]> {
  const old = listFeedRows(deps.db).filter(
    feed => feed.active && !(distinguishesKinds(feed.provider) && isFresh(feed, deps.clock.now())),
  )
  if (old.length === 0) return []
  const enough = new AbortController()
  const late = sleep(withinMs, true, { signal: enough.signal }).catch(() => true)
  const errors = await Promise.all(
    old.map(feed => {
      const host = URL.parse(feedAddress(deps, feed) ?? '')?.hostname ?? feed.name
      const tooLate = late.then(() => readingErrors.timeout(host))
      return Promise.race([errorOf(deps, feed.id), tooLate])
    }),
  )
  enough.abort()
  return old.flatMap(({ name }, at) => {
    const error = errors[at]
    return error ? [calendarMessages.notReadNow(name, error)] : []
  })
}

function isFresh({ lastSuccessAt }: FeedRow, now: Date): boolean {
  const ageMs = lastSuccessAt === null ? -1 : now.getTime() - Date.parse(lastSuccessAt)
  return ageMs >= 0 && ageMs < freshMs
}

/** Why the calendar could not be read; null if it was read or removed. */
async function errorOf(deps: Deps, feedId: string): Promise<string | null> {
  try {
    return (await readFeed(deps, feedId))?.error ?? null
  } catch (error) {
    if (error instanceof AppError) return error.code === 'not_found' ? null : error.message
    deps.log.error({ err: error, feedId }, 'a calendar was not read')
    return internalErrorMessage
  }
}
