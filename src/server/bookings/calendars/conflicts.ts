import { randomUUID } from 'node:crypto'
import { and, eq, gte, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db, Tx } from '../../../../db/open.ts'
import {
  applications,
  calendarConflicts,
  calendarEvents,
  calendarFeeds,
  claims,
  outbox,
} from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import {
  type BookedNights,
  countDoubleBookings,
  type DoubleBooking,
  doubleBookingKey,
  doubleBookings,
  maxAcknowledgedConflicts,
  maxOpenConflicts,
  standingPair,
  stayPairs,
  type TakingEvent,
  takingEvents,
} from '../../../domain/calendars/calendar-conflict.ts'
import { maxNightsAhead } from '../../../domain/calendars/calendar-event.ts'
import { addDays, type DateRange } from '../../../domain/common/dates.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { view } from '../../kernel/view.ts'
import { allParts } from '../../lib/parts.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { currentSite } from '../../site/content/published.ts'
import { claimsWithin } from '../claim-records.ts'
import type { ImportedEvent } from '../imported-nights.ts'
import { bookingsWithin } from '../nights.ts'
import { blockingEvents } from './records.ts'
import { type ConflictView, conflictView } from './views.ts'

/** A booking, or claims, and the imported nights that the owner accepted for it. */
export type AcceptedNights = { applicationId?: string; claimIds?: string[]; taken: readonly ImportedEvent[] }

/**
 * Updates the stored conflicts, in the write that changed nights: stores new pairs, up to a limit, with one mail about
 * all of them, and resolves pairs that no longer share a night.
 * @param accepted what the owner knowingly books twice: these pairs are acknowledged, but no others (FIX-41)
 * @returns the conflicts from before that still share nights
 */
export const updateConflicts = (deps: Deps, tx: Tx, ...accepted: AcceptedNights[]): ConflictView[] =>
  allParts(updateConflictsInParts(deps, tx, ...accepted))

/** The same in parts, for a feed that may have thousands of events. */
export function* updateConflictsInParts(
  deps: Deps,
  tx: Tx,
  ...accepted: AcceptedNights[]
): Generator<void, ConflictView[]> {
  const at = nowIso(deps)
  const found = findConflicts(deps, tx)
  yield
  const { acknowledged, added } = newConflicts(found, accepted)
  yield
  resolveConflicts(tx, at, found.gone)
  for (const pair of acknowledged) storeConflict(tx, at, pair, at)
  const feedIds = new Map(found.events.map(({ feedId, id }) => [id, feedId]))
  const told = added.flatMap(pair => {
    const stored = storeConflict(tx, at, pair, null)
    return stored ? [{ ...stored, feedId: feedIds.get(pair.eventId) }] : []
  })
  yield
  if (told.length === 0) return standingConflicts(found)
  const unstored = countAll(found) - found.standing.length - acknowledged.length - added.length
  // One mail about all, in the name of the first calendar that had none today.
  const firsts = [...Map.groupBy(told, ({ feedId }) => feedId).values()].flatMap(([first]) => first ?? [])
  firsts.some(first => mailConflict(deps, tx, at, first, told.length - 1 + unstored))
  return standingConflicts(found)
}

const standingConflicts = ({ standing }: FoundConflicts): ConflictView[] =>
  standing.map(({ row, shared }) => presentConflict(row, shared))

/** Unresolved conflicts with their currently shared nights. */
export const openConflictsOf = (deps: Deps, db: Db | Tx): ConflictView[] =>
  standingConflicts(findConflicts(deps, db))

/** Whether `updateConflicts` would change anything; checked before a write, to avoid empty writes. */
export function areConflictsStale(deps: Deps, db: Db): boolean {
  const found = findConflicts(deps, db)
  return found.gone.length + newConflicts(found, []).added.length > 0
}

/** Unresolved conflicts with their currently shared nights, by date, and how many more there are (FIX-26). */
export function listConflicts(db: Db, deps: Deps): { conflicts: ConflictView[]; more: number } {
  const found = findConflicts(deps, db)
  return {
    conflicts: standingConflicts(found).sort((a, b) => a.startDate.localeCompare(b.startDate)),
    more: countAll(found) - found.standing.length,
  }
}

