import { Link } from 'wouter'
import { addDays, type CalendarDate, formatMonth, formatShortDate } from '../../../../domain/dates.ts'
import { paths } from '../../../app/paths.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { bookingsIn, type Days } from './day-state.ts'

type BookingsListProps = { days: Days; first: CalendarDate; last: CalendarDate }

/** Whose nights are booked in the months in view: the calendar's way to their applications. */
export function BookingsList({ days, first, last }: BookingsListProps) {
  const bookings = bookingsIn(days, first, last)
  const span = `${formatMonth(first)} to ${formatMonth(last)}`
  return (
    <Card aria-label="Booked nights" className="mt-6">
      <CardHeader
        title="Booked nights"
        subtitle={`${span}. To free them, decline, move or delete the application.`}
      />
      <CardBody>
        {bookings.length === 0 ? (
          <p className="text-muted">No night is booked in these months.</p>
        ) : (
          <ul className="divide-y divide-line">
            {bookings.map(({ applicationId, number, nights }) => (
              <li
                key={`${applicationId} ${nights.start}`}
                className="flex flex-wrap items-baseline gap-x-8 gap-y-1 py-2.5 first:pt-0 last:pb-0"
              >
                <Link href={paths.adminApplication(applicationId)} className="link">
                  {number}
                </Link>
                <span>
                  {formatShortDate(nights.start)} – {formatShortDate(addDays(nights.end, -1))}
                </span>
              </li>
            ))}
          </ul>
        )}
      </CardBody>
    </Card>
  )
}
