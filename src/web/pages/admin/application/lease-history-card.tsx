import { useState } from 'react'
import { formatMoment } from '../../../../domain/common/dates.ts'
import { api } from '../../../api/api.ts'
import { useTimeZone } from '../../../features/stays/today.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import type { Application } from './application-data.ts'
import { actorText, detailPairs, type LeaseEvent, latestEvents } from './lease-events.ts'

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

const shownEvents = 4

/** Who viewed, signed, uploaded or removed which part of the lease, and from where. */
function LeaseEventsList({ newestFirst }: { newestFirst: readonly LeaseEvent[] }) {
  const [showsAll, setShowsAll] = useState(false)
  const first = latestEvents(newestFirst, shownEvents)
  return (
    <>
      <ol className="grid gap-3">
        {(showsAll ? newestFirst : first).map(event => (
          <HistoryEntry key={event.id} event={event} />
        ))}
      </ol>
      {newestFirst.length > first.length && (
        <Button
          size="sm"
          variant="ghost"
          className="mt-3 -ml-3"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? 'Show less' : `Show all ${newestFirst.length}`}
        </Button>
      )}
    </>
  )
}

function HistoryEntry({ event }: { event: LeaseEvent }) {
  const timeZone = useTimeZone()
  const more = detailPairs(event)
  return (
    <li className="border-l-2 border-linen pl-3">
      <p className="font-semibold text-navy">{event.label}</p>
      <p className="text-[0.9375rem] wrap-anywhere text-muted">
        {formatMoment(event.at, timeZone)}, {actorText(event)}
      </p>
      {more.length > 0 && (
        <details className="text-sm">
          <summary className="w-fit cursor-pointer text-lagoon-dark">Details</summary>
          <dl className="mt-1 grid gap-x-3 gap-y-0.5 sm:grid-cols-[auto_minmax(0,1fr)]">
            {more.map(([label, value]) => (
              <div key={label} className="contents">
                <dt className="text-muted">{label}</dt>
                <dd className="wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  )
}
