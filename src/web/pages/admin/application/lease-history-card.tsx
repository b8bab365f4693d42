import { api } from '../../../api/api.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import type { Application } from './application-data.ts'
import { LeaseEventsList } from './lease-events-list.tsx'

/** The lease's history, newest first. */
export function LeaseHistoryCard({ application }: { application: Application }) {
  const history = api.leases.trail.useQuery({ id: application.id })
  return (
    <Card aria-label="Lease History">
      <CardHeader title="Lease History" />
      <CardBody>
        <QueryView
          query={history}
          loading="Loading..."
          error="Failed to load the lease’s history"
          empty={({ events }) =>
            events.length === 0 && <p className="text-muted">Nothing has happened to the lease yet.</p>
          }
        >
          {({ events }) => <LeaseEventsList newestFirst={events.toReversed()} />}
        </QueryView>
      </CardBody>
    </Card>
  )
}
