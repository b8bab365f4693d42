import type { ReactNode } from 'react'
import type { AvailabilityEntry } from '../../../domain/bookings/availability.ts'
import { addDays, addMonths, type CalendarDate, startOfMonth } from '../../../domain/common/dates.ts'
import { MonthsCalendar } from '../../ui/calendar.tsx'
import { shiftMonth } from '../../ui/calendar-dates.ts'
import { CalendarLegend, type DayState } from '../../ui/calendar-day.tsx'
import { maxMonthsAhead, stayDayState, unavailableReasons } from './stay-days.ts'
import { chooseDay, type StaySelection } from './stay-selection.ts'

type StayCalendarProps = {
  today: CalendarDate
  /** The first month in view, YYYY-MM. */
  month: string
  months: number
  onMonthChange: (month: string) => void
  entries: readonly AvailabilityEntry[]
  /** Whether `entries` cover a day. */
  isKnown: (day: CalendarDate) => boolean
  /** The last day with known availability; the calendar ends with its month. */
  knownUntil?: CalendarDate
  /** The days are made up: nothing can be selected. */
  isSample?: boolean
  selection: StaySelection | undefined
  onSelect: (selection: StaySelection | undefined) => void
  /** Why a day cannot be the arrival; undefined if the owner has no such rule. */
  arrivalError?: ((day: CalendarDate) => string | undefined) | undefined
  hint?: ReactNode
  legendClass?: string
  stayLabel?: string | undefined
}

/** The availability calendar in which the arrival and the departure are chosen. */
export function StayCalendar({ today, entries, isKnown, selection, onSelect, ...props }: StayCalendarProps) {
  const {
    knownUntil,
    isSample = false,
    legendClass = '',
    stayLabel = 'Your stay',
    arrivalError,
    ...view
  } = props
  const reasons = unavailableReasons(entries)
  const isFree = (day: CalendarDate) => day >= today && isKnown(day) && !reasons.has(day)
  const dayState = (day: CalendarDate): DayState =>
    isSample && day >= today
      ? sampleState(reasons.get(day))
      : stayDayState(day, selection, { today, reasons, isFree, arrivalError })
  const furthest = addMonths(startOfMonth(today), maxMonthsAhead)
  const lastDay = knownUntil && knownUntil < furthest ? knownUntil : furthest
  const lastMonth = shiftMonth(view.month, view.months - 1)
  /** Whether any day of a range is in view. */
  const shows = (from: CalendarDate, to: CalendarDate) =>
    from.slice(0, 7) <= lastMonth && to.slice(0, 7) >= view.month
  return (
    <MonthsCalendar
      label="Availability calendar"
      className="[--color-red-tint:#fdf3f1]"
      {...view}
      minMonth={today.slice(0, 7)}
      maxMonth={lastDay.slice(0, 7)}
      today={today}
      dayState={dayState}
      onDayClick={day => onSelect(chooseDay(selection, day, isFree, start => !arrivalError?.(start)))}
      legend={
        <CalendarLegend
          className={`mt-4 ${legendClass}`}
          items={[
            { tone: 'available', label: 'Available' },
            { tone: 'unavailable', label: 'Unavailable' },
            ...(arrivalError ? [{ tone: 'noArrival', label: 'No arrival' } as const] : []),
            ...(shows(today, addDays(today, -1)) ? [{ tone: 'past', label: 'Past' } as const] : []),
            ...(selection && shows(selection.start, selection.end ?? selection.start)
              ? [{ tone: 'selected', label: stayLabel } as const]
              : []),
          ]}
        />
      }
    />
  )
}

function sampleState(reason: string | undefined): DayState {
  return reason
    ? { tone: 'unavailable', label: reason, disabled: true }
    : { tone: 'available', label: 'sample', disabled: true }
}
