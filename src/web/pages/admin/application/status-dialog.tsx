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
import { formatNights, formatStay } from '../../../../domain/common/stay.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { RelativeTime } from '../../../features/stays/relative-time.tsx'
import { useToday } from '../../../features/stays/today.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { paths } from '../../../routing/paths.ts'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { toast } from '../../../ui/toast.ts'
import { CalendarOverride, overridableRefusal, useCalendarOverride } from '../calendar-override.tsx'
import { paymentsInProgress } from '../delete-application-dialog.tsx'
import { type Application, type OpenModal, useInvalidateApplication } from './application-data.ts'

type Preview = Outputs['applications']['adminStatusPreview']
type StatusDialogProps = {
  application: Application
  status: DecidedStatus
  open: OpenModal
  onClose: () => void
}

const words: Record<DecidedStatus, { verb: string; busyLabel: string }> = {
  approved: { verb: 'Approve', busyLabel: 'Approving...' },
  rejected: { verb: 'Decline', busyLabel: 'Declining...' },
  completed: { verb: 'Complete', busyLabel: 'Completing...' },
}

/** The preview of a status change, the option to book nights that are taken, and the change itself. */
function useStatusChange({ application, status, open, onClose }: StatusDialogProps) {
  const preview = api.applications.adminStatusPreview.useQuery(
    { id: application.id },
    { staleTime: 0, gcTime: 0 },
  )
  const setStatus = api.applications.adminSetStatus.useMutation()
  const invalidate = useInvalidateApplication()
  // The status when the dialog was opened, even if a refetch changes the application.
  const [fromStatus] = useState(application.status)
  const imported = (isBooked(status) && preview.data?.imported) || []
  const override = useCalendarOverride(imported.map(importedStayKey).join(' '), imported.length > 0)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    try {
      const { warnings = [] } = await override.send(overrideCalendar =>
        setStatus.mutateAsync({ id: application.id, status, fromStatus, ...overrideCalendar }).catch(refetch),
      )
      toast.success('Application status updated')
      for (const warning of warnings) toast.info('Please note', warning)
      const hasMoneyToReturn = status === 'rejected' && (preview.data?.paidCents ?? 0) > 0
      if (hasMoneyToReturn) open({ kind: 'return-options' })
      else onClose()
    } catch (error) {
      toastFailure(error, 'Failed to update status')
    }
    void invalidate()
  }
  /** After a refusal, refetches the preview; it waits for the result if nights have been taken in the meantime. */
  const refetch = async (error: unknown) => {
    const refetched = preview.refetch()
    if (overridableRefusal(error)) await refetched
    throw error
  }
  return { preview, imported, override, submit, fromStatus, isSending: setStatus.isPending }
}

/** Previews a status change, and makes it. */
export function StatusDialog(props: StatusDialogProps) {
  const { application, status, onClose } = props
  const { fromStatus, imported, isSending, override, preview, submit } = useStatusChange(props)
  const isOutdated = application.status !== fromStatus && !isSending
  const hasConflicts = isBooked(status) && (preview.data?.conflicts.length ?? 0) > 0

  const { verb, busyLabel } = words[status]
  return (
    <FormDialog
      title={`${verb} this application?`}
      submit={submit}
      submitLabel={verb}
      danger={status === 'rejected'}
      disabled={isOutdated || hasConflicts || preview.isPending || (override.isAsked && !override.isChosen)}
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
            <Effects application={application} status={status} preview={data} />
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
    </FormDialog>
  )
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
  const stay = formatStay({
    start: application.leaseStartDate ?? application.requestedStartDate,
    end: application.leaseEndDate ?? application.requestedEndDate,
  })
  const mail = 'The tenant gets an e-mail.'
  if (status === 'rejected')
    return [
      mail,
      isBooked(application.status)
        ? holdsNights(application, today)
          ? `The nights from ${stay} become free at once.`
          : 'Its stay is over, so no night becomes free.'
        : 'It holds no nights, so the calendar stays as it is.',
    ]
  const booked = isBooked(application.status)
    ? `The stay from ${stay} stays booked.`
    : `The stay from ${stay} is booked, and its nights show as unavailable everywhere.`
  if (status === 'approved') return [mail, booked, 'You can then generate the lease.']
  return [
    mail,
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
                , {conflict.firstName} {conflict.lastName}: {formatStay(conflict)}
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
          {event.feedName}: {formatStay({ start: event.startDate, end: event.endDate })}
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
