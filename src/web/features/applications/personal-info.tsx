import { coApplicantName, guestCount } from '../../../domain/bookings/people.ts'
import { formatPhone } from '../../../domain/common/phone.ts'
import { formatStay } from '../../../domain/common/stay.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'
import type { ListedGuest } from './guests-list.tsx'

export type PersonalInfoSource = {
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
}

export function PersonalInfo({ application }: { application: PersonalInfoSource }) {
  return <DefinitionList items={personalItems(application)} />
}

/** An application's people and dates, as tenant and admin both see them. */
export function personalItems(application: PersonalInfoSource) {
  const { street, city, state, zipCode } = application.address
  const coApplicant = coApplicantName(application)
  return [
    { label: 'Name', value: `${application.firstName} ${application.lastName}` },
    ...(coApplicant ? [{ label: 'Co-applicant', value: coApplicant }] : []),
    { label: 'Email', value: application.email },
    { label: 'Phone', value: formatPhone(application.phone) },
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
      value: formatStay({ start: application.requestedStartDate, end: application.requestedEndDate }),
    },
    { label: 'Total guests', value: guestCount(application) },
  ]
}
