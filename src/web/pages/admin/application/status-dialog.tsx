import { useState } from 'react'
import { Link } from 'wouter'
import {
  applicationChangedMessage,
  type DecidedStatus,
  holdsNights,
  isBooked,
  statusLabel,
} from '../../../../domain/application-status.ts'
import type { CalendarDate } from '../../../../domain/dates.ts'
import { formatCents } from '../../../../domain/money.ts'
import { formatNights, formatStay } from '../../../../domain/stay.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { underWaySentences } from '../../../features/payments/under-way.ts'
import { useToday } from '../../../features/stays/today.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { type Application, type OpenModal, useInvalidateApplication } from './application-data.ts'

type Preview = Outputs['applications']['adminStatusPreview']
type StatusDialogProps = { application: Application; status: DecidedStatus; open: OpenModal }

const words: Record<DecidedStatus, { verb: string; busy: string }> = {
  approved: { verb: 'Approve', busy: 'Approving...' },
  rejected: { verb: 'Decline', busy: 'Declining...' },
  completed: { verb: 'Complete', busy: 'Completing...' },
}

/** Says what a change of status will do, asked for the moment it opens, and does it. */
export function StatusDialog({ application, status, open }: StatusDialogProps) {
  const preview = api.applications.adminStatusPreview.useQuery(
    { id: application.id },
    { staleTime: 0, gcTime: 0 },
  )
  const setStatus = api.applications.adminSetStatus.useMutation()
  const invalidate = useInvalidateApplication()
  // What the decision is made on: it stays while the application is asked for again behind the dialog.
  const [fromStatus] = useState(application.status)
  const isOutdated = application.status !== fromStatus && !setStatus.isPending
  const { verb, busy } = words[status]
  const today = useToday()
  const isBlocked = isBooked(status) && (preview.data?.conflicts.length ?? 0) > 0

  const confirm = async () => {
    try {
      await setStatus.mutateAsync({ id: application.id, status, fromStatus })
      toast.success('Application status updated')
      const leftToGive = status === 'rejected' && (preview.data?.paidCents ?? 0) > 0
      open(leftToGive ? { kind: 'money-back' } : undefined)
    } catch (error) {
      toastFailure(error, { failed: 'Failed to update status', threw: 'Failed to update status' })
      void preview.refetch()
    }
    void invalidate()
  }

  return (
    <Dialog
      open
      onOpenChange={next => !next && !setStatus.isPending && open(undefined)}
      title={`${verb} this application?`}
      footer={
        <>
          <Button variant="secondary" disabled={setStatus.isPending} onClick={() => open(undefined)}>
            Cancel
          </Button>
          <Button
            variant={status === 'rejected' ? 'danger' : 'primary'}
            disabled={isOutdated || isBlocked || (preview.isPending && !preview.isError)}
            busy={setStatus.isPending}
            busyLabel={busy}
            onClick={() => void confirm()}
          >
            {verb}
          </Button>
        </>
      }
    >
      <QueryView
        query={preview}
        loading="Checking the calendar..."
        error="What this will do could not be checked."
      >
        {data => (
          <div className="grid gap-3">
            {isOutdated && (
              <Notice tone="danger" role="alert" title={applicationChangedMessage}>
                Its status is now {statusLabel(application.status, 'details')}. Close this window and look at
                it again.
              </Notice>
            )}
            <ul className="list-disc pl-5">
              {[
                ...effects(application, status, today),
                ...(status === 'rejected' ? underWaySentences(data) : []),
              ].map(sentence => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
            {isBooked(status) ? (
              <BookingWarnings preview={data} />
            ) : (
              data.paidCents > 0 && (
                <Notice tone="warning" title={`The tenant has paid ${formatCents(data.paidCents)}`}>
                  Declining does not give it back. Refund or transfer comes up right after.
                </Notice>
              )
            )}
          </div>
        )}
      </QueryView>
    </Dialog>
  )
}

function effects(application: Application, status: DecidedStatus, today: CalendarDate): string[] {
  const stay = formatStay({
    start: application.leaseStartDate ?? application.requestedStartDate,
    end: application.leaseEndDate ?? application.requestedEndDate,
  })
  const mail = 'The tenant is told by e-mail.'
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
    ...(application.paymentReceived ? [] : ['No payment was received yet.']),
  ]
}

function BookingWarnings({ preview: { conflicts, blockedNights } }: { preview: Preview }) {
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
      {blockedNights.length > 0 && (
        <Notice tone="warning" title="You blocked nights of this stay">
          {formatNights(blockedNights)}. They can be booked all the same.
        </Notice>
      )}
    </>
  )
}