/**
 * Reopens acknowledged conflicts that share more nights after a reading, or after a lease was deleted, or whose event has
 * become a reservation, because the owner acknowledged only the earlier nights or kind. Sends no second mail.
 * @param before the conflicts before it
 * @param after what `updateConflicts` returned
 * @param guests ids of the events that have become reservations
 */
export function reopenExtendedConflicts(
  tx: Tx,
  before: readonly ConflictView[],
  after: readonly ConflictView[],
  guests: ReadonlySet<string> = new Set(),
): void {
  const known = new Map(before.map(conflict => [conflict.id, conflict]))
  for (const { acknowledgedAt, endDate, eventId, id, startDate } of after) {
    const old = known.get(id)
    if (acknowledgedAt === null || !old) continue
    if (old.startDate <= startDate && endDate <= old.endDate && !guests.has(eventId)) continue
    tx.update(calendarConflicts).set({ acknowledgedAt: null }).where(eq(calendarConflicts.id, id)).run()
  }
}

/** Acknowledges a conflict, or takes that back. @throws AppError not_found for an unknown or resolved conflict */
export function acknowledgeConflict(
  deps: Deps,
  actor: Admin,
  id: string,
  acknowledged: boolean,
): Promise<ConflictView> {
  return deps.write(tx => {
    const find = () => listConflicts(tx, deps).conflicts.find(conflict => conflict.id === id)
    const before = find()
    if (!before) throw new AppError('not_found', 'Double booking not found')
    if ((before.acknowledgedAt !== null) === acknowledged) return before
    const at = nowIso(deps)
    tx.update(calendarConflicts)
      .set({ acknowledgedAt: acknowledged ? at : null })
      .where(eq(calendarConflicts.id, id))
      .run()
    recordEvent(
      tx,
      at,
      actor,
      acknowledged ? 'calendar.conflict_acknowledged' : 'calendar.conflict_reopened',
      id,
      {
        event: before.eventId,
        application: before.applicationNumber ?? before.claimName ?? null,
      },
    )
    return find() ?? before
  })
}

/** The stored conflicts that are not resolved, and everything that can be booked twice. */
type FoundConflicts = {
  events: TakingEvent[]
  booked: BookedNights[]
  standing: { row: ConflictRow; shared: DoubleBooking }[]
  /** Those that share no night any more. */
  gone: ConflictRow[]
}

function findConflicts(deps: Deps, db: Db): FoundConflicts {
  const today = todayAt(deps)
  const rows = openConflicts(db)
  const events = takingEvents(blockingEvents(db, today), today)
  const ahead = { start: today, end: addDays(today, maxNightsAhead + 1) }
  const bookings = events.length > 0 ? bookingsWithin(db, ahead) : []
  const claims = events.length > 0 ? claimsWithin(deps, db, ahead) : []
  const booked = [
    ...bookings.map(({ end, id, start }) => ({ applicationId: id, start, end })),
    ...claims.map(({ end, id, start }) => ({ applicationId: null, claimId: id, start, end })),
  ]
  const eventsById = new Map(events.map(event => [event.id, event]))
  const staysById = new Map(booked.map(stay => [stayIdOf(stay), stay]))
  const pairs = rows.map(row => ({ row, shared: standingPair(row.conflict, eventsById, staysById) }))
  return {
    events,
    booked,
    standing: pairs.flatMap(({ row, shared }) => (shared ? [{ row, shared }] : [])),
    gone: pairs.filter(({ shared }) => shared === null).map(({ row }) => row),
  }
}

const countAll = ({ booked, events }: FoundConflicts) => countDoubleBookings(events, booked)

/** A feed's conflicts with stays are counted apart, so that one that is wrong hides none of another. */
const groupOf = (otherEventId: string | null, feedId: string) => (otherEventId === null ? feedId : '')

const stayIdOf = ({ applicationId, claimId }: Pick<BookedNights, 'applicationId' | 'claimId'>) =>
  applicationId ?? claimId ?? ''

