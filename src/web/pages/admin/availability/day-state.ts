import type { AdminAvailabilityEntry } from '../../../../domain/availability.ts'
import type { CalendarDate } from '../../../../domain/dates.ts'
import { bookedReason } from '../../../../domain/stay.ts'
import type { DayState } from '../../../ui/calendar-day.tsx'

export type Days = ReadonlyMap<CalendarDate, AdminAvailabilityEntry>

export const daysByDate = (entries: readonly AdminAvailabilityEntry[]): Days =>
  new Map(entries.map(entry => [entry.date, entry]))

/** A day without a record is available. */
export const isAvailable = (days: Days, date: CalendarDate) => days.get(date)?.isAvailable ?? true

type CalendarData = {
  days: Days
  /** The window that `days` covers, both ends inclusive. */
  loaded: { startDate: CalendarDate; endDate: CalendarDate }
  today: CalendarDate
  selection: ReadonlySet<CalendarDate>
}

/** How a day looks to the owner; disabled while it is past, booked or not loaded. */
export function adminDayState(
  date: CalendarDate,
  { days, loaded, today, selection }: CalendarData,
): DayState {
  const entry = days.get(date)
  const reason = reasonOf(entry)
  const isTaken = entry?.applicationId || entry?.feedId
  if (date < today) return { tone: 'past', label: isTaken ? reason : undefined, disabled: true }
  if (date < loaded.startDate || date > loaded.endDate)
    return { tone: 'past', label: 'Loading...', disabled: true }
  if (isTaken) return { tone: 'booked', label: reason, disabled: true }
  const state = isAvailable(days, date) ? 'Available' : 'Unavailable'
  if (selection.has(date)) return { tone: 'selected', label: `now ${reason ?? state}` }
  return { tone: isAvailable(days, date) ? 'available' : 'unavailable', label: reason }
}

function reasonOf(entry: AdminAvailabilityEntry | undefined): string | undefined {
  if (!entry) return undefined
  if (entry.applicationNumber) return `${bookedReason} by ${entry.applicationNumber}`
  return entry.feedName ? `${bookedReason} on ${entry.feedName}` : entry.reason || undefined
}
