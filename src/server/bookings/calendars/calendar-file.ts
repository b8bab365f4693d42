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
import {
  type ExportSource,
  type PublishedSources,
  publishedSources,
  syncPublishedInParts,
} from './published.ts'
import { type ExportRow, listExportRows } from './records.ts'

const maxAgentLength = 100
/** A fetch is recorded at most this often: each write empties the caches. */
const recordedForMs = 60_000

/**
 * The calendar with this token as an iCalendar file; undefined for an unknown or expired token (CAL-50).
 * @param agent the client's user agent, which is recorded (CAL-59); null for a request that is not recorded
 * @throws AppError too_many for a calendar that is fetched too often; unavailable while the clock is known to be wrong
 */
export async function readCalendarFile(
  deps: Deps,
  token: string,
  agent: string | null,
): Promise<Buffer | undefined> {
  // A guessed token must not cause a write.
  const row = findExport(deps, deps.db, token)
  if (!row) return undefined
  // By a wrong date it may lack nights, which a platform would sell; without an answer it keeps what it has.
  if (futureEventTime(deps) !== undefined)
    throw new AppError('unavailable', 'The clock of this site is wrong. Please try again later.', {
      retryAfterSeconds: 600,
    })
  await deps.limits.consume('calendarByExport', row.id)
  const published = await publishedSources(deps)
  if (!published || (agent !== null && !isRecorded(deps, row, published)))
    return publishAndRecord(deps, row, token, agent)
  const { feedId, id, name, scope } = row
  const key = JSON.stringify([id, name, scope, feedId])
  const file = published.files.get(key) ?? writeFile(deps, row, published.sources)
  published.files.set(key, file)
  return file
}

/** Whether a fetch of the current content was recorded in the last minute. */
function isRecorded({ clock }: Deps, { lastFetchedAt }: ExportRow, { changedAt }: PublishedSources): boolean {
  if (lastFetchedAt === null || lastFetchedAt < changedAt) return false
  return Math.abs(clock.now().getTime() - Date.parse(lastFetchedAt)) < recordedForMs
}

/** One write, so that the file and the recorded time match. Concurrent requests share it. */
function publishAndRecord(deps: Deps, { id }: ExportRow, token: string, agent: string | null) {
  return cachedUntilWrite(deps, `fetch of calendar ${id} ${agent === null}`, async () => {
    const found = await deps.writeInParts(function* (tx) {
      const row = findExport(deps, tx, token)
      if (!row) return undefined
      const sources = yield* syncPublishedInParts(deps, tx)
      if (agent !== null)
        tx.update(calendarExports)
          .set({ lastFetchedAt: nowIso(deps), lastAgent: printable(agent) || null })
          .where(eq(calendarExports.id, row.id))
          .run()
      return { row, sources }
    })
    return found && writeFile(deps, found.row, found.sources)
  })
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
