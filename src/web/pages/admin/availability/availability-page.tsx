import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { addMonths, endOfMonth } from '../../../../domain/common/dates.ts'
import { useToday } from '../../../features/stays/today.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { AreaPage } from '../area.tsx'
import { AvailabilityCalendar } from './availability-calendar.tsx'
import { importedStays } from './bars.ts'
import { BookingsList } from './bookings-list.tsx'
import { useAdminAvailability, useDateSelection } from './use-admin-availability.ts'

export function AvailabilityPage() {
  const today = useToday()
  const [chosenMonth, setMonth] = useState<string>()
  const month = chosenMonth ?? today.slice(0, 7)
  const selection = useDateSelection()
  const { query, loaded } = useAdminAvailability(month)
  return (
    <AreaPage
      area="availability"
      subtitle="Which nights can be booked"
      action={
        <>
          <Button variant="secondary" asChild>
            <Link href={paths.adminOffers()}>Offers</Link>
          </Button>
          <Button variant="secondary" asChild>
            <Link href={paths.adminImport}>
              <FileUp aria-hidden />
              Import bookings
            </Link>
          </Button>
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
          </div>
        )}
      </QueryView>
    </AreaPage>
  )
}
