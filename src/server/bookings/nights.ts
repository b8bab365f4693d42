import { and, asc, eq, gt, gte, lt, lte, ne } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { applications, availability, isBookedRow } from '../../../db/schema.ts'
import { expandRange } from '../../domain/calendars/calendar-event.ts'
import { addDays, type CalendarDate, type DateRange, nightsBetween } from '../../domain/common/dates.ts'
import { type Deps, todayAt } from '../kernel/deps.ts'
import { claimsWithin } from './claim-records.ts'
import { importedWithin } from './imported-nights.ts'

/** A booked stay: the dates of the lease, or without a lease the requested dates. */
export type Booking = DateRange & { id: string; number: string; firstName: string; lastName: string }

/** Approved and completed applications that share a night with the half-open stay, by arrival. */
export function bookingsWithin(db: Db, stay: DateRange, excludeId?: string, maxBookings = -1): Booking[] {
  return db
    .select({
      id: applications.id,
      number: applications.number,
      firstName: applications.firstName,
      lastName: applications.lastName,
      start: applications.stayStartDate,
      end: applications.stayEndDate,
    })
    .from(applications)
    .where(
      and(
        isBookedRow,
        gt(applications.stayEndDate, stay.start),
        lt(applications.stayStartDate, stay.end),
        excludeId === undefined ? undefined : ne(applications.id, excludeId),
      ),
    )
    .orderBy(asc(applications.stayStartDate), asc(applications.number))
    .limit(maxBookings)
    .all()
}

const nightsAround = 366

/**
 * How many nights stay free from the last taken night to the stay, and from the stay to the next one; null if none is
 * booked, imported, held or blocked within a year.
 */
export function freeNightsAround(
  deps: Pick<Deps, 'clock' | 'config'>,
  db: Db | Tx,
  stay: DateRange,
  excludeId: string,
): { freeBefore: number | null; freeAfter: number | null } {
  const today = todayAt(deps)
  const near = expandRange(stay, nightsAround)
  // Promised nights are free (CLAIM-30).
  const held = claimsWithin(deps, db, near).filter(({ kind }) => kind !== 'promise')
  const taken = [
    ...bookingsWithin(db, near, excludeId),
    ...importedWithin(db, near, today),
    ...held,
    ...blockedNights(db, near).map(date => ({ start: date, end: addDays(date, 1) })),
  ]
  const ends = taken.filter(({ start, end }) => start < stay.start && end > today).map(({ end }) => end)
  const starts = taken.filter(({ end }) => end > stay.end).map(({ start }) => start)
  const distance = (from: CalendarDate | undefined, to: CalendarDate | undefined) =>
    from === undefined || to === undefined ? null : Math.max(0, nightsBetween(from, to))
  return {
    freeBefore: distance(ends.toSorted().at(-1), stay.start),
    freeAfter: distance(stay.end, starts.toSorted()[0]),
  }
}

/** The nights of a stay that the owner has blocked. */
export function blockedNights(db: Db, { start, end }: DateRange): CalendarDate[] {
  return db
    .select({ date: availability.date })
    .from(availability)
    .where(
      and(
        gte(availability.date, start),
        lte(availability.date, addDays(end, -1)),
        eq(availability.isAvailable, false),
      ),
    )
    .orderBy(asc(availability.date))
    .all()
    .map(row => row.date)
}
