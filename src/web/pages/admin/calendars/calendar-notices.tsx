import { useState } from 'react'
import { plural } from '../../../../domain/common/plural.ts'
import { api } from '../../../api/api.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { CalendarFeed, Calendars } from './calendar-data.ts'
import { ConflictActions } from './conflicts-card.tsx'
import { KeepButton, ReleaseButton } from './events-card.tsx'
import { ReadNowButton } from './feeds-card.tsx'

/** The owner's notices about calendars, with their actions. */
export function CalendarNotices({ calendars }: { calendars: Calendars }) {
  if (calendars.notices.length === 0) return null
  return (
    <section aria-label="Notices" className="grid grid-cols-1 gap-2.5">
      {calendars.notices.map(({ detail, id, title, tone }) => (
        <Notice
          key={id}
          tone={tone}
          title={title}
          className="py-3"
          action={<NoticeAction id={id} calendars={calendars} />}
        >
          <p className="text-[0.9375rem] wrap-anywhere">{detail}</p>
        </Notice>
      ))}
    </section>
  )
}

/** A notice's id contains its kind and the id of its subject. */
function NoticeAction({ id, calendars }: { id: string; calendars: Calendars }) {
  const [, kind, about] = /^calendar-([a-z]+)-(.+)$/.exec(id) ?? []
  const conflict = calendars.conflicts.find(conflict => conflict.id === about)
  const feed = calendars.feeds.find(feed => feed.id === about)
  const event = calendars.events.find(event => event.id === about)
  if (kind === 'conflict' && conflict) return <ConflictActions conflict={conflict} />
  if ((kind === 'stale' || kind === 'failing') && feed) return <ReadNowButton feed={feed} />
  if (kind === 'empty' && feed) return <AcceptEmptyButton feed={feed} />
  if (kind === 'echo' && event?.blocks)
    return (
      <div className="flex flex-wrap gap-2">
        <ReleaseButton event={event} />
        <KeepButton event={event} />
      </div>
    )
  return null
}

/** Confirms that it is correct that a calendar is empty. */
function AcceptEmptyButton({ feed }: { feed: CalendarFeed }) {
  const [isAsked, setAsked] = useState(false)
  const accept = api.calendars.acceptEmpty.useMutation()
  return (
    <>
      <Button size="sm" variant="secondary" onClick={() => setAsked(true)}>
        Yes, it is empty
      </Button>
      {isAsked && (
        <ConfirmAction
          title={`Is ${feed.name} really empty?`}
          body={`The nights of ${plural(feed.eventCount, 'event')} become free at once, unless something else takes them. If you are not sure, check the calendar on its own site first.`}
          confirmLabel="Yes, it is empty"
          busyLabel="Saving..."
          action={async () => {
            const { ended } = await accept.mutateAsync({ id: feed.id })
            return { title: 'Calendar saved', detail: `${plural(ended, 'event')} ended` }
          }}
          failedText="Failed to save calendar"
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}
