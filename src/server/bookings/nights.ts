import { and, asc, eq, gt, gte, lt, lte, ne } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { applications, availability, isBookedRow } from '../../../db/schema.ts'
import { expandRange, sharedNights } from '../../domain/calendars/calendar-event.ts'
import {
  addDays,
  type CalendarDate,
  type DateRange,
  datesInRange,
  mergeOverlapping,
  nightsBetween,
} from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import { formatStay } from '../../domain/common/stay.ts'
import { calendarSection } from '../../domain/content/settings-section.ts'
import { readSection } from '../site/settings.ts'
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

/** Must run in the write that books the stay, so that one of two fails. @throws AppError conflict naming the other */
export function assertNoOverlap(tx: Tx, stay: DateRange, excludeId: string): void {
  const [other] = bookingsWithin(tx, stay, excludeId, 1)
  if (!other) return
  throw new AppError(
    'conflict',
    `These dates overlap application ${other.number}, which is booked for ${formatStay(other)}.`,
  )
}

/** The booked nights of a half-open stay, each with its booking. */
export function bookedNights(db: Db, stay: DateRange): Map<CalendarDate, Booking> {
  const nights = new Map<CalendarDate, Booking>()
  for (const booking of bookingsWithin(db, stay))
    for (const night of datesInRange(booking))
      if (stay.start <= night && night < stay.end) nights.set(night, booking)
  return nights
}

/**
 * The nights of a half-open stay that are kept free before and after bookings and imported events except blocks, and
 * that no booking or event takes, by date (CAL-49).
 */
export function turnoverNights(
  db: Db,
  today: CalendarDate,
  stay: DateRange,
  excludeId?: string,
): CalendarDate[] {
  const { turnoverNights: count } = readSection(db, calendarSection).body
  if (count === 0) return []
  const near = expandRange(stay, count)
  const bookings = bookingsWithin(db, near, excludeId)
  const events = importedWithin(db, near, today)
  const stays = [...bookings, ...events.filter(({ kind }) => kind !== 'block')]
  const taken = nightsWithin(stay, [...bookings, ...events])
  const kept = nightsWithin(
    stay,
    stays.map(each => expandRange(each, count)),
  )
  return [...kept].filter(night => !taken.has(night)).sort()
}

function nightsWithin(stay: DateRange, ranges: readonly DateRange[]): Set<CalendarDate> {
  const shared = ranges.flatMap(range => sharedNights(range, stay) ?? [])
  return new Set(mergeOverlapping(shared).flatMap(datesInRange))
}

const nightsAround = 366

/**
 * How many nights stay free from the last taken night to the stay, and from the stay to the next one; null if none is
 * taken within a year.
 */
export function freeNightsAround(
  db: Db | Tx,
  today: CalendarDate,
  stay: DateRange,
  excludeId: string,
): { freeBefore: number | null; freeAfter: number | null } {
  const near = expandRange(stay, nightsAround)
  const taken = [
    ...bookingsWithin(db, near, excludeId),
    ...importedWithin(db, near, today),
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
