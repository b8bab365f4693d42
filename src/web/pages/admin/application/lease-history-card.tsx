import { useEffect, useRef, useState } from 'react'
import { api } from '../../../api/api.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { nearViewport } from '../../../ui/near-viewport.ts'
import { dialogOnDemand } from '../../../ui/on-demand.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import type { Application } from './application-data.ts'

const LeaseEvents = dialogOnDemand(() => import('./lease-events-list.tsx').then(m => m.LeaseEventsList))

const loading = <Spinner label="Loading..." />

/** The lease's history, newest first. Its code is loaded when the card comes near the viewport. */
export function LeaseHistoryCard({ application }: { application: Application }) {
  const history = api.leases.trail.useQuery({ id: application.id })
  const card = useRef<HTMLElement>(null)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (card.current) void nearViewport(card.current, 100).then(() => setIsNear(true))
  }, [])
  return (
    <Card ref={card} aria-label="Lease History">
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
          {({ events }) =>
            isNear ? <LeaseEvents newestFirst={events.toReversed()} fallback={loading} /> : loading
          }
        </QueryView>
      </CardBody>
    </Card>
  )
}
