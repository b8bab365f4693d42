import { keepPreviousData } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import {
  applicationChangedMessage,
  type DecidedStatus,
  holdsNights,
  isBooked,
  statusLabel,
} from '../../../../domain/bookings/application-status.ts'
import type { CalendarDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { formatNights, formatShortStay, formatStay, stayOf } from '../../../../domain/common/stay.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { RelativeTime } from '../../../features/stays/relative-time.tsx'
import { useToday } from '../../../features/stays/today.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useDebounced } from '../../../forms/use-debounced.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { toast } from '../../../ui/toast.ts'
import { CalendarOverride, overridableRefusal, useCalendarOverride } from '../calendar-override.tsx'
import type { Application, OpenModal } from './application-data.ts'
import { DecisionList, useVerbs } from './decisions.tsx'
import { paymentsInProgress } from './delete-application-dialog.tsx'
import { SentenceAndMail } from './dialog-fields.tsx'

type Preview = Outputs['applications']['adminStatusPreview']
type StatusDialogProps = {
  application: Application
  status: DecidedStatus
  open: OpenModal
  onClose: () => void
}

/** The preview of a status change, the option to book nights that are taken, and the change itself. */
function useStatusChange({ application, status, open, onClose }: StatusDialogProps) {
  const query = api.applications.adminStatusPreview.useQuery({ id: application.id }, { staleTime: 0 })
  // Not what the screen loaded earlier.
  const isCurrent = query.isFetchedAfterMount && !query.isError
  const preview = isCurrent ? query : { ...query, data: undefined }
  const setStatus = api.applications.adminSetStatus.useMutation()
  const readAgain = useReadAgain()
  // The status when the dialog was opened, even if a refetch changes the application.
  const [fromStatus] = useState(application.status)
  const [message, setMessage] = useState('')
  const imported = (isBooked(status) && preview.data?.imported) || []
  const knownKey = isBooked(status) ? preview.data?.overrideKey : undefined
  const override = useCalendarOverride(knownKey ?? '', knownKey)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    try {
      const { warnings = [] } = await override.send(overrideCalendar =>
        setStatus
          .mutateAsync({
            id: application.id,
            status,
            fromStatus,
            ...(message && { message }),
            ...(fromStatus === 'pending' && isBooked(status) && { seen: preview.data?.decision }),
            ...overrideCalendar,
          })
          .catch(refetch),
      )
      toast.success('Application status updated')
      for (const warning of warnings) toast.info('Please note', warning)
      const hasMoneyToReturn = status === 'rejected' && (preview.data?.paidCents ?? 0) > 0
      if (hasMoneyToReturn) open({ kind: 'return-options' })
      else onClose()
    } catch (error) {
      toastFailure(error, 'Failed to update status')
    }
    void readAgain()
  }
  /** After a refusal, refetches the preview; it waits for the result if nights have been taken in the meantime. */
  const refetch = async (error: unknown) => {
    const refetched = preview.refetch()
    if (overridableRefusal(error)) await refetched
    throw error
  }
  const isLoading = !preview.data && !preview.isError
  const { isPending: isSending } = setStatus
  return { preview, isLoading, imported, override, submit, fromStatus, isSending, message, setMessage }
}

/** Previews a status change, and makes it. */
export function StatusDialog(props: StatusDialogProps) {
  const { application, status, open, onClose } = props
  const { fromStatus, imported, isLoading, isSending, message, override, preview, setMessage, submit } =
    useStatusChange(props)
  const isOutdated = application.status !== fromStatus && !isSending
  const hasConflicts = isBooked(status) && (preview.data?.conflicts.length ?? 0) > 0

  const verbs = useVerbs(application)
  const { verb, busyLabel } = verbs[status]
  const { firstName, lastName } = application
  const what = isBooked(application.status) || verb === 'Confirm booking' ? 'booking' : 'application'
  return (
    <FormDialog
      title={`${verb.replace(' booking', '')} ${firstName} ${lastName}’s ${what}?`}
      description={formatShortStay(stayOf(application))}
      submit={submit}
      submitLabel={verb}
      danger={status === 'rejected'}
      disabled={isOutdated || hasConflicts || isLoading || (override.isAsked && !override.isChosen)}
      busy={isSending}
      busyLabel={busyLabel}
      onClose={onClose}
    >
      <QueryView
        query={preview}
        loading="Checking the calendar..."
        error="We could not check what this will do."
      >
        {data => (
          <div className="grid gap-3">
            {isOutdated && (
              <Notice tone="danger" role="alert" title={applicationChangedMessage}>
                The status is now {statusLabel(application.status, 'details')}. Close this window and look at
                it again.
              </Notice>
            )}
            {application.status === 'pending' && (
              <>
                <DecisionList columns={2} decision={data.decision} />
                {application.guestNote && (
                  <dl>
                    <dt className="text-[0.9375rem] text-muted">Message</dt>
                    <dd className="whitespace-pre-line wrap-anywhere text-navy">{application.guestNote}</dd>
                  </dl>
                )}
              </>
            )}
            <Effects application={application} status={status} preview={data} />
            <StatusMail application={application} status={status} message={message} onChange={setMessage} />
          </div>
        )}
      </QueryView>
      {!hasConflicts && (
        <CalendarOverride {...override} title={importedTitle(imported)}>
          {imported.length > 0 && (
            <>
              <ImportedNights imported={imported} />
              <p className="mt-1.5">Book them all the same only if you have cleared them there.</p>
            </>
          )}
        </CalendarOverride>
      )}
      {application.status === 'pending' && status === 'approved' && (
        <Button
          size="sm"
          variant="ghost"
          className="-mt-2 -ml-3 justify-self-start text-red"
          onClick={() => open({ kind: 'status', status: 'rejected' })}
        >
          Decline instead
        </Button>
      )}
    </FormDialog>
  )
}

