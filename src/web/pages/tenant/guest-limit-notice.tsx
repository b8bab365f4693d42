import { useWatch } from 'react-hook-form'
import { guestCount } from '../../../domain/application.ts'
import { guestLimit } from '../../../domain/lease-text.ts'
import { Notice } from '../../ui/notice.tsx'
import type { FormValues } from './application-draft.ts'

/** Says early what the owner will say; it hinders nobody. */
export function GuestLimitNotice() {
  const [secondApplicantFirstName, secondApplicantLastName, guests] = useWatch<
    FormValues,
    ['secondApplicantFirstName', 'secondApplicantLastName', 'additionalGuests']
  >({ name: ['secondApplicantFirstName', 'secondApplicantLastName', 'additionalGuests'] })
  const named = guests.filter(guest => guest.firstName.trim() || guest.lastName.trim())
  const count = guestCount({
    secondApplicantFirstName,
    secondApplicantLastName,
    additionalGuests: named,
  })
  return (
    <div role="status" className="contents">
      {count > guestLimit && (
        <Notice tone="warning" title={`The condo sleeps ${guestLimit}`}>
          You are {count} in all. You can send the application, and we will get in touch about it.
        </Notice>
      )}
    </div>
  )
}
