import type { Tx } from '../../../../db/open.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { sharedNights } from '../../../domain/calendars/calendar-event.ts'
import { calendarMessages } from '../../../domain/calendars/calendar-messages.ts'
import { type DateRange, dateIn, datesInRange, mergeOverlapping } from '../../../domain/common/dates.ts'
import { fieldError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { describeTaken, importedAmong, importedWithin, type TakenNights } from '../imported-nights.ts'
import { assertNoOverlap } from '../nights.ts'
import { listFeedRows } from './records.ts'

type WantedStay = {
  stay: DateRange
  /** The application to book; '' if it is not stored yet. */
  applicationId: string
  /** Nights that the application already has; they are not checked. */
  held?: DateRange | undefined
  overrideCalendar?: boolean | null | undefined
}

/**
 * Must run in the write that books the stay. Returns the imported nights that the owner overrides, for
 * `recordOverride`. The caller also calls `updateConflicts` after everything is written.
 * @throws AppError conflict, naming an application that has the nights; at `overrideCalendar` for imported nights
 * unless `overrideCalendar` is true (CAL-38, CAL-39)
 */
export function assertBookable(
  deps: Deps,
  tx: Tx,
  { applicationId, held, overrideCalendar, stay }: WantedStay,
): TakenNights[] {
  assertNoOverlap(tx, stay, applicationId)
  const isHeld = (night: string) => held !== undefined && held.start <= night && night < held.end
  const wanted = datesInRange(stay).filter(night => !isHeld(night))
  const taken = importedAmong(tx, wanted, todayAt(deps))
  if (taken.length === 0 || overrideCalendar === true) return taken
  const { feeds, nights } = describeTaken(taken)
  throw fieldError('overrideCalendar', calendarMessages.taken(feeds, nights), 'conflict')
}

/** Records in the audit log which imported nights the owner overrode; does nothing if there were none. */
export function recordOverride(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  applicationId: string,
  taken: readonly TakenNights[],
): void {
  if (taken.length === 0) return
  const { feeds, nights } = describeTaken(taken)
  recordEvent(tx, nowIso(deps), actor, 'calendar.overridden', applicationId, {
    feeds,
    nights: nights.map(({ start, end }) => `${start} to ${end}`).join('; '),
  })
}

/** The part of an imported event that a stay overlaps, and when its feed was last read. */
export type ImportedOverlap = {
  feedId: string
  feedName: string
  startDate: string
  /** Exclusive. */
  endDate: string
  lastSuccessAt: string | null
}

/** The imported nights of a stay, by arrival; overlapping events of a calendar are one entry. */
export function importedOverlaps(deps: Deps, stay: DateRange): ImportedOverlap[] {
  const { db } = deps
  const events = importedWithin(db, stay, todayAt(deps))
  if (events.length === 0) return []
  const byFeed = Map.groupBy(events, ({ feedId }) => feedId)
  return listFeedRows(db)
    .flatMap(({ id, lastSuccessAt, name }) => {
      const shared = (byFeed.get(id) ?? []).flatMap(event => sharedNights(event, stay) ?? [])
      return mergeOverlapping(shared).map(({ end, start }) => ({
        feedId: id,
        feedName: name,
        startDate: start,
        endDate: end,
        lastSuccessAt,
      }))
    })
    .sort((a, b) => (a.startDate < b.startDate ? -1 : a.startDate > b.startDate ? 1 : 0))
}

const todayAt = ({ clock, config }: Deps) => dateIn(clock.now(), config.site.timeZone)
