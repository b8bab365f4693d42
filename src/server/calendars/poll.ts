import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Tx } from '../../../db/open.ts'
import { echoEnds } from '../../domain/calendar-echo.ts'
import { blocksNights } from '../../domain/calendar-event.ts'
import { isDue } from '../../domain/calendar-feed.ts'
import { dateIn } from '../../domain/dates.ts'
import type { Deps } from '../kernel/deps.ts'
import { areConflictsStale, updateConflicts } from './conflicts.ts'
import { isPublishedStale, platformExportsFor, renewPublished } from './published.ts'
import { readFeed } from './reading.ts'
import { type EventRow, listFeedRows, liveEchoes, liveEventsOf } from './records.ts'
import { storeEvents } from './store-reading.ts'

const tickMs = 60_000
/** A host that hangs must not hold up the end of the process: a reading that is cut off leaves nothing. */
const stopWithinMs = 1000

/** Reads the calendars that are due, now and each minute, until stopped; no one waits for another (CAL-10, CAL-11). */
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
    for (const { id } of dueFeeds(deps)) run(readFeed(deps, id), { feedId: id }, 'a calendar was not read')
    await refreshCalendars(deps)
  }
  const start = () => run(tick(), {}, 'the calendars were not brought up to date')
  start()
  const timer = setInterval(start, tickMs).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      const giveUp = new AbortController()
      const late = sleep(stopWithinMs, undefined, { signal: giveUp.signal }).catch(() => {})
      await Promise.race([Promise.all(running), late])
      giveUp.abort()
    },
  }
}

function dueFeeds({ clock, config, db }: Deps) {
  if (config.calendarPollSeconds === 0) return []
  return listFeedRows(db).filter(feed => isDue(feed, clock.now(), config.calendarPollSeconds))
}

/**
 * What time alone changes: echoes that end, what exports say, double bookings that are past. It writes nothing where
 * nothing changes, since cached answers live until the next commit.
 */
export async function refreshCalendars(deps: Deps): Promise<void> {
  const { db } = deps
  if (endedEchoes(deps, db).length === 0 && !isPublishedStale(deps, db) && !areConflictsStale(deps, db))
    return
  await deps.write(tx => {
    const echoes = endedEchoes(deps, tx)
    storeEvents(
      tx,
      echoes,
      echoes.map(event => ({ ...event, echo: false })),
    )
    renewPublished(deps, tx)
    updateConflicts(deps, tx)
  })
}

/** Echoes that take their nights from now on (CAL-48). */
function endedEchoes(deps: Deps, db: Db | Tx): EventRow[] {
  const now = deps.clock.now()
  const today = dateIn(now, deps.config.site.timeZone)
  const byFeed = Map.groupBy(liveEchoes(db), ({ feedId }) => feedId)
  return [...byFeed].flatMap(([feedId, echoes]) => {
    const standing = liveEventsOf(db, feedId).filter(
      event => blocksNights(event) && event.missingSince === null,
    )
    const exports = platformExportsFor(deps, db, feedId)(new Set(standing.map(({ id }) => id)))
    return echoes.filter(event => echoEnds(event, exports, now, today))
  })
}
