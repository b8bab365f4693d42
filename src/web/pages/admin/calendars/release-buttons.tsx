import { useState } from 'react'
import { api } from '../../../api/api.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { toast } from '../../../ui/toast.ts'
import { type ImportedEvent, rangeOf, stayText, useInvalidateCalendars } from './calendar-data.ts'

type EventButtonProps = { event: ImportedEvent }

/**
 * Frees the nights of an imported event after a confirmation, so that they can be booked here. The same button blocks
 * released nights again, so that the focus stays on it.
 */
export function ReleaseButton({ event }: EventButtonProps) {
  const [isAsked, setAsked] = useState(false)
  const release = api.calendars.releaseEvent.useMutation()
  const invalidate = useInvalidateCalendars()
  const takeBack = useTakeBack(event)
  return (
    <>
      <EventButton
        event={event}
        busy={takeBack.busy}
        onClick={event.state === 'released' ? takeBack.onClick : () => setAsked(true)}
      >
        {event.state === 'released' ? 'Take them back' : 'Release these nights'}
      </EventButton>
      {isAsked && (
        <ConfirmAction
          title="Release these nights?"
          body={`${stayText(rangeOf(event))} can then be booked here, although ${event.feedName} has them. If the event moves there, its new nights are taken.`}
          confirmLabel="Release"
          busyLabel="Releasing..."
          action={async () => {
            await release.mutateAsync({ id: event.id, released: true })
            return 'Nights released'
          }}
          failedText="Failed to release the nights"
          onSuccess={invalidate}
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
  const invalidate = useInvalidateCalendars()
  const takeBack = api.calendars.releaseEvent.useMutation({
    onSuccess: () => toast.success('Nights taken'),
    onError: error => void toastFailure(error, 'Failed to take the nights'),
    onSettled: invalidate,
  })
  return { busy: takeBack.isPending, onClick: () => takeBack.mutate({ id, released: false }) }
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
