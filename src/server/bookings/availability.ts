import { and, asc, gte, lte } from 'drizzle-orm'
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
} from '../../domain/bookings/availability.ts'
import { isTypedReason, reasonOrDefault } from '../../domain/bookings/availability-reason.ts'
import { calendarMessages } from '../../domain/calendars/calendar-messages.ts'
import { addDays, type CalendarDate, dateIn } from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import { bookedReason, formatNights, toDateRanges, turnoverReason } from '../../domain/common/stay.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { describeTaken, importedAmong, importedNights } from './imported-nights.ts'
import { bookedNights, bookingsWithin, turnoverNights } from './nights.ts'

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

/** @throws AppError forbidden for a typed reason without a step-up, bad_request for a past date, conflict for freeing a booked or imported night */
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
    if (change.isAvailable) {
      requireNotBooked(tx, dates)
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

const todayAt = ({ clock, config }: Deps) => dateIn(clock.now(), config.site.timeZone)

function listEntries(deps: Deps, { startDate, endDate }: AvailabilityRange): AdminAvailabilityEntry[] {
  const { db } = deps
  const today = todayAt(deps)
  const days = new Map<CalendarDate, AdminAvailabilityEntry>()
  const records = db
    .select()
    .from(availability)
    .where(and(gte(availability.date, startDate), lte(availability.date, endDate)))
    .orderBy(asc(availability.date))
    .all()
  const unbooked = { applicationId: null, applicationNumber: null }
  for (const { date, isAvailable, reason } of records)
    days.set(date, { date, isAvailable, reason, ...unbooked })
  const nights = { start: startDate, end: addDays(endDate, 1) }
  for (const date of turnoverNights(db, today, nights))
    days.set(date, { date, isAvailable: false, reason: turnoverReason, ...unbooked })
  const booked = { isAvailable: false, reason: bookedReason }
  for (const [date, { feedId, feedName }] of importedNights(db, nights, today))
    days.set(date, { date, ...booked, ...unbooked, feedId, feedName })
  for (const [date, { id, number }] of bookedNights(db, nights))
    days.set(date, { date, ...booked, applicationId: id, applicationNumber: number })
  return [...days.values()].sort((a, b) => (a.date < b.date ? -1 : 1))
}

function requireFuture(dates: readonly CalendarDate[], today: CalendarDate): void {
  if (dates.some(date => date < today)) throw new AppError('bad_request', 'Past dates cannot be changed.')
}

function requireNotBooked(tx: Tx, dates: readonly CalendarDate[]): void {
  const [first = '', last = first] = [dates[0], dates.at(-1)]
  const booked = bookedNights(tx, { start: first, end: addDays(last, 1) })
  const taken = dates.filter(date => booked.has(date))
  if (taken.length === 0) return
  const numbers = [...new Set(taken.map(date => booked.get(date)?.number))].join(', ')
  throw new AppError(
    'conflict',
    `Booked by ${numbers}: ${formatNights(taken)}. Decline, move or delete the application to free its nights.`,
  )
}

function requireNotImported(tx: Tx, dates: readonly CalendarDate[], today: CalendarDate): void {
  const taken = importedAmong(tx, toDateRanges(dates), today)
  if (taken.length === 0) return
  const { feeds, nights } = describeTaken(taken)
  throw new AppError('conflict', calendarMessages.release(feeds, nights))
}
