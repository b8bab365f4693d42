import { Link } from 'wouter'
import { api } from '../../api/api.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'

const states = {
  open: 'Open: how to get in, and the Wi-Fi',
  locked: 'Something is still missing',
  scheduled: 'Opens before the arrival',
  closed: 'Closed',
}

/** Leads to the arrival information of a booking; nothing while there is none. */
export function StayCard({
  applicationId,
  href,
  title,
}: {
  applicationId: string
  href: string
  title: string
}) {
  const stay = api.stays.get.useQuery({ applicationId }).data?.stay
  if (!stay) return null
  return (
    <Card aria-label={title}>
      <CardHeader
        title={title}
        subtitle={states[stay.gate.state]}
        action={
          <Button asChild variant={stay.gate.state === 'open' ? 'primary' : 'secondary'} size="sm">
            <Link href={href}>Open</Link>
          </Button>
        }
      />
    </Card>
  )
}
