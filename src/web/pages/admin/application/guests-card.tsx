import { GuestsList } from '../../../features/applications/guests-list.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import type { Application } from './application-data.ts'

export function GuestsCard({ application }: { application: Application }) {
  return (
    <Card aria-label="Additional Guests">
      <CardHeader title="Additional Guests" />
      <CardBody>
        <GuestsList guests={application.additionalGuests} />
      </CardBody>
    </Card>
  )
}
