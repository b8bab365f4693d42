import { Plus } from 'lucide-react'
import { useState } from 'react'
import { freedNights } from '../../../../domain/calendars/calendar-event.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api } from '../../../api/api.ts'
import { useToday } from '../../../features/stays/today.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { type CalendarFeed, type Calendars, rangeOf, useInvalidateCalendars } from './calendar-data.ts'
import { FeedDialog } from './feed-dialog.tsx'
import { FeedItem } from './feed-item.tsx'

/** The imported calendars, whose nights are blocked on this site. */
export function FeedsCard({ calendars }: { calendars: Calendars }) {
  const { feeds } = calendars
  const [edited, setEdited] = useState<CalendarFeed | 'new'>()
  const [removed, setRemoved] = useState<CalendarFeed>()
  const addButton = (
    <Button variant="secondary" size="sm" onClick={() => setEdited('new')}>
      <Plus aria-hidden />
      Add a calendar
    </Button>
  )
  return (
    <SetupCard
      title="Calendars we read"
      subtitle="What is booked on other platforms is taken here too."
      action={feeds.length > 0 && addButton}
    >
      {feeds.length === 0 ? (
        <EmptyState
          compact
          title="No calendar is read yet."
          hint="Airbnb, Vrbo, Booking.com and Google give each calendar an address. Add it here, and its nights cannot be booked twice."
          action={addButton}
        />
      ) : (
        <ul className="divide-y divide-line">
          {feeds.map(feed => (
            <FeedItem
              key={feed.id}
              feed={feed}
              onEdit={() => setEdited(feed)}
              onRemove={() => setRemoved(feed)}
            />
          ))}
        </ul>
      )}
      {edited && (
        <FeedDialog feed={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {removed && <RemoveFeed feed={removed} calendars={calendars} onClose={() => setRemoved(undefined)} />}
    </SetupCard>
  )
}

type RemoveFeedProps = { feed: CalendarFeed; calendars: Calendars; onClose: () => void }

function RemoveFeed({ feed, calendars, onClose }: RemoveFeedProps) {
  const remove = api.calendars.removeFeed.useMutation()
  const invalidate = useInvalidateCalendars()
  const taking = calendars.events.filter(({ blocks }) => blocks)
  // An upper limit: this page does not know the site's bookings. The server reports which nights became free.
  const nights = freedNights(
    taking.filter(({ feedId }) => feedId === feed.id).map(rangeOf),
    taking.filter(({ feedId }) => feedId !== feed.id).map(rangeOf),
    useToday(),
  )
  const upTo =
    calendars.more > 0
      ? 'Its nights become'
      : `Up to ${plural(nights, 'night')} ${nights === 1 ? 'becomes' : 'become'}`
  const given = calendars.exports.filter(({ feedId }) => feedId === feed.id).map(({ name }) => name)
  return (
    <ConfirmAction
      title={`Remove ${feed.name}?`}
      body={
        <>
          <p>
            {nights === 0 && calendars.more === 0
              ? 'No night becomes free.'
              : `${upTo} free at once, and can be booked here: those that nothing else takes.`}
          </p>
          {given.length > 0 && <p className="mt-2">What you give out stays: {given.join(', ')}.</p>}
        </>
      }
      confirmLabel="Remove"
      busyLabel="Removing..."
      action={async () => {
        const { message } = await remove.mutateAsync({ id: feed.id })
        return { title: 'Calendar removed', detail: message }
      }}
      failedText="Failed to remove calendar"
      onSuccess={invalidate}
      onClose={onClose}
    />
  )
}
