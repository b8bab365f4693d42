import { CircleAlert, Pause, Play, Plus, RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { defaultModeOf, freedNights } from '../../../../domain/calendars/calendar-event.ts'
import type { FeedState } from '../../../../domain/calendars/calendar-feed.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api } from '../../../api/api.ts'
import { RelativeTime } from '../../../features/stays/relative-time.tsx'
import { useToday } from '../../../features/stays/today.ts'
import { useChange, useReadAgain } from '../../../forms/change.ts'
import { RemoveDialog } from '../../../forms/confirm-action.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Badge, type BadgeTone } from '../../../ui/badge.tsx'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { EditAndRemove } from '../../../ui/edit-and-remove.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import {
  actionsClass,
  type CalendarFeed,
  type Calendars,
  modeNames,
  rangeOf,
  toastReading,
} from './calendar-data.ts'
import { FeedDialog } from './feed-dialog.tsx'

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
      title="From Airbnb and others"
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
    <RemoveDialog
      name={feed.name}
      noun="Calendar"
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
      remove={async () => (await remove.mutateAsync({ id: feed.id })).message}
      onClose={onClose}
    />
  )
}

const badges: Record<FeedState, { tone: BadgeTone; text: string }> = {
  new: { tone: 'neutral', text: 'Not read yet' },
  ok: { tone: 'green', text: 'Up to date' },
  stale: { tone: 'yellow', text: 'Stale' },
  failing: { tone: 'red', text: 'Failing' },
  paused: { tone: 'neutral', text: 'Paused' },
}

type FeedItemProps = {
  feed: CalendarFeed
  onEdit: () => void
  onRemove: () => void
}

/** An imported calendar with its state and its actions. */
function FeedItem(props: FeedItemProps) {
  const { feed } = props
  const { text, tone } = badges[feed.state]
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 py-4 first:pt-0 last:pb-0">
      <div className="grid min-w-0 grow basis-80 gap-0.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="font-semibold wrap-anywhere text-navy">{feed.name}</h3>
          <Badge tone={tone}>{text}</Badge>
        </div>
        <p className="text-[0.9375rem] wrap-anywhere text-muted">{describeFeed(feed)}</p>
        <ReadingTimes feed={feed} />
        {feed.emptySince && feed.active && (
          <Trouble>
            Empty since <RelativeTime at={feed.emptySince} />. Its nights stay taken for a day, unless you say
            that this is right.
          </Trouble>
        )}
        {feed.unreadable > 0 && <Trouble>{plural(feed.unreadable, 'event')} could not be read.</Trouble>}
        {feed.lastError && <Trouble>{feed.lastError}</Trouble>}
      </div>
      <FeedActions {...props} />
    </li>
  )
}

function describeFeed({ eventCount, host, mode, provider }: CalendarFeed): string {
  const tellsKinds = defaultModeOf(provider) === 'reservations'
  return [
    host,
    ...(tellsKinds ? [modeNames[mode]] : []),
    eventCount === 0 ? 'Takes no nights' : `Takes the nights of ${plural(eventCount, 'event')}`,
  ].join(' · ')
}

function ReadingTimes({ feed }: { feed: CalendarFeed }) {
  const { active, lastAttemptAt, lastSuccessAt, nextAttemptAt } = feed
  const parts: [string, ReactNode][] = [
    lastSuccessAt
      ? [
          'last',
          <>
            Last read <RelativeTime at={lastSuccessAt} />
          </>,
        ]
      : ['last', 'Never read'],
  ]
  if (lastAttemptAt && lastAttemptAt !== lastSuccessAt)
    parts.push([
      'tried',
      <>
        tried <RelativeTime at={lastAttemptAt} />
      </>,
    ])
  if (active)
    parts.push([
      'next',
      nextAttemptAt ? (
        <>
          next reading <RelativeTime at={nextAttemptAt} ahead />
        </>
      ) : (
        'read only by hand'
      ),
    ])
  return (
    <p className="text-[0.9375rem] text-muted">
      {parts.map(([key, part], at) => (
        <span key={key}>
          {at > 0 && ' · '}
          {part}
        </span>
      ))}
    </p>
  )
}

function Trouble({ children }: { children: ReactNode }) {
  return (
    <p className="flex gap-1.5 text-[0.9375rem] leading-snug font-semibold wrap-anywhere text-red">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}

function FeedActions({ feed, onEdit, onRemove }: FeedItemProps) {
  const { client } = api.useUtils()
  const edit = useChange('Failed to save calendar', async (active: boolean) => {
    await client.calendars.editFeed.mutate({ id: feed.id, active })
    return {
      title: 'Calendar saved',
      detail: active ? undefined : 'It is not read now. Its nights stay taken.',
    }
  })
  return (
    <div className={actionsClass}>
      {feed.active && <ReadNowButton feed={feed} />}
      <BusyButton size="sm" variant="ghost" busy={edit.isPending} onClick={() => edit.mutate(!feed.active)}>
        {!edit.isPending && (feed.active ? <Pause aria-hidden /> : <Play aria-hidden />)}
        {feed.active ? 'Pause' : 'Resume'}
        <span className="sr-only"> {feed.name}</span>
      </BusyButton>
      <EditAndRemove name={feed.name} onEdit={onEdit} onRemove={onRemove} />
    </div>
  )
}

/** Reads a calendar immediately, which takes up to ten seconds, and shows the result. */
export function ReadNowButton({ feed }: { feed: CalendarFeed }) {
  const read = api.calendars.readNow.useMutation({
    onSuccess: ({ feed, result }) => toastReading(feed, result),
    onError: error => void toastFailure(error, `Failed to read ${feed.name}`),
    onSettled: useReadAgain(),
  })
  return (
    <BusyButton
      size="sm"
      variant="secondary"
      busy={read.isPending}
      busyLabel="Reading..."
      onClick={() => read.mutate({ id: feed.id })}
    >
      <RefreshCw aria-hidden />
      Read now
      <span className="sr-only"> {feed.name}</span>
    </BusyButton>
  )
}
