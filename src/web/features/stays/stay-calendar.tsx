import { useState, useSyncExternalStore } from 'react'
import { addMonths, type CalendarDate, formatLongDate, startOfMonth } from '../../../domain/dates.ts'
import { Button } from '../../ui/button.tsx'
import { MonthsCalendar } from '../../ui/calendar.tsx'
import { CalendarLegend } from '../../ui/calendar-day.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useKnownDays } from './known-days.ts'
import { furthestMonths, stayDayState } from './stay-days.ts'
import { chooseDay, type StaySelection } from './stay-selection.ts'

type StayCalendarProps = {
  today: CalendarDate
  selection: StaySelection | undefined
  onSelect: (selection: StaySelection | undefined) => void
}

/** Which days can be had, to look at or to pick arrival and departure in; it follows dates chosen elsewhere. */
export function StayCalendar({ today, selection, onSelect }: StayCalendarProps) {
  const months = useWideScreen() ? 2 : 1
  const [first, last] = [today, addMonths(startOfMonth(today), furthestMonths)].map(monthOf) as [
    string,
    string,
  ]
  const arrivalMonth = selection && clamp(monthOf(selection.start), first, last)
  const [seen, setSeen] = useState([arrivalMonth ?? first])
  const month = seen.at(-1) ?? first
  const show = (next: string) => setSeen(before => [...before.filter(known => known !== next), next])

  // A new arrival that is out of sight moves the view there, once.
  const [shownFor, setShownFor] = useState(arrivalMonth)
  if (arrivalMonth !== shownFor) {
    setShownFor(arrivalMonth)
    if (
      arrivalMonth &&
      (arrivalMonth < month || arrivalMonth > monthOf(addMonths(`${month}-01`, months - 1)))
    )
      show(arrivalMonth)
  }

  const days = useKnownDays(today, seen)
  return (
    <div>
      {days.hasFailed && (
        <Notice
          tone="warning"
          title="Failed to load availability"
          className="mb-4"
          action={
            <Button variant="secondary" size="sm" onClick={days.retry}>
              Try Again
            </Button>
          }
        >
          You can enter your dates all the same.
        </Notice>
      )}
      <p className="mb-3 text-[0.9375rem] text-muted" aria-live="polite">
        {days.isLoading ? 'Loading availability...' : prompt(selection)}
      </p>
      <MonthsCalendar
        label="Availability calendar"
        months={months}
        month={month}
        onMonthChange={show}
        minMonth={first}
        maxMonth={last}
        today={today}
        dayState={day => stayDayState(day, selection, { today, ...days })}
        onDayClick={day => onSelect(chooseDay(selection, day, days.isFree))}
      />
      <CalendarLegend
        className="mt-3"
        items={[
          { tone: 'available', label: 'Available' },
          { tone: 'unavailable', label: 'Unavailable' },
          { tone: 'past', label: 'Past' },
          { tone: 'selected', label: 'Your stay' },
        ]}
      />
    </div>
  )
}

function prompt(selection: StaySelection | undefined): string {
  if (!selection) return 'Enter your dates, or pick the day of your arrival in the calendar.'
  return selection.end
    ? 'Pick another day to start over.'
    : `Arrival on ${formatLongDate(selection.start)}. Now pick the day of your departure.`
}

const monthOf = (date: CalendarDate) => date.slice(0, 7)
const clamp = (month: string, first: string, last: string) =>
  month < first ? first : month > last ? last : month

/** Whether two months fit side by side; one below the other would be a long way to scroll on a phone. */
function useWideScreen(): boolean {
  return useSyncExternalStore(
    onChange => {
      wideScreen.addEventListener('change', onChange)
      return () => wideScreen.removeEventListener('change', onChange)
    },
    () => wideScreen.matches,
  )
}
const wideScreen = window.matchMedia('(min-width: 42rem)')
