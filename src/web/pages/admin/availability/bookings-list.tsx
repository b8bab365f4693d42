import { ArrowRight } from 'lucide-react'
import { Link } from 'wouter'
import type { BookedStay } from '../../../../domain/availability.ts'
import { type CalendarDate, formatMonth, formatShortDate, nightsBetween } from '../../../../domain/dates.ts'
import { plural } from '../../../../domain/plural.ts'
import { paths } from '../../../routing/paths.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'

type BookingsListProps = { stays: readonly BookedStay[]; first: CalendarDate; last: CalendarDate }

/** The stays with a night in the visible months, with links to their applications. */
export function BookingsList({ stays, first, last }: BookingsListProps) {
  const bookings = stays.filter(({ start, end }) => start <= last && end > first)
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
            {bookings.map(({ applicationId, applicationNumber, firstName, lastName, start, end }) => (
              <li
                key={applicationId}
                className="flex flex-wrap items-baseline gap-x-6 gap-y-1 py-2.5 first:pt-0 last:pb-0 sm:grid sm:grid-cols-[8.5rem_1fr_15rem_5.5rem]"
              >
                <Link href={paths.adminApplication(applicationId)} className="link">
                  {applicationNumber}
                </Link>
                <span className="min-w-0 font-semibold wrap-anywhere text-navy">
                  {firstName} {lastName}
                </span>
                <span>
                  {formatShortDate(start)}{' '}
                  <ArrowRight aria-hidden className="mx-0.5 inline size-4 text-muted" />
                  <span className="sr-only">to</span> {formatShortDate(end)}
                </span>
                <span className="text-muted">{plural(nightsBetween(start, end), 'night')}</span>
              </li>
            ))}
          </ul>
        )}
      </CardBody>
    </Card>
  )
}
