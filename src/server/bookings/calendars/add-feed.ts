import { randomUUID } from 'node:crypto'
import { calendarFeeds } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { defaultModeOf, providerOf } from '../../../domain/calendars/calendar-event.ts'
import type { FeedInput } from '../../../domain/calendars/calendar-feed.ts'
import { fieldError } from '../../../domain/common/errors.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { assertAddressFree, checkFeedAddress } from './feed-address.ts'
import { fetchCalendar, unreadFeedState } from './fetch-calendar.ts'
import { loadFeed } from './records.ts'
import { storeReading } from './store-reading.ts'
import { storedAddress } from './stored-address.ts'
import { type FeedView, presentFeed, type ReadingResult } from './views.ts'

/**
 * Adds a calendar and reads it at once; it is stored even if its host did not respond (CAL-08, CAL-09).
 * @throws AppError at `url` for an invalid address or content; conflict for a duplicate address, or beyond 20 calendars; forbidden
 * without a step-up
 */
export async function addFeed(
  deps: Deps,
  actor: Admin,
  input: FeedInput,
): Promise<{ feed: FeedView; result: ReadingResult }> {
  requireStepUp(deps, deps.db, actor)
  const url = checkFeedAddress(deps, input.url)
  assertAddressFree(deps.db, url)
  const provider = input.provider ?? providerOf(url)
  const asked = { url, provider, unreadable: 0, ...unreadFeedState }
  const fetched = await fetchCalendar(deps, asked)
  if (fetched.kind === 'refused') throw fieldError('url', fetched.message)

  const { mode = defaultModeOf(provider), name } = input
  return deps.writeInParts(function* (tx) {
    // The same address may have been added during the fetch.
    assertAddressFree(tx, url)
    const at = nowIso(deps)
    const id = randomUUID()
    tx.insert(calendarFeeds)
      .values({ ...asked, ...storedAddress(deps, id, url), id, name, mode, active: true, createdAt: at })
      .run()
    const result = yield* storeReading(deps, tx, loadFeed(tx, id), fetched)
    recordEvent(tx, at, actor, 'calendar.feed_added', id, { name, provider, mode })
    return { feed: presentFeed(tx, deps, loadFeed(tx, id)), result }
  })
}
