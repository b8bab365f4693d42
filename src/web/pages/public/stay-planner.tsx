import { useState } from 'react'
import type { AvailabilityEntry } from '../../../domain/bookings/availability.ts'
import { type CalendarDate, formatShortDate } from '../../../domain/common/dates.ts'
import type { PricedPeriod } from '../../../domain/money/rent-quote.ts'
import { StayCalendar } from '../../features/stays/stay-calendar.tsx'
import { chosenStay, type StaySelection } from '../../features/stays/stay-selection.ts'
import { StaySummary } from './stay-summary.tsx'

export type StayPlannerProps = {
  today: CalendarDate
  /** The first month shown, as YYYY-MM. */
  month: string
  onMonthChange: (month: string) => void
  /** The last day for which availability is known. */
  knownUntil: CalendarDate
  entries: readonly AvailabilityEntry[]
  /** The days are made up: nothing can be selected. */
  isSample: boolean
  rates: readonly PricedPeriod[] | undefined
  applyPath: string
}

/** Three months in which a visitor chooses arrival and departure, with the price of the stay. */
export function StayPlanner({ rates, applyPath, isSample, knownUntil, ...calendar }: StayPlannerProps) {
  const [selection, setSelection] = useState<StaySelection>()
  const [guests, setGuests] = useState(1)
  const stay = chosenStay(selection)
  return (
    <>
      <StayCalendar
        {...calendar}
        hint={
          // Where the longest prompt has two lines there is space for both, so that no day moves under the finger.
          <p
            role="status"
            className="flex min-h-[2lh] items-center @max-[40rem]:-mt-[1lh] @max-[40rem]:items-end @min-[54rem]:min-h-0"
          >
            {isSample ? 'You cannot choose dates in the sample.' : prompt(selection)}
          </p>
        }
        months={3}
        isKnown={day => day <= knownUntil}
        knownUntil={knownUntil}
        isSample={isSample}
        selection={selection}
        onSelect={setSelection}
        legendClass="justify-center max-sm:grid max-sm:grid-cols-[auto_auto]"
      />
      {stay && (
        <StaySummary
          key={`${stay.start} ${stay.end}`}
          stay={stay}
          rates={rates}
          applyPath={applyPath}
          guests={guests}
          onGuestsChange={setGuests}
          onClear={() => setSelection(undefined)}
        />
      )}
    </>
  )
}

const weekdayFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long' })

function prompt(selection: StaySelection | undefined): string {
  if (!selection) return 'Choose the day of your arrival.'
  const arrival = `${weekdayFormat.format(new Date(selection.start))}, ${formatShortDate(selection.start)}`
  return selection.end
    ? 'Your stay is chosen.'
    : `Arrival on ${arrival}. Now choose the day of your departure.`
}
