import { useState, useSyncExternalStore } from 'react'
import { addMonths, type CalendarDate, formatShortDate, startOfMonth } from '../../../domain/common/dates.ts'
import { api } from '../../api/api.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { firstMonth } from './first-month.ts'
import { StayCalendar } from './stay-calendar.tsx'
import { maxMonthsAhead } from './stay-days.ts'
import type { StaySelection } from './stay-selection.ts'
import { useAvailability } from './use-availability.ts'

type ApplicationCalendarProps = {
  /** Speaks to the owner instead of the guest. */
  isOwners?: boolean
  today: CalendarDate
  selection: StaySelection | undefined
  onSelect: (selection: StaySelection | undefined) => void
  /** Why a day cannot be the arrival, where the owner's rules apply. */
  arrivalError?: ((day: CalendarDate) => string | undefined) | undefined
  /** Whether the booking rules are loaded. */
  hasRules?: boolean
}

/** The calendar in a form for a stay; it follows the dates typed in the fields. */
export function ApplicationCalendar({
  isOwners = false,
  today,
  selection,
  onSelect,
  arrivalError,
  hasRules = true,
}: ApplicationCalendarProps) {
  const months = useWideScreen() ? 2 : 1
  const arrivalMonth = selection && reachableMonth(selection.start, today)
  const [loadedFirst] = useState(arrivalMonth ?? monthOf(today))
  const availability = useAvailability(loadedFirst)
  const { month, showMonth, entries, hasFailed, hasMoved, isLoading, knownUntil } = availability
  const rates = api.rates.list.useQuery()

  // Opens where a stay fits, unless the tenant has already changed the month.
  const [hasOpened, setHasOpened] = useState(arrivalMonth !== undefined)
  if (!hasOpened && !isLoading && !rates.isPending && hasRules) {
    setHasOpened(true)
    const opening =
      knownUntil && firstMonth(today, knownUntil, entries, rates.data?.rates, day => !arrivalError?.(day))
    if (opening && opening > month && !hasMoved) showMonth(opening)
  }

  // Scrolls once to a new arrival that is out of view.
  const [shownFor, setShownFor] = useState(arrivalMonth)
  if (arrivalMonth !== shownFor) {
    setShownFor(arrivalMonth)
    const lastShown = monthOf(addMonths(`${month}-01`, months - 1))
    if (arrivalMonth && (arrivalMonth < month || arrivalMonth > lastShown)) showMonth(arrivalMonth)
  }

  return (
    <div>
      {hasFailed && <LoadFailed onRetry={availability.retry} />}
      <StayCalendar
        hint={<p aria-live="polite">{isLoading ? 'Loading availability...' : prompt(selection, isOwners)}</p>}
        today={today}
        month={month}
        months={months}
        onMonthChange={showMonth}
        entries={entries}
        isKnown={availability.isKnown}
        selection={selection}
        onSelect={onSelect}
        arrivalError={arrivalError}
        stayLabel={isOwners ? 'This stay' : undefined}
      />
    </div>
  )
}

function LoadFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice
      tone="warning"
      title="Failed to load availability"
      className="mb-4"
      action={
        <Button variant="secondary" size="sm" onClick={onRetry}>
          Try Again
        </Button>
      }
    >
      You can still enter your dates.
    </Notice>
  )
}

function prompt(selection: StaySelection | undefined, isOwners: boolean): string {
  if (selection?.end) return 'Pick another day to start over.'
  const arrival = selection && `Arrival on ${formatShortDate(selection.start)}.`
  if (isOwners) return arrival ? `${arrival} Now pick the departure day.` : 'Pick the arrival day.'
  return arrival
    ? `${arrival} Now pick the day of your departure.`
    : 'Enter your dates, or pick the day of your arrival in the calendar.'
}

const monthOf = (date: CalendarDate) => date.slice(0, 7)

/** The month of a date, or the nearest month that the calendar can show. */
function reachableMonth(date: CalendarDate, today: CalendarDate): string {
  const first = monthOf(today)
  const last = monthOf(addMonths(startOfMonth(today), maxMonthsAhead))
  const month = monthOf(date)
  if (month < first) return first
  if (month > last) return last
  return month
}

/** Whether two months fit side by side; stacked months would mean a lot of scrolling on a phone. */
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