/** The pairs to store: those that the owner knows, and the first others, as many as there is room for. */
function newConflicts({ booked, events, standing }: FoundConflicts, accepted: readonly AcceptedNights[]) {
  const stored = new Set(standing.map(({ shared }) => doubleBookingKey(shared)))
  const open = standing.filter(({ row }) => row.conflict.acknowledgedAt === null)
  const openOf = Map.groupBy(open, ({ row }) => groupOf(row.conflict.otherEventId, row.feedId))
  const roomOf = (group: string) => maxOpenConflicts - (openOf.get(group)?.length ?? 0)
  const isAdded = (pair: DoubleBooking) => isNew(pair) && !isKnown(pair)
  const eventIds = new Map(
    accepted.flatMap(({ applicationId, claimIds = [], taken }) =>
      [applicationId ?? [], claimIds].flat().map(id => [id, new Set(taken.map(({ eventId }) => eventId))]),
    ),
  )
  const isKnown = ({ eventId, ...stay }: DoubleBooking) => eventIds.get(stayIdOf(stay))?.has(eventId) === true
  const isNew = (pair: DoubleBooking) => !stored.has(doubleBookingKey(pair))
  const known = booked.filter(stay => eventIds.has(stayIdOf(stay)))
  return {
    acknowledged: firstOf(
      stayPairs(events, known),
      maxAcknowledgedConflicts - (standing.length - open.length),
      pair => isNew(pair) && isKnown(pair),
    ),
    added: [...Map.groupBy(events, ({ feedId }) => feedId)]
      .flatMap(([feedId, ofFeed]) => firstOf(stayPairs(ofFeed, booked), roomOf(feedId), isAdded))
      .concat(firstOf(doubleBookings(events, []), roomOf(''), isAdded))
      .toSorted((a, b) => a.start.localeCompare(b.start)),
  }
}

function firstOf(
  pairs: Iterable<DoubleBooking>,
  count: number,
  test: (pair: DoubleBooking) => boolean,
): DoubleBooking[] {
  const found: DoubleBooking[] = []
  if (count <= 0) return found
  for (const pair of pairs) {
    if (test(pair)) found.push(pair)
    if (found.length === count) break
  }
  return found
}

/** Stores a pair, or reopens it if it was resolved. Returns the conflict only if it is new, so that it is mailed. */
function storeConflict(
  tx: Tx,
  at: string,
  { applicationId, claimId, end, eventId, otherEventId, start }: DoubleBooking,
  acknowledgedAt: string | null,
): (DateRange & { id: string }) | undefined {
  const other = applicationId
    ? eq(calendarConflicts.applicationId, applicationId)
    : claimId
      ? eq(calendarConflicts.claimId, claimId)
      : eq(calendarConflicts.otherEventId, otherEventId ?? '')
  const reopened = tx
    .update(calendarConflicts)
    .set({ resolvedAt: null, acknowledgedAt })
    .where(and(eq(calendarConflicts.eventId, eventId), other))
    .run()
  if (reopened.changes > 0) return undefined
  const id = randomUUID()
  tx.insert(calendarConflicts)
    .values({ id, eventId, applicationId, claimId, otherEventId, createdAt: at, acknowledgedAt })
    .run()
  return { id, start, end }
}

const mailKey = (feedAndDate: string) => `owner-double-booking:${feedAndDate}`

/** Ids of the conflicts that a mail of their own has named. */
export function mailedConflicts(db: Db): ReadonlySet<string> {
  const mails = db
    .select({ id: sql<string | null>`json_extract(${outbox.props}, '$.conflictId')` })
    .from(outbox)
    .where(and(gte(outbox.dedupeKey, mailKey('')), lt(outbox.dedupeKey, mailKey('~'))))
    .all()
  return new Set(mails.flatMap(({ id }) => id ?? []))
}

const otherEvents = alias(calendarEvents, 'other_event')
const otherFeeds = alias(calendarFeeds, 'other_feed')
const holders = alias(applications, 'holder')

