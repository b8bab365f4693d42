import { CalendarCog } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import {
  addDays,
  addMonths,
  type CalendarDate,
  type DateRange,
  datesInRange,
  endOfMonth,
} from '../../../domain/dates.ts'
import { api } from '../../api/api.ts'
import { useToday } from '../../features/stays/today.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { MonthsCalendar } from '../../ui/calendar.tsx'
import { CalendarLegend } from '../../ui/calendar-day.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { toast } from '../../ui/toast.ts'
import { BookingsList } from './availability/bookings-list.tsx'
import { BulkPanel } from './availability/bulk-panel.tsx'
import { adminDayState, daysByDate, isAvailable } from './availability/day-state.ts'
import { importedStays } from './availability/imported-stays.ts'
import { useAdminAvailability } from './availability/use-admin-availability.ts'
import { useAvailabilityUpdates } from './availability/use-availability-updates.ts'
import { BookingsElsewhereCard } from './setup/bookings-elsewhere-card.tsx'

export function AvailabilityPage() {
  const today = useToday()
  const [chosenMonth, setMonth] = useState<string>()
  const [selection, setSelection] = useState<ReadonlySet<CalendarDate>>(new Set())
  const [panelOpen, setPanelOpen] = useState(false)
  const bulkButton = useRef<HTMLButtonElement>(null)
  const updates = useAvailabilityUpdates()

  const month = chosenMonth ?? today.slice(0, 7)
  const { query, loaded } = useAdminAvailability(month)
  const days = daysByDate(query.data?.availability ?? [])
  const stateOf = (date: CalendarDate) => adminDayState(date, { days, loaded, today, selection })

  const toggleSelected = (date: CalendarDate) => {
    const next = new Set(selection)
    if (!next.delete(date)) next.add(date)
    setSelection(next)
  }
  const select = (range: DateRange) =>
    setSelection(new Set([...selection, ...datesInRange(range).filter(date => !stateOf(date).disabled)]))
  const closePanel = () => {
    setPanelOpen(false)
    bulkButton.current?.focus()
  }
  const updateSelected = async (change: { isAvailable: boolean; reason: string }) => {
    if (selection.size === 0) return void toast.error('Please select dates to update')
    if (!(await updates.setDates([...selection], change.isAvailable, change.reason))) return
    setSelection(new Set())
    setPanelOpen(false)
    document.getElementById('main')?.focus({ preventScroll: true })
  }

  return (
    <Page
      title="Availability Management"
      subtitle={
        <>
          Which nights can be booked
          <CalendarsLink />
        </>
      }
      action={
        <>
          {selection.size > 0 && (
            <Button variant="ghost" onClick={() => setSelection(new Set())}>
              Clear selection
            </Button>
          )}
          <Button
            ref={bulkButton}
            disabled={selection.size === 0}
            aria-expanded={panelOpen}
            onClick={() => setPanelOpen(true)}
          >
            <CalendarCog aria-hidden />
            Bulk Update ({selection.size})
          </Button>
        </>
      }
    >
      {panelOpen && (
        <BulkPanel
          count={selection.size}
          busy={updates.isUpdating}
          onUpdate={change => void updateSelected(change)}
          onCancel={closePanel}
        />
      )}
      <QueryView query={query} loading="Loading availability..." error="Failed to fetch availability">
        {({ availability, bookings }) => (
          <>
            <Card aria-label="Calendar">
              <CardBody>
                <CalendarHelp />
                <MonthsCalendar
                  label="Availability calendar"
                  className="touch-manipulation"
                  month={month}
                  onMonthChange={setMonth}
                  today={today}
                  dayState={stateOf}
                  onDayClick={toggleSelected}
                  onDayDoubleClick={date => void updates.setDate(date, !isAvailable(days, date))}
                  onDayRange={(from, to) => select({ start: from, end: addDays(to, 1) })}
                />
                <CalendarLegend className="mt-4" items={legend} />
              </CardBody>
            </Card>
            <BookingsList
              stays={bookings}
              imported={importedStays(availability)}
              first={`${month}-01`}
              last={endOfMonth(addMonths(`${month}-01`, 2))}
            />
            <div className="mt-6">
              <BookingsElsewhereCard />
            </div>
          </>
        )}
      </QueryView>
    </Page>
  )
}

/** Where calendars are read or given out; in a line that is there already, so that nothing moves when it comes. */
function CalendarsLink() {
  const { data } = api.calendars.overview.useQuery()
  if (!data?.feeds.length && !data?.exports.length) return null
  return (
    <>
      {' · '}
      <Link href={paths.adminCalendars} className="link">
        Calendars
      </Link>
    </>
  )
}

const CalendarHelp = () => (
  <p className="mb-4 max-w-4xl text-[0.9375rem] text-muted">
    Click a date to select or deselect it for a bulk update, or drag across dates to select them all.
    Double-click a date to switch it between available and unavailable at once. With the keyboard, arrows
    move, Space selects and Enter switches.
  </p>
)

const legend = [
  { tone: 'available', label: 'Available' },
  { tone: 'unavailable', label: 'Unavailable or booked' },
  { tone: 'past', label: 'Past' },
  { tone: 'selected', label: 'Selected' },
] as const
