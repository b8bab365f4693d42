import { useState } from 'react'
import type { EventKind, EventState } from '../../../../domain/calendars/calendar-event.ts'
import { nightsBetween } from '../../../../domain/common/dates.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { formatShortStay } from '../../../../domain/common/stay.ts'
import { api } from '../../../api/api.ts'
import { RelativeTime } from '../../../features/stays/relative-time.tsx'
import { useChange } from '../../../forms/change.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { Badge, type BadgeTone } from '../../../ui/badge.tsx'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { SetupCard } from '../../../ui/setup-card.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'
import { type Calendars, type ImportedEvent, rangeOf, stayText } from './calendar-data.ts'

const shownAtFirst = 10

const states: Record<EventState, { tone: BadgeTone; text: string }> = {
  active: { tone: 'blue', text: 'Taken' },
  missing: { tone: 'yellow', text: 'Taken, but missing' },
  echo: { tone: 'neutral', text: 'Your own nights' },
  released: { tone: 'neutral', text: 'Freed' },
  ended: { tone: 'neutral', text: 'Ended' },
}
const kinds: Record<EventKind, string> = {
  reservation: 'Booking',
  block: 'Blocked nights',
  unclear: 'Booking or blocked nights',
}

/** The imported events, and whether they block their nights. */
export function EventsCard({ calendars: { events, feeds, more } }: { calendars: Calendars }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? events : events.slice(0, shownAtFirst)
  return (
    <SetupCard
      title="Imported nights"
      subtitle="What other calendars hold. No one can book these nights here."
    >
      {events.length === 0 ? (
        <p className="text-muted">
          {feeds.every(({ state }) => state === 'new')
            ? 'Nothing has been read yet.'
            : 'No calendar has any current or future events.'}
        </p>
      ) : (
        <DataTable
          caption="Imported nights"
          columns={columns}
          rows={shown}
          rowKey={event => event.id}
          dense
          className="sm:-mx-6"
        />
      )}
      {shown.length < events.length && (
        <Button variant="secondary" size="sm" className="mt-4" onClick={() => setWhole(true)}>
          Show {more === 0 ? 'all' : 'the first'} {plural(events.length, 'event')}
        </Button>
      )}
      {isWhole && more > 0 && (
        <p className="mt-4 text-muted">
          And {more.toLocaleString('en-US')} more {more === 1 ? 'event' : 'events'}.
        </p>
      )}
    </SetupCard>
  )
}

const columns: Column<ImportedEvent>[] = [
  {
    key: 'nights',
    header: 'Nights',
    hideLabelOnCard: true,
    cell: event => (
      <>
        <span className="font-semibold text-navy">{formatShortStay(rangeOf(event))}</span>
        <span className="block text-sm text-muted">
          {plural(nightsBetween(event.startDate, event.endDate), 'night')}
        </span>
      </>
    ),
  },
  {
    key: 'calendar',
    header: 'Calendar',
    cell: ({ feedName, kind }) => (
      <>
        <span className="block min-w-28 wrap-anywhere">{feedName}</span>
        <span className="block text-sm text-muted">{kinds[kind]}</span>
      </>
    ),
  },
  { key: 'state', header: 'State', cell: event => <EventStateCell event={event} /> },
  {
    key: 'action',
    header: 'Action',
    hideLabelOnCard: true,
    align: 'right',
    cell: event => <EventAction event={event} />,
  },
]

function EventStateCell({ event: { missingSince, state } }: { event: ImportedEvent }) {
  const { text, tone } = states[state]
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      {state === 'missing' && missingSince && (
        <span className="block text-sm text-muted">
          No longer in the calendar, first noticed <RelativeTime at={missingSince} />
        </span>
      )}
      {state === 'echo' && (
        <span className="block text-sm text-muted">
          Came back from a calendar that you give out; takes no nights
        </span>
      )}
    </>
  )
}

function EventAction({ event }: { event: ImportedEvent }) {
  return event.blocks || event.state === 'released' ? <ReleaseButton event={event} /> : null
}

type EventButtonProps = { event: ImportedEvent }

/**
 * Frees the nights of an imported event after a confirmation, so that they can be booked here. The same button blocks
 * released nights again, so that the focus stays on it.
 */
export function ReleaseButton({ event }: EventButtonProps) {
  const [isAsked, setAsked] = useState(false)
  const release = api.calendars.releaseEvent.useMutation()
  const takeBack = useTakeBack(event)
  return (
    <>
      <EventButton
        event={event}
        busy={takeBack.busy}
        onClick={event.state === 'released' ? takeBack.onClick : () => setAsked(true)}
      >
        {event.state === 'released' ? 'Take them back' : 'Free these nights'}
      </EventButton>
      {isAsked && (
        <ConfirmAction
          title="Free these nights?"
          body={`${stayText(rangeOf(event))} can then be booked here, although ${event.feedName} has them. If the event moves there, its new nights are taken.`}
          confirmLabel="Free these nights"
          busyLabel="Saving..."
          action={async () => {
            await release.mutateAsync({ id: event.id, released: true })
            return 'Nights freed'
          }}
          failedText="Failed to release the nights"
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}

/** Keeps the nights of an imported event blocked. */
export function KeepButton({ event }: EventButtonProps) {
  return (
    <EventButton event={event} {...useTakeBack(event)}>
      Keep them taken
    </EventButton>
  )
}

function useTakeBack({ id }: ImportedEvent) {
  const { client } = api.useUtils()
  const takeBack = useChange('Failed to take the nights', async () => {
    await client.calendars.releaseEvent.mutate({ id, released: false })
    return 'Nights taken'
  })
  return { busy: takeBack.isPending, onClick: () => takeBack.mutate() }
}

type ButtonProps = EventButtonProps & { children: string; busy?: boolean; onClick: () => void }

function EventButton({ event, children, busy = false, onClick }: ButtonProps) {
  return (
    <BusyButton size="sm" variant="secondary" busy={busy} onClick={onClick}>
      {children}
      <span className="sr-only"> {stayText(rangeOf(event))}</span>
    </BusyButton>
  )
}
