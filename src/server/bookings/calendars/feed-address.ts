import type { Db } from '../../../../db/open.ts'
import { maxFeeds } from '../../../domain/calendars/calendar-feed.ts'
import { calendarMessages } from '../../../domain/calendars/calendar-messages.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import type { Deps } from '../../kernel/deps.ts'
import { checkAddress } from '../../lib/guarded-fetch.ts'
import { listFeedRows } from './records.ts'
import { hasAddress } from './stored-address.ts'

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
