import { randomUUID } from 'node:crypto'
import type { Db } from '../../../../db/open.ts'
import { calendarFeeds } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { defaultModeOf, providerOf } from '../../../domain/calendars/calendar-event.ts'
import { type FeedInput, maxFeeds } from '../../../domain/calendars/calendar-feed.ts'
import { calendarMessages } from '../../../domain/calendars/calendar-messages.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { checkAddress } from '../../lib/guarded-fetch.ts'
import { fetchCalendar, unreadFeedState } from './fetch-calendar.ts'
import { listFeedRows, loadFeed } from './records.ts'
import { storeReading } from './store-reading.ts'
import { hasAddress, storedAddress } from './stored-address.ts'
import { type FeedView, presentFeed, type ReadingResult } from './views.ts'

/**
 * The normalized address, for storage and comparison. Sends no request.
 * @throws AppError at `url` for an invalid or local address, or one of this site's own calendars
 */
export function checkFeedAddress({ config }: Deps, text: string): string {
  if (isOwnCalendar(text, config.origin)) throw fieldError('url', calendarMessages.ownAddress)
  const checked = checkAddress(text, config.fetchAllow)
  if (!(checked instanceof URL)) throw fieldError('url', checked.message)
  return checked.href
}

function isOwnCalendar(text: string, origin: string): boolean {
  const url = URL.parse(text)
  if (!url || hostOf(url) !== hostOf(new URL(origin))) return false
  // Letters may be percent-encoded.
  const path = url.pathname.replaceAll(/%([46-7][0-9a-f])/gi, (_, code) =>
    String.fromCharCode(parseInt(code, 16)),
  )
  return /^\/+calendar\//i.test(path)
}

/** Host and port, without a trailing dot in the name. */
const hostOf = ({ host }: URL) => host.replace(/\.+(?=:|$)/, '')

/**
 * Checks that no feed except `excludeId` has the address and, without `excludeId`, that another feed can be added.
 * @throws AppError conflict, naming the other feed
 */
export function assertAddressFree(db: Db, url: string, excludeId?: string): void {
  const feeds = listFeedRows(db)
  const other = feeds.find(feed => hasAddress(feed, url) && feed.id !== excludeId)
  if (other) throw fieldError('url', calendarMessages.alreadyRead(other.name), 'conflict')
  if (excludeId === undefined && feeds.length >= maxFeeds)
    throw new AppError('conflict', calendarMessages.tooManyFeeds)
}

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
