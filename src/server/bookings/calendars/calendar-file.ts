import { eq } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { calendarExports } from '../../../../db/schema.ts'
import {
  cleaningEvents,
  type FileEvent,
  ownerEvent,
  platformEvent,
  writeCalendar,
} from '../../../domain/calendars/calendar-file.ts'
import type { CalendarDate } from '../../../domain/common/dates.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { cachedUntilWrite } from '../../kernel/cached-until-write.ts'
import { futureEventTime } from '../../kernel/clock-skew.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { sha256 } from '../../lib/sha256.ts'
import { type ExportSource, noteRead, publishedSources, syncPublishedInParts } from './published.ts'
import { type ExportRow, listExportRows } from './records.ts'

const maxAgentLength = 100
/** A fetch is recorded at most this often: each write empties the caches. */
const recordedForMs = 60_000

/** A calendar to send, and what is to be called once it was sent. */
type CalendarAnswer = { file: Buffer; answered: () => Promise<void> }

/**
 * The calendar with this token as an iCalendar file; undefined for an unknown or expired token (CAL-50). A fetch counts
 * once it was answered: a platform without an answer does not know the nights.
 * @param agent the client's user agent, which is recorded (CAL-59); null for a request that is not recorded
 * @throws AppError too_many for a calendar that is fetched too often; unavailable while the clock is known to be wrong
 */
export async function readCalendarFile(
  deps: Deps,
  token: string,
  agent: string | null,
): Promise<CalendarAnswer | undefined> {
  // A guessed token must not cause a write.
  const row = findExport(deps, deps.db, token)
  if (!row) return undefined
  // By a wrong date it may lack nights, which a platform would sell; without an answer it keeps what it has.
  if (futureEventTime(deps) !== undefined)
    throw new AppError('unavailable', 'The clock of this site is wrong. Please try again later.', {
      retryAfterSeconds: 600,
    })
  await deps.limits.consume('calendarByExport', row.id)
  const at = nowIso(deps)
  const published = await publishedSources(deps)
  if (!published) {
    const found = await publish(deps, row, token)
    return found && answerOf(deps, token, agent, found)
  }
  noteRead(deps, at)
  const { feedId, id, name, scope } = row
  const key = JSON.stringify([id, name, scope, feedId])
  const file = published.files.get(key) ?? writeFile(deps, row, published.sources)
  published.files.set(key, file)
  return answerOf(deps, token, agent, { row, file, at, changedAt: published.changedAt })
}

/** A file with the time at which its content was read, and when that last changed. */
type ReadFile = { row: ExportRow; file: Buffer; at: string; changedAt: string }

/** One write, so that the file and its time match. Concurrent requests share it. */
function publish(deps: Deps, { id }: ExportRow, token: string) {
  return cachedUntilWrite(deps, `publication for calendar ${id}`, async (): Promise<ReadFile | undefined> => {
    const found = await deps.writeInParts(function* (tx) {
      const row = findExport(deps, tx, token)
      if (!row) return undefined
      const sources = yield* syncPublishedInParts(deps, tx)
      const at = nowIso(deps)
      noteRead(deps, at)
      return { row, sources, at }
    })
    if (!found) return undefined
    const { at, row, sources } = found
    return { row, file: writeFile(deps, row, sources), at, changedAt: at }
  })
}

function answerOf(deps: Deps, token: string, agent: string | null, read: ReadFile): CalendarAnswer {
  const record = async () => {
    if (agent !== null && !isRecorded(deps, read)) await recordFetch(deps, token, agent, read)
  }
  return { file: read.file, answered: record }
}

/** Whether a fetch of this content was recorded in the last minute. */
function isRecorded({ clock, db }: Deps, { changedAt, row: { id } }: ReadFile): boolean {
  const { lastFetchedAt = null } = listExportRows(db).find(row => row.id === id) ?? {}
  if (lastFetchedAt === null || lastFetchedAt < changedAt) return false
  return Math.abs(clock.now().getTime() - Date.parse(lastFetchedAt)) < recordedForMs
}

/** Concurrent requests share the write. */
function recordFetch(
  deps: Deps,
  token: string,
  agent: string,
  { at, changedAt, row: read }: ReadFile,
): Promise<void> {
  return cachedUntilWrite(deps, `fetch of calendar ${read.id} ${changedAt}`, () =>
    deps.write(tx => {
      const now = nowIso(deps)
      const row = findExport(deps, tx, token)
      // It may be another platform's by now, or the clock was set back.
      if (!row || row.feedId !== read.feedId || at > now) return
      const { lastFetchedAt: last } = row
      // A slow answer may end after a later one.
      if (last !== null && at < last && last <= now) return
      tx.update(calendarExports)
        .set({ lastFetchedAt: at, lastAgent: printable(agent) || null })
        .where(eq(calendarExports.id, row.id))
        .run()
    }),
  )
}

function writeFile(deps: Deps, row: ExportRow, sources: ExportSource[]): Buffer {
  const today = todayAt(deps)
  return Buffer.from(writeCalendar(row.name, eventsOf(row, sources, today)))
}

function findExport(deps: Deps, db: Db, token: string): ExportRow | undefined {
  const now = nowIso(deps)
  const hash = sha256(token)
  return listExportRows(db).find(
    row => row.token === hash || (row.oldToken === hash && row.oldUntil !== null && row.oldUntil > now),
  )
}

function eventsOf({ feedId, scope }: ExportRow, sources: ExportSource[], today: CalendarDate): FileEvent[] {
  if (scope === 'platform')
    return sources
      .filter(source => source.published.end > today && (feedId === null || source.feedId !== feedId))
      .map(({ kind, published }) => platformEvent(published, kind === 'block'))
  // Turnover nights are only for platforms (CAL-49).
  const stays = sources.map(({ end, kind, published, start, summary }) => ({
    kind,
    summary,
    stay: { ...published, start, end },
  }))
  if (scope === 'cleaning')
    return cleaningEvents(
      stays.filter(({ kind }) => kind !== 'block').map(({ stay }) => stay),
      today,
    )
  return stays.filter(({ stay }) => stay.end > today).map(({ stay, summary }) => ownerEvent(stay, summary))
}

/** A user agent without invisible characters. */
const printable = (agent: string) =>
  [...agent.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim()].slice(0, maxAgentLength).join('')
