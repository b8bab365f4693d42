import { useState } from 'react'
import type { AvailabilityEntry } from '../../../domain/availability.ts'
import { addMonths, type CalendarDate, formatLongDate, startOfMonth } from '../../../domain/dates.ts'
import type { PricedPeriod } from '../../../domain/quote.ts'
import { furthestMonths, stayDayState, unavailableReasons } from '../../features/stays/stay-days.ts'
import { chooseDay, chosenStay, type StaySelection } from '../../features/stays/stay-selection.ts'
import { MonthsCalendar } from '../../ui/calendar.tsx'
import { CalendarLegend, type DayState } from '../../ui/calendar-day.tsx'
import { StaySummary } from './stay-summary.tsx'

export type StayPlannerProps = {
  today: CalendarDate
  /** The first month shown, YYYY-MM. */
  month: string
  onMonthChange: (month: string) => void
  /** The last day for which `entries` are known. */
  knownUntil: CalendarDate
  entries: readonly AvailabilityEntry[]
  /** Made-up days: nothing can be chosen. */
  isSample: boolean
  rates: readonly PricedPeriod[]
  applyPath: string
}

const weekdayAndDay = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long' })

/** Three months with their free days, in which a visitor marks arrival and departure. */
export function StayPlanner({
  today,
  month,
  onMonthChange,
  knownUntil,
  entries,
  isSample,
  rates,
  applyPath,
}: StayPlannerProps) {
  const [selection, setSelection] = useState<StaySelection>()
  const reasons = unavailableReasons(entries)
  const isFree = (day: CalendarDate) => day >= today && day <= knownUntil && !reasons.has(day)

  const dayState = (day: CalendarDate): DayState => {
    if (day >= today && isSample) return sampleState(reasons.get(day))
    return stayDayState(day, selection, { today, reasons, isFree })
  }

  const stay = chosenStay(selection)
  const lastMonth = [knownUntil, addMonths(startOfMonth(today), furthestMonths)].sort()[0] as CalendarDate
  return (
    <>
      {/* On a phone the longest takes two lines: room for them, so that no day moves away under the finger. */}
      <p className="mb-4 text-lg max-sm:min-h-[2lh] noscript:hidden" role="status">
        {isSample ? 'Dates cannot be chosen in the sample.' : prompt(selection)}
      </p>
      <MonthsCalendar
        label="Availability calendar"
        months={3}
        month={month}
        onMonthChange={onMonthChange}
        minMonth={today.slice(0, 7)}
        maxMonth={lastMonth.slice(0, 7)}
        today={today}
        dayState={dayState}
        onDayClick={day => setSelection(chooseDay(selection, day, isFree))}
      />
      <CalendarLegend
        className="mt-4 justify-center max-sm:grid max-sm:grid-cols-[auto_auto]"
        items={[
          { tone: 'available', label: 'Available' },
          { tone: 'unavailable', label: 'Unavailable' },
          { tone: 'past', label: 'Past' },
          ...(isSample ? [] : [{ tone: 'selected', label: 'Your stay' } as const]),
        ]}
      />
      {stay && (
        <StaySummary
          key={`${stay.start} ${stay.end}`}
          stay={stay}
          rates={rates}
          applyPath={applyPath}
          onClear={() => setSelection(undefined)}
        />
      )}
    </>
  )
}

function sampleState(reason: string | undefined): DayState {
  return reason
    ? { tone: 'unavailable', label: reason, disabled: true }
    : { tone: 'available', label: 'sample', disabled: true }
}

function prompt(selection: StaySelection | undefined): string {
  if (!selection) return 'Choose the day of your arrival.'
  const arrival = `${weekdayAndDay.format(new Date(selection.start))}, ${formatLongDate(selection.start)}`
  return selection.end
    ? 'Your stay is chosen.'
    : `Arrival on ${arrival}. Now choose the day of your departure.`
}
