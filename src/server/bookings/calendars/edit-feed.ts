import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { calendarFeeds } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { providerOf } from '../../../domain/calendars/calendar-event.ts'
import type { FeedChange } from '../../../domain/calendars/calendar-feed.ts'
import { endBlockEvents } from '../../../domain/calendars/calendar-matching.ts'
import { calendarMessages } from '../../../domain/calendars/calendar-messages.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { assertAddressFree, checkFeedAddress } from './add-feed.ts'
import { updateConflicts } from './conflicts.ts'
import { type FetchedCalendar, fetchCalendar, unreadFeedState } from './fetch-calendar.ts'
import { syncPublished } from './published.ts'
import { withFeedLock } from './reading.ts'
import { type FeedRow, liveEventsOf, loadFeed } from './records.ts'
import { storeEvents, storeReading } from './store-reading.ts'
import { feedAddress, storedAddress } from './stored-address.ts'
import { type FeedView, presentFeed, type ReadingResult } from './views.ts'

type Edited = { feed: FeedView; result: ReadingResult | null }

/**
 * Renames, pauses or resumes a calendar. A new address or mode is read at once, with the same checks as in `addFeed`.
 * @throws AppError not_found; at `url` as in `addFeed`; conflict for a duplicate address; forbidden for a new
 * address without a step-up
 */
export async function editFeed(
  deps: Deps,
  actor: Admin,
  id: string,
  { url: text, ...rest }: FeedChange,
): Promise<Edited> {
  const feed = loadFeed(deps.db, id)
  const typed = text === undefined ? undefined : checkFeedAddress(deps, text)
  const known = feedAddress(deps, feed)
  const change = { ...rest, url: typed === known ? undefined : typed }
  if (change.url !== undefined) requireStepUp(deps, deps.db, actor)
  if (!needsReading(feed, change)) {
    if (rest.active && known === undefined) throw new AppError('conflict', calendarMessages.locked)
    return deps.writeInParts(tx => storeChange(deps, tx, actor, id, change, null))
  }
  return withFeedLock(deps, id, async () => {
    const asked = withChange(deps, loadFeed(deps.db, id), change)
    const url = feedAddress(deps, asked)
    if (url === undefined) throw new AppError('conflict', calendarMessages.locked)
    assertAddressFree(deps.db, url, id)
    const fetched = await fetchCalendar(deps, { ...asked, url })
    if (fetched.kind === 'refused') throw fieldError('url', fetched.message)
    return deps.writeInParts(tx => storeChange(deps, tx, actor, id, change, fetched))
  })
}

/** `url` is only a new address. */
const needsReading = (feed: FeedRow, { mode = feed.mode, url }: FeedChange) =>
  mode !== feed.mode || url !== undefined

/** The feed after a change. A new address or mode discards the ETag and hash of the last reading. */
function withChange(deps: Deps, feed: FeedRow, change: FeedChange): FeedRow {
  const { active = feed.active, mode = feed.mode, name = feed.name, url } = change
  const unread = needsReading(feed, change) ? unreadFeedState : {}
  const changed = { ...feed, ...unread, active, mode, name }
  if (url === undefined) return changed
  const guess = providerOf(url)
  // Keep the owner's choice of platform unless the guess changes.
  const provider = guess === providerOf(feedAddress(deps, feed) ?? url) ? feed.provider : guess
  return { ...changed, provider, ...storedAddress(deps, feed.id, url) }
}

function* storeChange(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  id: string,
  change: FeedChange,
  fetched: FetchedCalendar | null,
): Generator<void, Edited> {
  const before = loadFeed(tx, id)
  const { active, bodySha256, etag, lastModified, mode, name, parsedAt, provider, url, urlEnc } = withChange(
    deps,
    before,
    change,
  )
  if (change.url !== undefined) assertAddressFree(tx, change.url, id)
  tx.update(calendarFeeds)
    .set({ name, url, urlEnc, provider, mode, active, etag, lastModified, bodySha256, parsedAt })
    .where(eq(calendarFeeds.id, id))
    .run()
  if (url !== before.url) resetMissingCounts(tx, id)
  if (active !== before.active) scheduleReading(deps, tx, id, active)
  if (mode !== before.mode && mode === 'reservations') endBlocks(deps, tx, id)
  const result = fetched && (yield* storeReading(deps, tx, loadFeed(tx, id), fetched))
  const changes = {
    ...(name !== before.name && { name }),
    ...(mode !== before.mode && { mode }),
    ...(active !== before.active && { active }),
    ...(url !== before.url && { address: 'changed' }),
  }
  if (Object.keys(changes).length > 0)
    recordEvent(tx, nowIso(deps), actor, 'calendar.feed_edited', id, changes)
  return { feed: presentFeed(tx, deps, loadFeed(tx, id)), result }
}

/** Resets the missing counts for a new address, so that events missing there do not free nights yet (CAL-34). */
function resetMissingCounts(tx: Tx, id: string): void {
  tx.update(calendarFeeds).set({ failures: 0, emptySince: null }).where(eq(calendarFeeds.id, id)).run()
  const live = liveEventsOf(tx, id)
  storeEvents(
    tx,
    live,
    live.map(event => ({ ...event, missingSince: null, misses: 0 })),
  )
}

/** Makes a resumed feed due at once, and a paused feed never due. */
function scheduleReading(deps: Deps, tx: Tx, id: string, active: boolean): void {
  const isDue = active && deps.config.calendarPollSeconds > 0
  tx.update(calendarFeeds)
    .set({ nextAttemptAt: isDue ? nowIso(deps) : null })
    .where(eq(calendarFeeds.id, id))
    .run()
}

function endBlocks(deps: Deps, tx: Tx, id: string): void {
  const live = liveEventsOf(tx, id)
  storeEvents(tx, live, endBlockEvents(live, deps.clock.now()))
  syncPublished(deps, tx)
  updateConflicts(deps, tx)
}
