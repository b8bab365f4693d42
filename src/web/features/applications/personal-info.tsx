import type { ReactNode } from 'react'
import { coApplicantName, guestCount } from '../../../domain/bookings/people.ts'
import { formatPhone } from '../../../domain/common/phone.ts'
import { formatShortStay } from '../../../domain/common/stay.ts'
import { Badge } from '../../ui/badge.tsx'

type PersonalInfoSource = {
  firstName: string
  lastName: string
  secondApplicantFirstName: string
  secondApplicantLastName: string
  email: string
  phone: string
  address: { street: string; city: string; state: string; zipCode: string }
  requestedStartDate: string
  requestedEndDate: string
  additionalGuests: readonly ListedGuest[]
  guestNote: string
}

/** An application's people and dates, as tenant and admin both see them; the owner's are links (LOOK-66). */
export function personalItems(
  application: PersonalInfoSource,
  links: { Email?: ReactNode; Phone?: ReactNode } = {},
) {
  const { street, city, state, zipCode } = application.address
  const coApplicant = coApplicantName(application)
  return [
    { label: 'Name', value: `${application.firstName} ${application.lastName}` },
    ...(coApplicant ? [{ label: 'Co-applicant', value: coApplicant }] : []),
    { label: 'Email', value: links.Email ?? application.email },
    { label: 'Phone', value: links.Phone ?? formatPhone(application.phone) },
    {
      label: 'Address',
      value: street && (
        <>
          {street}
          <br />
          {city}, {state} {zipCode}
        </>
      ),
    },
    {
      label: 'Requested dates',
      value: formatShortStay({ start: application.requestedStartDate, end: application.requestedEndDate }),
    },
    { label: 'Total guests', value: guestCount(application) },
    ...(application.guestNote
      ? [{ label: 'Message', value: <span className="whitespace-pre-line">{application.guestNote}</span> }]
      : []),
  ]
}

type ListedGuest = { firstName: string; lastName: string; isAdult: boolean }

/** The additional guests, or a note that there are none. */
export function GuestsList({ guests }: { guests: readonly ListedGuest[] }) {
  if (guests.length === 0) return <p className="text-muted">No additional guests.</p>
  const numbered = guests.map((guest, index) => ({ ...guest, number: index + 1 }))
  return (
    <ul className="divide-y divide-line">
      {numbered.map(guest => (
        <li
          key={guest.number}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5 first:pt-0 last:pb-0"
        >
          <div className="min-w-0">
            <span className="block text-[0.9375rem] text-muted">Guest {guest.number}</span>
            <span className="font-semibold wrap-anywhere text-navy">
              {guest.firstName} {guest.lastName}
            </span>
          </div>
          <Badge tone={guest.isAdult ? 'blue' : 'neutral'}>{guest.isAdult ? 'Adult (18+)' : 'Minor'}</Badge>
        </li>
      ))}
    </ul>
  )
}
