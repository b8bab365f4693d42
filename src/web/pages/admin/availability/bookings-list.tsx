import { Link } from 'wouter'
import type { BookedStay } from '../../../../domain/bookings/availability.ts'
import {
  type CalendarDate,
  type DateRange,
  formatMonth,
  nightsBetween,
} from '../../../../domain/common/dates.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { formatShortStay } from '../../../../domain/common/stay.ts'
import { paths } from '../../../routing/paths.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import type { ImportedStay } from './bars.ts'

type BookingsListProps = {
  stays: readonly BookedStay[]
  imported: readonly ImportedStay[]
  first: CalendarDate
  last: CalendarDate
}

/** A stay in the list, with a link to where it can be changed. */
type Line = DateRange & { key: string; href: string; who: string; where: string }

/**
 * The stays with a night in the visible months. Bookings link to their applications, imported stays to the calendars.
 */
export function BookingsList({ stays, imported, first, last }: BookingsListProps) {
  const isVisible = ({ start, end }: DateRange) => start <= last && end > first
  const visibleImported = imported.filter(isVisible)
  const lines = [...stays.filter(isVisible).map(bookedLine), ...visibleImported.map(importedLine)]
  lines.sort((a, b) => a.start.localeCompare(b.start))
  const span = `${formatMonth(first)} to ${formatMonth(last)}`
  const release = visibleImported.length > 0 ? ', or free the nights under Other platforms' : ''
  return (
    <Card aria-label="Booked nights">
      <CardHeader
        title="Booked nights"
        subtitle={
          lines.length > 0 ? `${span}. To free them, decline, move or delete the booking${release}.` : span
        }
      />
      <CardBody>
        {lines.length === 0 ? (
          <p className="text-muted">No night is booked in these months.</p>
        ) : (
          <ul className="divide-y divide-line">
            {lines.map(({ key, href, who, where, start, end }) => (
              <li
                key={key}
                className="flex flex-wrap items-baseline gap-x-6 gap-y-1 py-2.5 first:pt-0 last:pb-0 sm:grid sm:grid-cols-[1fr_8.5rem_15rem_5.5rem] lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1.5fr)_5.5rem]"
              >
                <Link href={href} className="min-w-0 justify-self-start wrap-anywhere link">
                  {who}
                </Link>
                <span className="text-muted">{where}</span>
                <span>{formatShortStay({ start, end })}</span>
                <span className="text-muted sm:text-right">{plural(nightsBetween(start, end), 'night')}</span>
              </li>
            ))}
          </ul>
        )}
      </CardBody>
    </Card>
  )
}

const bookedLine = (stay: BookedStay): Line => ({
  key: stay.applicationId,
  href: paths.adminApplication(stay.applicationId),
  who: `${stay.firstName} ${stay.lastName}`,
  where: stay.applicationNumber,
  start: stay.start,
  end: stay.end,
})

const importedLine = ({ end, feedId, feedName, start }: ImportedStay): Line => ({
  key: `${feedId} ${start}`,
  href: paths.adminCalendars,
  who: `Booked on ${feedName}`,
  where: 'Other platforms',
  start,
  end,
})
