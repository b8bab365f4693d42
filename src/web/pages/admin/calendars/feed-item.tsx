import { CircleAlert, Pause, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { defaultModeOf } from '../../../../domain/calendars/calendar-event.ts'
import type { FeedState } from '../../../../domain/calendars/calendar-feed.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api } from '../../../api/api.ts'
import { RelativeTime } from '../../../features/stays/relative-time.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { Badge, type BadgeTone } from '../../../ui/badge.tsx'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { toast } from '../../../ui/toast.ts'
import { actionsClass, type CalendarFeed, modeNames, useInvalidateCalendars } from './calendar-data.ts'
import { EditAndRemove } from './edit-and-remove.tsx'
import { ReadNowButton } from './read-now-button.tsx'

const badges: Record<FeedState, { tone: BadgeTone; text: string }> = {
  new: { tone: 'neutral', text: 'Not read yet' },
  ok: { tone: 'green', text: 'Up to date' },
  stale: { tone: 'yellow', text: 'Stale' },
  failing: { tone: 'red', text: 'Failing' },
  paused: { tone: 'neutral', text: 'Paused' },
}

type FeedItemProps = {
  feed: CalendarFeed
  /** Preloads the code of the dialog that `onEdit` opens. */
  onEdit: () => void
  onRemove: () => void
}

/** An imported calendar with its state and its actions. */
export function FeedItem(props: FeedItemProps) {
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

function describeFeed({ eventCount, mode, provider, url }: CalendarFeed): string {
  const tellsKinds = defaultModeOf(provider) === 'reservations'
  return [
    URL.parse(url)?.host ?? url,
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
  const edit = api.calendars.editFeed.useMutation()
  const invalidate = useInvalidateCalendars()
  const setActive = async (active: boolean) => {
    try {
      await edit.mutateAsync({ id: feed.id, active })
      toast.success('Calendar saved', active ? undefined : 'It is not read now. Its nights stay taken.')
    } catch (error) {
      toastFailure(error, 'Failed to save calendar')
    }
    await invalidate()
  }
  return (
    <div className={actionsClass}>
      {feed.active && <ReadNowButton feed={feed} />}
      <BusyButton
        size="sm"
        variant="ghost"
        busy={edit.isPending}
        onClick={() => void setActive(!feed.active)}
      >
        {!edit.isPending && (feed.active ? <Pause aria-hidden /> : <Play aria-hidden />)}
        {feed.active ? 'Pause' : 'Resume'}
        <span className="sr-only"> {feed.name}</span>
      </BusyButton>
      <EditAndRemove name={feed.name} onEdit={onEdit} onRemove={onRemove} />
    </div>
  )
}
