import { CalendarPlus, FileUp } from 'lucide-react'
import { Link } from 'wouter'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'

/** The ways to add bookings that were not made on this site. */
export function BookingsElsewhereCard() {
  return (
    <Card aria-label="Bookings Made Elsewhere">
      <CardHeader title="Bookings Made Elsewhere" />
      <CardBody className="grid gap-5">
        <p>
          Enter a booking by hand, or import many from a CSV file. The nights are booked, and you can invite
          the guests to set a password.
        </p>
        <div className="flex flex-wrap gap-3 max-sm:*:grow">
          <Button variant="secondary" asChild>
            <Link href={paths.adminNewBooking}>
              <CalendarPlus aria-hidden />
              Enter a Booking
            </Link>
          </Button>
          <Button variant="secondary" asChild>
            <Link href={paths.adminImport}>
              <FileUp aria-hidden />
              Import Bookings
            </Link>
          </Button>
        </div>
      </CardBody>
    </Card>
  )
}
