import { useState } from 'react'
import { Link } from 'wouter'
import { addMonths, endOfMonth } from '../../../domain/common/dates.ts'
import { api } from '../../api/api.ts'
import { useToday } from '../../features/stays/today.ts'
import { paths } from '../../routing/paths.ts'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { AvailabilityCalendar } from './availability/availability-calendar.tsx'
import { importedStays } from './availability/bars.ts'
import { BookingsList } from './availability/bookings-list.tsx'
import { useAdminAvailability, useDateSelection } from './availability/use-admin-availability.ts'
import { BookingsElsewhereCard } from './setup/bookings-elsewhere-card.tsx'

export function AvailabilityPage() {
  const today = useToday()
  const [chosenMonth, setMonth] = useState<string>()
  const month = chosenMonth ?? today.slice(0, 7)
  const selection = useDateSelection()
  const { query, loaded } = useAdminAvailability(month)
  return (
    <Page
      title="Availability Management"
      subtitle={
        <>
          Which nights can be booked
          <CalendarsLink />
        </>
      }
    >
      <QueryView query={query} loading="Loading availability..." error="Failed to fetch availability">
        {data => (
          <div className="grid gap-6">
            <AvailabilityCalendar
              {...data}
              month={month}
              loaded={loaded}
              selection={selection}
              onMonthChange={setMonth}
            />
            <BookingsList
              stays={data.bookings}
              imported={importedStays(data.availability)}
              first={`${month}-01`}
              last={endOfMonth(addMonths(`${month}-01`, 2))}
            />
            <BookingsElsewhereCard />
          </div>
        )}
      </QueryView>
    </Page>
  )
}

/** A link to the calendars page, in an existing line, so that nothing shifts when it appears. */
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
