import { setTimeout as sleep } from 'node:timers/promises'
import { inArray } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { calendarFeeds } from '../../../../db/schema.ts'
import { shouldEndEcho } from '../../../domain/calendars/calendar-echo.ts'
import { isDue } from '../../../domain/calendars/calendar-feed.ts'
import { dateIn } from '../../../domain/common/dates.ts'
import type { Deps } from '../../kernel/deps.ts'
import { areConflictsStale, updateConflicts } from './conflicts.ts'
import { needsPublishSync, platformExportsFor, syncPublished } from './published.ts'
import { readFeed } from './reading.ts'
import { type EventRow, type FeedRow, listFeedRows, liveEchoes } from './records.ts'
import { storeEvents } from './store-reading.ts'
import { feedAddress } from './stored-address.ts'

const tickMs = 60_000
/** A hanging host must not delay the shutdown; an aborted reading stores nothing. */
const stopWithinMs = 1000

/** Reads the due calendars, now and every minute, in parallel, until stopped (CAL-10, CAL-11). */
export function startCalendars(deps: Deps): { stop: () => Promise<void> } {
  const running = new Set<Promise<void>>()
  const run = (work: Promise<unknown>, about: object, failure: string) => {
    const done = work
      .then(() => undefined)
      .catch(error => deps.log.error({ err: error, ...about }, failure))
      .finally(() => running.delete(done))
    running.add(done)
  }
  const tick = async () => {
    const due = dueFeeds(deps)
    await claim(deps, due)
    for (const { id } of due) run(readFeed(deps, id), { feedId: id }, 'a calendar was not read')
    await refreshCalendars(deps)
  }
  const finished = async () => {
    while (running.size > 0) await Promise.all(running)
  }
  const start = () => run(tick(), {}, 'the calendars were not brought up to date')
  start()
  const timer = setInterval(start, tickMs).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      const giveUp = new AbortController()
      const late = sleep(stopWithinMs, undefined, { signal: giveUp.signal }).catch(() => {})
      await Promise.race([finished(), late])
      giveUp.abort()
    },
  }
}

/** How long a calendar waits whose reading ended the process. */
const claimMs = 10 * 60_000

/** Moves the next attempt, so that a calendar that ends the process is not read again at each start (FIX-26). */
async function claim({ clock, write }: Deps, due: readonly FeedRow[]): Promise<void> {
  if (due.length === 0) return
  const nextAttemptAt = new Date(clock.now().getTime() + claimMs).toISOString()
  const ids = due.map(({ id }) => id)
  await write(tx =>
    tx.update(calendarFeeds).set({ nextAttemptAt }).where(inArray(calendarFeeds.id, ids)).run(),
  )
}

function dueFeeds(deps: Deps): FeedRow[] {
  const { clock, config, db } = deps
  if (config.calendarPollSeconds === 0) return []
  return listFeedRows(db).filter(
    feed => isDue(feed, clock.now(), config.calendarPollSeconds) && feedAddress(deps, feed) !== undefined,
  )
}

/**
 * Applies changes caused by time alone: ended echoes, published rows, past double bookings. Writes only if something
 * changes, because every commit invalidates the response cache.
 */
export async function refreshCalendars(deps: Deps): Promise<void> {
  const { db } = deps
  if (endedEchoes(deps, db).length === 0 && !needsPublishSync(deps, db) && !areConflictsStale(deps, db))
    return
  await deps.write(tx => {
    const echoes = endedEchoes(deps, tx)
    storeEvents(
      tx,
      echoes,
      echoes.map(event => ({ ...event, echo: false })),
    )
    syncPublished(deps, tx)
    updateConflicts(deps, tx)
  })
}

/** Echoes that have ended and take their nights from now on (CAL-48). */
function endedEchoes(deps: Deps, db: Db): EventRow[] {
  const now = deps.clock.now()
  const today = dateIn(now, deps.config.site.timeZone)
  const byFeed = Map.groupBy(liveEchoes(db), ({ feedId }) => feedId)
  return [...byFeed].flatMap(([feedId, echoes]) => {
    const exports = platformExportsFor(deps, db, feedId)
    return echoes.filter(event => shouldEndEcho(event, exports, now, today))
  })
}
