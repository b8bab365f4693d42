import type { Db, Tx } from '../../../../db/open.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { calendarMessages } from '../../../domain/calendars/calendar-messages.ts'
import { type DateRange, datesInRange, mergeOverlapping } from '../../../domain/common/dates.ts'
import { AppError } from '../../../domain/common/errors.ts'
import type { CalendarOverride } from '../../../domain/common/inputs.ts'
import { toDateRanges } from '../../../domain/common/stay.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { sha256 } from '../../lib/sha256.ts'
import { describeTaken, type ImportedEvent, importedAmong, importedWithin } from '../imported-nights.ts'
import { assertFree } from '../who-may-book.ts'
import { listFeedRows } from './records.ts'

/** Whether the owner accepts that these imported nights are booked. */
export type Acceptance = (taken: readonly ImportedEvent[]) => boolean

type WantedStay = {
  stay: DateRange
  /** The application to book; '' if it is not stored yet. */
  applicationId: string
  /** Nights that the application already has; they are not checked. */
  held?: DateRange | undefined
  /** None are accepted by default. */
  accept?: Acceptance | undefined
}

const always = { start: '0000-01-01', end: '9999-12-31' }

/**
 * What an override accepts (FIX-41): a key, exactly the nights that were listed with it; `true`, those that are known
 * now. Must be called when the request arrives, before calendars are read and before the write waits for others.
 */
export function acceptanceOf(deps: Deps, override: CalendarOverride | null | undefined): Acceptance {
  if (override !== true) return taken => override === overrideKeyOf(taken)
  const isAccepted = acceptedIn(importedWithin(deps.db, always, todayAt(deps)))
  return taken => taken.every(isAccepted)
}

/** The part of an imported event that the owner accepted, as stored with an offer or an addendum. */
type AcceptedPart = Pick<ImportedEvent, 'eventId' | 'kind' | 'start' | 'end'>
export const acceptedPart = ({ end, eventId, kind, start }: AcceptedPart): AcceptedPart => ({
  eventId,
  kind,
  start,
  end,
})

/**
 * Returns a function that tells whether the owner accepted a part of an event: same event, same kind, no other nights.
 * UIDs are not compared, because an event keeps its row when a platform renews its UIDs (CAL-28).
 */
export function acceptedIn(accepted: readonly AcceptedPart[]): (part: AcceptedPart) => boolean {
  // There may be thousands on the same nights.
  const byEvent = Map.groupBy(accepted, ({ eventId }) => eventId)
  return ({ end, eventId, kind, start }) =>
    (byEvent.get(eventId) ?? []).some(part => part.kind === kind && part.start <= start && end <= part.end)
}

/** Identifies a list of taken nights: another event, UID, kind or night makes another key. */
export function overrideKeyOf(taken: readonly ImportedEvent[]): string {
  const parts = taken.map(({ end, eventId, kind, start, uid }) => `${eventId} ${kind} ${start} ${end} ${uid}`)
  return sha256(parts.sort().join('\n')).slice(0, 16)
}

/** The imported nights of a stay, except nights that are held. */
export function takenOf(deps: Deps, db: Db | Tx, stay: DateRange, held?: DateRange): ImportedEvent[] {
  const isHeld = (night: string) => held !== undefined && held.start <= night && night < held.end
  const wanted = held ? toDateRanges(datesInRange(stay).filter(night => !isHeld(night))) : [stay]
  return importedAmong(db, wanted, todayAt(deps))
}

/**
 * Must run in the write that books the stay. Returns the imported nights that the owner overrides, for
 * `recordOverride` and `updateConflicts`, which the caller also calls after everything is written.
 * @throws AppError conflict like `assertFree`; at `overrideCalendar` for imported nights
 * that are not accepted, with the key of their list (CAL-38, CAL-39)
 */
export function assertBookable(
  deps: Deps,
  tx: Tx,
  { accept, applicationId, held, stay }: WantedStay,
): ImportedEvent[] {
  assertFree(deps, tx, stay, applicationId)
  return requireAccepted(deps, tx, { accept, held, stay })
}

/** The imported nights of a stay, if all are accepted. Changes nothing. @throws AppError like `assertBookable` */
export function requireAccepted(
  deps: Deps,
  db: Db | Tx,
  { accept, held, stay }: Omit<WantedStay, 'applicationId'>,
): ImportedEvent[] {
  const taken = takenOf(deps, db, stay, held)
  if (taken.length === 0 || accept?.(taken)) return taken
  const { feeds, nights } = describeTaken(taken)
  const message = calendarMessages.taken(feeds, nights)
  throw new AppError('conflict', message, {
    fields: { overrideCalendar: message },
    current: overrideKeyOf(taken),
  })
}

/** Records in the audit log which imported nights the owner overrode; does nothing if there were none. */
export function recordOverride(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  applicationId: string,
  taken: readonly ImportedEvent[],
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

/**
 * The imported nights of a stay, by arrival; overlapping events of a calendar are one entry. With the key that accepts
 * them; empty if there are none.
 */
export function importedOverlaps(
  deps: Deps,
  stay: DateRange,
): { imported?: ImportedOverlap[]; overrideKey?: string } {
  const { db } = deps
  const taken = takenOf(deps, db, stay)
  if (taken.length === 0) return {}
  const byFeed = Map.groupBy(taken, ({ feedId }) => feedId)
  const imported = listFeedRows(db)
    .flatMap(({ id, lastSuccessAt, name }) =>
      mergeOverlapping(byFeed.get(id) ?? []).map(({ end, start }) => ({
        feedId: id,
        feedName: name,
        startDate: start,
        endDate: end,
        lastSuccessAt,
      })),
    )
    .sort((a, b) => (a.startDate < b.startDate ? -1 : a.startDate > b.startDate ? 1 : 0))
  return { imported, overrideKey: overrideKeyOf(taken) }
}
