import { and, eq, gte, lte } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { availability } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import type {
  AdminAvailabilityEntry,
  AvailabilityEntry,
  AvailabilityRange,
  BookedStay,
  DateChange,
  DatesChange,
  PromisedStay,
} from '../../domain/bookings/availability.ts'
import { isTypedReason, reasonOrDefault } from '../../domain/bookings/availability-reason.ts'
import { claimMessages } from '../../domain/bookings/claim.ts'
import { calendarMessages } from '../../domain/calendars/calendar-messages.ts'
import { addDays, type CalendarDate } from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import { formatNights, toDateRanges } from '../../domain/common/stay.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../kernel/deps.ts'
import { claimsWithin } from './claim-records.ts'
import { endOverClaims } from './claims.ts'
import { describeTaken, importedAmong } from './imported-nights.ts'
import { bookingsWithin } from './nights.ts'
import { whoMayBook } from './who-may-book.ts'

/**
 * The days of a range that have a record, a booking or an imported event, or are turnover nights, by date. Reveals
 * neither tenant nor platform.
 */
export function listAvailability(deps: Deps, range: AvailabilityRange): AvailabilityEntry[] {
  return listEntries(deps, range).map(({ date, isAvailable, reason }) => ({ date, isAvailable, reason }))
}

/** Like `listAvailability`, for the owner: with the booking or calendar that takes each night. */
export function listAvailabilityForAdmin(deps: Deps, range: AvailabilityRange): AdminAvailabilityEntry[] {
  return listEntries(deps, range)
}

/** The stays that take a night of the range, with all their nights, by arrival. */
export function listBookedStays(db: Db, { startDate, endDate }: AvailabilityRange): BookedStay[] {
  return bookingsWithin(db, { start: startDate, end: addDays(endDate, 1) }).map(
    ({ id: applicationId, number: applicationNumber, ...stay }) => ({
      applicationId,
      applicationNumber,
      ...stay,
    }),
  )
}

/** The promises that share a night with the range: visitors find their nights free. */
export function listPromises(deps: Deps, { startDate, endDate }: AvailabilityRange): PromisedStay[] {
  return claimsWithin(deps, deps.db, { start: startDate, end: addDays(endDate, 1) }).flatMap(
    ({ end, id, kind, start, state, untilAt, who }) =>
      kind === 'promise'
        ? [
            {
              claimId: id,
              name: who,
              startDate: start,
              endDate: end,
              until: untilAt,
              state: state === 'asked' ? ('asked' as const) : ('open' as const),
            },
          ]
        : [],
  )
}

/** @throws AppError forbidden for a typed reason without a step-up, bad_request for a past date, conflict for freeing a booked, held or imported night */
export async function setDate(deps: Deps, actor: Admin, change: DateChange): Promise<AvailabilityEntry> {
  const { date, isAvailable } = change
  await setDates(deps, actor, { ...change, dates: [date] })
  return { date, isAvailable, reason: reasonOrDefault(change) }
}

/** Changes all dates or none; returns their number. @throws AppError like `setDate` */
export function setDates(deps: Deps, actor: Admin, change: DatesChange): Promise<number> {
  const dates = [...new Set(change.dates)].sort()
  const at = nowIso(deps)
  const values = { isAvailable: change.isAvailable, reason: reasonOrDefault(change), updatedAt: at }
  return deps.write(tx => {
    if (isTypedReason(change.reason)) requireStepUp(deps, tx, actor)
    const today = todayAt(deps)
    requireFuture(dates, today)
    endOverClaims(deps, tx)
    if (change.isAvailable) {
      requireNotTaken(deps, tx, dates)
      requireNotImported(tx, dates, today)
    }
    for (const date of dates)
      tx.insert(availability)
        .values({ date, ...values })
        .onConflictDoUpdate({ target: availability.date, set: values })
        .run()
    const detail = { dates: dates.join(' '), isAvailable: change.isAvailable, reason: values.reason }
    recordEvent(tx, at, actor, 'availability.set', dates[0] ?? '', detail)
    return dates.length
  })
}

function listEntries(deps: Deps, { startDate, endDate }: AvailabilityRange): AdminAvailabilityEntry[] {
  const { db } = deps
  const days = new Map<CalendarDate, AdminAvailabilityEntry>()
  const freed = db
    .select({ date: availability.date, reason: availability.reason })
    .from(availability)
    .where(
      and(
        eq(availability.isAvailable, true),
        gte(availability.date, startDate),
        lte(availability.date, endDate),
      ),
    )
    .all()
  const unbooked = { applicationId: null, applicationNumber: null }
  for (const { date, reason } of freed) days.set(date, { date, isAvailable: true, reason, ...unbooked })
  for (const night of whoMayBook(deps, db, { start: startDate, end: addDays(endDate, 1) })) {
    const { booking, claim, date, event, publicReason: reason, stands } = night
    if (reason === null) continue
    days.set(date, {
      date,
      isAvailable: false,
      reason,
      ...unbooked,
      ...(booking && { applicationId: booking.id, applicationNumber: booking.number }),
      ...(stands === 'imported' && event && { feedId: event.feedId, feedName: event.feedName }),
      ...(stands === 'held' &&
        claim && { claimId: claim.id, claimName: claim.who, claimUntil: claim.untilAt }),
    })
  }
  return [...days.values()].sort((a, b) => (a.date < b.date ? -1 : 1))
}

function requireFuture(dates: readonly CalendarDate[], today: CalendarDate): void {
  if (dates.some(date => date < today)) throw new AppError('bad_request', 'Past dates cannot be changed.')
}

function requireNotTaken(deps: Deps, tx: Tx, dates: readonly CalendarDate[]): void {
  const [first = '', last = first] = [dates[0], dates.at(-1)]
  const wanted = new Set(dates)
  const nights = whoMayBook(deps, tx, { start: first, end: addDays(last, 1) }, { withoutImported: true })
  const taken = nights.filter(({ byHand, date }) => !byHand && wanted.has(date))
  const booked = taken.filter(({ stands }) => stands === 'booking')
  if (booked.length > 0) {
    const numbers = [...new Set(booked.map(({ booking }) => booking?.number))].join(', ')
    throw new AppError(
      'conflict',
      `Booked by ${numbers}: ${formatNights(booked.map(({ date }) => date))}. Decline, move or delete the application to free its nights.`,
    )
  }
  const who = taken[0]?.claim?.who
  if (who === undefined) return
  const held = taken.filter(({ claim }) => claim?.who === who).map(({ date }) => date)
  throw new AppError('conflict', claimMessages.byHand(who, formatNights(held)))
}

function requireNotImported(tx: Tx, dates: readonly CalendarDate[], today: CalendarDate): void {
  const taken = importedAmong(tx, toDateRanges(dates), today)
  if (taken.length === 0) return
  const { feeds, nights } = describeTaken(taken)
  throw new AppError('conflict', calendarMessages.release(feeds, nights))
}