type StatusMailProps = Pick<StatusDialogProps, 'application' | 'status'> & {
  message: string
  onChange: (message: string) => void
}

/** The email that the decision sends, with the owner's sentence (LOOK-68). */
function StatusMail({ application: { id }, status, message, onChange }: StatusMailProps) {
  const input = { id, status, message: useDebounced(message) }
  const mail = api.applications.previewStatusMail.useQuery(input, { placeholderData: keepPreviousData })
  return <SentenceAndMail mail={mail} message={message} onChange={onChange} />
}

function Effects({
  application,
  status,
  preview,
}: Pick<StatusDialogProps, 'application' | 'status'> & { preview: Preview }) {
  const sentences = effects(application, status, useToday())
  if (status === 'rejected') sentences.push(...paymentsInProgress(preview))
  return (
    <>
      <ul className="list-disc pl-5">
        {sentences.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {isBooked(status) ? (
        <BookingWarnings preview={preview} />
      ) : (
        preview.paidCents > 0 && (
          <Notice tone="warning" title={`The tenant has paid ${formatCents(preview.paidCents)}`}>
            Declining does not give it back. You can refund or transfer it in the next step.
          </Notice>
        )
      )}
    </>
  )
}

function effects(application: Application, status: DecidedStatus, today: CalendarDate): string[] {
  const stay = formatStay(stayOf(application))
  if (status === 'rejected')
    return [
      isBooked(application.status)
        ? holdsNights(application, today)
          ? `The nights from ${stay} become free at once.`
          : 'Its stay is over, so no night becomes free.'
        : 'It holds no nights, so the calendar stays as it is.',
    ]
  const booked = isBooked(application.status)
    ? `The stay from ${stay} stays booked.`
    : `The stay from ${stay} is booked, and its nights show as unavailable everywhere.`
  if (status === 'approved') return [booked, 'You can then generate the lease.']
  return [
    booked,
    'The booking counts as verified: the last step of the tenant’s checklist is done.',
    ...(application.leaseSigned ? [] : ['The lease is not signed yet.']),
    ...(application.paymentReceived ? [] : ['No payment has been received yet.']),
  ]
}

function BookingWarnings({
  preview: { conflicts, blockedNights, imported = [], warnings },
}: {
  preview: Preview
}) {
  return (
    <>
      {conflicts.length > 0 && (
        <Notice tone="danger" title="These dates are booked by another application">
          <ul>
            {conflicts.map(conflict => (
              <li key={conflict.id} className="wrap-anywhere">
                <Link href={paths.adminApplication(conflict.id)} className="link">
                  {conflict.number}
                </Link>
                , {conflict.firstName} {conflict.lastName}: {formatShortStay(conflict)}
              </li>
            ))}
          </ul>
          <p className="mt-1.5">Decline or move that booking, or edit the dates of this one.</p>
        </Notice>
      )}
      {conflicts.length > 0 && imported.length > 0 && (
        <Notice tone="warning" title={importedTitle(imported)}>
          <ImportedNights imported={imported} />
        </Notice>
      )}
      {blockedNights.length > 0 && (
        <Notice tone="warning" title="You blocked nights of this stay">
          {formatNights(blockedNights)}. You can book them anyway.
        </Notice>
      )}
      {warnings.length > 0 && (
        <Notice tone="warning" title="This stay breaks your booking rules">
          <ul>
            {warnings.map(warning => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
          <p className="mt-1.5">You can book it anyway.</p>
        </Notice>
      )}
    </>
  )
}

type Imported = NonNullable<Outputs['applications']['adminStatusPreview']['imported']>

/**
 * `These nights are taken on Airbnb and Vrbo`, with the number of calendars if there are many; undefined if there are
 * none.
 */
function importedTitle(imported: Imported): string | undefined {
  if (imported.length === 0) return undefined
  const feeds = [...new Set(imported.map(({ feedName }) => feedName))]
  if (feeds.length > 3) return `These nights are taken on ${plural(feeds.length, 'calendar')}`
  return `These nights are taken on ${new Intl.ListFormat('en-US').format(feeds)}`
}

/** Identifies an imported stay. */
const importedStayKey = ({ endDate, feedId, startDate }: Imported[number]) =>
  `${feedId} ${startDate} ${endDate}`

/** Shows which nights are taken on other calendars, and when each calendar was last read. */
function ImportedNights({ imported }: { imported: Imported }) {
  // A platform may have two events for the same nights.
  const events = new Map(imported.map(event => [importedStayKey(event), event]))
  return (
    <ul>
      {[...events].map(([key, event]) => (
        <li key={key} className="wrap-anywhere">
          {event.feedName}: {formatShortStay({ start: event.startDate, end: event.endDate })}
          <span className="text-muted">
            , <ReadingAge at={event.lastSuccessAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function ReadingAge({ at }: { at: string | null }) {
  if (at === null) return 'never read'
  return (
    <>
      read <RelativeTime at={at} />
    </>
  )
}
