import type { Db } from '../../../../db/open.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { calendarMessages } from '../../../domain/calendars/calendar-messages.ts'
import { AppError } from '../../../domain/common/errors.ts'
import type { Deps } from '../../kernel/deps.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { createKeyedLock } from '../../lib/keyed-lock.ts'
import { fetchCalendar } from './fetch-calendar.ts'
import { type FeedRow, listFeedRows, loadFeed } from './records.ts'
import { storeReading } from './store-reading.ts'
import { feedAddress } from './stored-address.ts'
import { type FeedView, presentFeed, type ReadingResult } from './views.ts'

type Readings = {
  lock: ReturnType<typeof createKeyedLock>
  running: Map<string, Promise<ReadingResult | null>>
}
const readings = new WeakMap<Db, Readings>()

function readingsOf({ db }: Deps): Readings {
  const known = readings.get(db)
  if (known) return known
  const made = { lock: createKeyedLock(), running: new Map() }
  readings.set(db, made)
  return made
}

/**
 * Reads a calendar; concurrent readings share one request to the host (CAL-12).
 * @returns null if the calendar is paused, or was removed or changed during the reading: then nothing is applied
 * @throws AppError not_found for an unknown or removed feed; conflict if its address cannot be opened
 */
export function readFeed(deps: Deps, id: string): Promise<ReadingResult | null> {
  const { running } = readingsOf(deps)
  const known = running.get(id)
  if (known) return known
  const reading = withFeedLock(deps, id, () => readOnce(deps, id)).finally(() => running.delete(id))
  running.set(id, reading)
  return reading
}

/** Runs one reading of a feed at a time, so that an older file is never applied after a newer one. */
export function withFeedLock<T>(deps: Deps, id: string, work: () => Promise<T>): Promise<T> {
  return readingsOf(deps).lock(id, work)
}

async function readOnce(deps: Deps, id: string): Promise<ReadingResult | null> {
  const asked = loadFeed(deps.db, id)
  if (!asked.active) return null
  const url = feedAddress(deps, asked)
  if (url === undefined) throw new AppError('conflict', calendarMessages.locked)
  const fetched = await fetchCalendar(deps, { ...asked, url })
  failpoint('reading-fetched')
  return deps.writeInParts(function* (tx) {
    const feed = listFeedRows(tx).find(row => row.id === id)
    const isSame = feed?.active && feed.url === asked.url && feed.mode === asked.mode
    return isSame ? yield* storeReading(deps, tx, feed, fetched) : null
  })
}

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
