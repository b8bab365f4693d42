import type { AvailabilityEntry } from '../../../domain/bookings/availability.ts'
import type { CalendarDate } from '../../../domain/common/dates.ts'
import { bookedReason } from '../../../domain/common/stay.ts'
import type { DayState } from '../../ui/calendar-day.tsx'
import { chooseDay, type StaySelection } from './stay-selection.ts'

/** How many months ahead of today a stay can be chosen. */
export const maxMonthsAhead = 24

/** The reason of each unavailable day. */
export function unavailableReasons(entries: readonly AvailabilityEntry[]): Map<CalendarDate, string> {
  return new Map(
    entries.filter(entry => !entry.isAvailable).map(entry => [entry.date, entry.reason || 'Unavailable']),
  )
}

type StayDays = {
  today: CalendarDate
  reasons: ReadonlyMap<CalendarDate, string>
  isFree: (day: CalendarDate) => boolean
  /** Why a day cannot be the arrival although its night is free. */
  arrivalError?: ((day: CalendarDate) => string | undefined) | undefined
}

/** The state of a day in the calendar where arrival and departure are chosen. */
export function stayDayState(
  day: CalendarDate,
  selection: StaySelection | undefined,
  { today, reasons, isFree, arrivalError }: StayDays,
): DayState {
  if (day < today) return { tone: 'past', disabled: true }
  const reason = reasons.get(day)
  const canArrive = (start: CalendarDate) => arrivalError?.(start) === undefined
  const canPick = chooseDay(selection, day, isFree, canArrive) !== selection
  const isTaken = reason !== undefined && day !== selection?.end
  if (selection && !isTaken && day >= selection.start && day <= (selection.end ?? selection.start))
    return { tone: 'selected', label: placeInStay(day, selection) }
  if (!reason) {
    if (canPick) return { tone: 'available' }
    if (!canArrive(day)) return { tone: 'noArrival', label: arrivalError?.(day), disabled: true }
    return isFree(day) ? { tone: 'unreachable', disabled: true } : { tone: 'available' }
  }
  // A typed arrival can be on a taken night; clicking it clears it.
  if (canPick && day !== selection?.start) return { tone: 'departure', label: `${reason} from tonight on` }
  const tone = reason === bookedReason ? 'booked' : 'unavailable'
  return { tone, label: reason, disabled: !canPick }
}

function placeInStay(day: CalendarDate, { start, end }: StaySelection): string {
  if (day === start) return `Selected as arrival${end ? '' : ', now choose the departure'}`
  return day === end ? 'Selected as departure' : 'Selected, part of your stay'
}