const selectConflicts = (db: Db) =>
  db
    .select({
      conflict: calendarConflicts,
      feedId: calendarFeeds.id,
      feedName: calendarFeeds.name,
      applicationNumber: applications.number,
      claimKind: claims.kind,
      claimName: sql<
        string | null
      >`case ${claims.kind} when 'addendum' then ${holders.number} else ${claims.firstName} || ' ' || ${claims.lastName} end`,
      otherFeedId: otherFeeds.id,
      otherFeedName: otherFeeds.name,
    })
    .from(calendarConflicts)
    .innerJoin(calendarEvents, eq(calendarEvents.id, calendarConflicts.eventId))
    .innerJoin(calendarFeeds, eq(calendarFeeds.id, calendarEvents.feedId))
    .leftJoin(applications, eq(applications.id, calendarConflicts.applicationId))
    .leftJoin(claims, eq(claims.id, calendarConflicts.claimId))
    .leftJoin(holders, eq(holders.id, claims.applicationId))
    .leftJoin(otherEvents, eq(otherEvents.id, calendarConflicts.otherEventId))
    .leftJoin(otherFeeds, eq(otherFeeds.id, otherEvents.feedId))
    .$dynamic()
type ConflictRow = ReturnType<ReturnType<typeof selectConflicts>['all']>[number]

/** Resolves these conflicts, and all whose event has ended: an earlier version of the program stored any number. */
function resolveConflicts(tx: Tx, at: string, gone: readonly ConflictRow[]): void {
  if (gone.length === 0) return
  const ended = tx
    .select({ id: calendarEvents.id })
    .from(calendarEvents)
    .where(isNotNull(calendarEvents.endedAt))
  const ids = gone.map(({ conflict }) => conflict.id)
  tx.update(calendarConflicts)
    .set({ resolvedAt: at })
    .where(
      and(
        isNull(calendarConflicts.resolvedAt),
        or(inArray(calendarConflicts.id, ids), inArray(calendarConflicts.eventId, ended)),
      ),
    )
    .run()
}

/** The oldest ones up to the limits: an earlier version of the program stored any number. */
function openConflicts(db: Db): ConflictRow[] {
  const { acknowledgedAt, createdAt, eventId, id, otherEventId, resolvedAt } = calendarConflicts
  const inOrder = sql`${createdAt}, ${calendarConflicts}.rowid`
  const group = sql`iif(${otherEventId} is null, ${calendarEvents.feedId}, '')`
  const ranked = db
    .select({
      id,
      place: sql<number>`row_number() over (partition by ${group} order by ${inOrder})`.as('place'),
    })
    .from(calendarConflicts)
    .innerJoin(calendarEvents, eq(calendarEvents.id, eventId))
    .where(and(isNull(resolvedAt), isNull(acknowledgedAt)))
    .as('ranked')
  const first = db.select({ id: ranked.id }).from(ranked).where(lte(ranked.place, maxOpenConflicts))
  const acknowledged = selectConflicts(db)
    .where(and(isNull(resolvedAt), isNotNull(acknowledgedAt)))
    .orderBy(inOrder)
    .limit(maxAcknowledgedConflicts)
  return [...selectConflicts(db).where(inArray(id, first)).orderBy(inOrder).all(), ...acknowledged.all()]
}

function presentConflict(
  { claimKind, claimName, conflict, ...names }: ConflictRow,
  { end, start }: Pick<DoubleBooking, 'start' | 'end'>,
): ConflictView {
  const { claimId, ...fields } = conflict
  return view(conflictView, {
    ...fields,
    ...names,
    ...(claimId !== null && claimKind !== null && claimName !== null && { claimId, claimKind, claimName }),
    startDate: start,
    endDate: end,
  })
}

/**
 * Mails the first new double booking, and how many more there are: at most one mail per calendar and day (FIX-26).
 * @returns whether there was none yet
 */
function mailConflict(
  deps: Deps,
  tx: Tx,
  at: string,
  { id, ...shared }: DateRange & { id: string },
  more: number,
): boolean {
  const row = selectConflicts(tx).where(eq(calendarConflicts.id, id)).get()
  if (!row) return false
  const {
    applicationId,
    applicationNumber,
    claimKind,
    claimName,
    endDate,
    feedId,
    feedName,
    otherFeedName,
    startDate,
  } = presentConflict(row, shared)
  return enqueueMail(tx, at, {
    kind: 'owner-double-booking',
    to: currentSite(deps).ownerEmail,
    dedupeKey: mailKey(`${feedId}:${todayAt(deps)}`),
    props: {
      conflictId: id,
      feedName,
      applicationNumber,
      applicationId,
      otherFeedName,
      ...(claimName !== undefined && { claimKind, claimName }),
      startDate,
      endDate,
      more,
    },
  })
}
