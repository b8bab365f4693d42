import { Link } from 'wouter'
import { calendarNotices } from '../../../../domain/calendars/calendar-messages.ts'
import { api } from '../../../api/api.ts'
import { useChange } from '../../../forms/change.ts'
import { paths } from '../../../routing/paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { type CalendarConflict, type Calendars, rangeOf, stayText } from './calendar-data.ts'

/** Double bookings, each with both sides. */
export function ConflictsCard({
  calendars: { conflicts, moreConflicts },
}: {
  calendars: Pick<Calendars, 'conflicts' | 'moreConflicts'>
}) {
  return (
    <SetupCard
      title="Double bookings"
      subtitle="Nights that are booked twice. Both bookings stay until you cancel or move one."
    >
      {conflicts.length === 0 ? (
        <p className="text-muted">No night is booked twice.</p>
      ) : (
        <ul className="divide-y divide-line">
          {conflicts.map(conflict => (
            <ConflictItem key={conflict.id} conflict={conflict} />
          ))}
        </ul>
      )}
      {moreConflicts > 0 && (
        <p className="mt-4 text-muted">{calendarNotices.moreConflicts(moreConflicts)}.</p>
      )}
    </SetupCard>
  )
}

function ConflictItem({ conflict }: { conflict: CalendarConflict }) {
  const { acknowledgedAt, applicationNumber, claimKind, claimName, feedName, otherFeedName } = conflict
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-3 first:pt-0 last:pb-0">
      <div className="grid min-w-0 gap-0.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="font-semibold wrap-anywhere text-navy">
            {claimName
              ? calendarNotices.kept(feedName, claimName, claimKind)
              : `${feedName} and ${applicationNumber ?? otherFeedName}`}
          </h3>
          {acknowledgedAt ? <Badge>Dealt with</Badge> : <Badge tone="red">Booked twice</Badge>}
        </div>
        <p className="text-[0.9375rem] text-muted">{stayText(rangeOf(conflict))}</p>
      </div>
      <ConflictActions conflict={conflict} />
    </li>
  )
}

/** The actions for a double booking, in the list and on its notice. */
export function ConflictActions({ conflict }: { conflict: CalendarConflict }) {
  const { acknowledgedAt, applicationId, id } = conflict
  const { client } = api.useUtils()
  const isNew = acknowledgedAt === null
  const acknowledge = useChange('Failed to save', async () => {
    await client.calendars.acknowledgeConflict.mutate({ id, acknowledged: isNew })
    return isNew ? 'Dealt with' : 'Notice is back'
  })
  return (
    <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:grow">
      {applicationId && (
        <Button asChild size="sm" variant="secondary">
          <Link href={paths.adminApplication(applicationId)}>Open booking</Link>
        </Button>
      )}
      <BusyButton
        size="sm"
        variant="secondary"
        busy={acknowledge.isPending}
        onClick={() => acknowledge.mutate()}
      >
        {isNew ? 'I have dealt with it' : 'Bring the notice back'}
      </BusyButton>
    </div>
  )
}
