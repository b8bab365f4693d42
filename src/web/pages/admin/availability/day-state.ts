import type { AdminAvailabilityEntry, BookedStay } from '../../../../domain/bookings/availability.ts'
import { claimMessages } from '../../../../domain/bookings/claim.ts'
import type { CalendarDate } from '../../../../domain/common/dates.ts'
import { bookedReason } from '../../../../domain/common/stay.ts'
import type { DayState } from '../../../ui/calendar-day.tsx'

type Days = ReadonlyMap<CalendarDate, AdminAvailabilityEntry>

export const daysByDate = (entries: readonly AdminAvailabilityEntry[]): Days =>
  new Map(entries.map(entry => [entry.date, entry]))

/** A day without a record is available. */
export const isAvailable = (days: Days, date: CalendarDate) => days.get(date)?.isAvailable ?? true

/** The date range for which days are loaded, both ends inclusive. */
type Loaded = { startDate: CalendarDate; endDate: CalendarDate }

type CalendarData = {
  days: Days
  bookings: readonly BookedStay[]
  loaded: Loaded
  today: CalendarDate
  selection: ReadonlySet<CalendarDate>
}

/** The state of a day in the owner's calendar; disabled if the day is past, booked or not loaded. */
export function adminDayState(
  date: CalendarDate,
  { days, bookings, loaded, today, selection }: CalendarData,
): DayState {
  const entry = days.get(date)
  const reason = entry && reasonOf(entry, bookings)
  const isTaken = entry?.applicationId || entry?.feedId
  if (date < today) return { tone: 'past', label: isTaken ? reason : undefined, disabled: true }
  if (!isLoaded(date, loaded)) return { tone: 'past', label: 'Loading...', disabled: true }
  if (isTaken)
    return {
      tone: 'booked',
      label: reason,
      disabled: true,
      className: `${entry.feedId ? 'bg-shell' : 'bg-blue-tint'} font-semibold text-navy`,
    }
  const state = isAvailable(days, date) ? 'available' : 'unavailable'
  if (selection.has(date)) return { tone: 'selected', label: reason ?? state }
  if (!isAvailable(days, date)) return { tone: 'unavailable', label: reason }
  return { tone: 'available', label: reason }
}

/** The common state of all selected days; 'mixed' also if the state of a day is unknown. */
export function selectionState(
  selection: ReadonlySet<CalendarDate>,
  { days, loaded }: { days: Days; loaded: Loaded },
): 'available' | 'unavailable' | 'mixed' {
  const dates = [...selection]
  if (!dates.every(date => isLoaded(date, loaded))) return 'mixed'
  const free = dates.filter(date => isAvailable(days, date)).length
  if (free === dates.length) return 'available'
  return free === 0 ? 'unavailable' : 'mixed'
}

const isLoaded = (date: CalendarDate, { startDate, endDate }: Loaded) => date >= startDate && date <= endDate

function reasonOf(entry: AdminAvailabilityEntry, bookings: readonly BookedStay[]): string | undefined {
  if (entry.applicationNumber) {
    const guest = bookings.find(({ applicationId }) => applicationId === entry.applicationId)
    const who = guest ? `${guest.firstName} ${guest.lastName}, ` : ''
    return `${bookedReason} by ${who}${entry.applicationNumber}`
  }
  if (entry.claimName !== undefined) return claimMessages.holder(entry.claimName)
  return entry.feedName ? `${bookedReason} on ${entry.feedName}` : entry.reason || undefined
}
