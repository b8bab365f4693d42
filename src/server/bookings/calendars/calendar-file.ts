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
import { type CalendarDate, dateIn } from '../../../domain/common/dates.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { sha256 } from '../../lib/sha256.ts'
import { type ExportSource, syncPublished } from './published.ts'
import { type ExportRow, listExportRows } from './records.ts'

const maxAgentLength = 100

/**
 * The calendar with this token as an iCalendar file; undefined for an unknown or expired token (CAL-50).
 * @param agent the client's user agent, which is recorded (CAL-59); null for a HEAD request, which is not recorded
 */
export async function readCalendarFile(
  deps: Deps,
  token: string,
  agent: string | null,
): Promise<string | undefined> {
  // A guessed token must not cause a write.
  if (!findExport(deps, deps.db, token)) return undefined
  const found = await deps.write(tx => {
    const row = findExport(deps, tx, token)
    if (!row) return undefined
    const sources = syncPublished(deps, tx)
    if (agent !== null)
      tx.update(calendarExports)
        .set({ lastFetchedAt: nowIso(deps), lastAgent: printable(agent) || null })
        .where(eq(calendarExports.id, row.id))
        .run()
    return { row, sources }
  })
  if (!found) return undefined
  const today = dateIn(deps.clock.now(), deps.config.site.timeZone)
  return writeCalendar(found.row.name, eventsOf(found.row, found.sources, today))
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
