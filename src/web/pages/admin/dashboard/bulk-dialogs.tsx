import { holdsNights } from '../../../../domain/bookings/application-status.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { useToday } from '../../../features/stays/today.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { type BulkAction, type BulkResult, type BulkSelection, nameOf } from './listed-application.ts'

/** Whether some of the selected applications have booked nights, or payments. */
type Affected = { freesNights: boolean; isPaid: boolean }
type Words = {
  label: string
  done: string
  busy: string
  explain: (affected: Affected) => string
}
const words: Record<BulkAction, Words> = {
  approve: {
    label: 'Approve',
    done: 'approved',
    busy: 'Approving...',
    explain: () =>
      'Each tenant gets an e-mail. An application whose dates are booked by another one is refused; the others go through.',
  },
  reject: {
    label: 'Reject',
    done: 'declined',
    busy: 'Declining...',
    explain: ({ freesNights, isPaid }) =>
      `Each tenant gets an e-mail${freesNights ? ', and the nights they hold become free at once' : ''}. Card checkouts in progress are closed.${isPaid ? ' This does not refund payments. To give money back, open the paid application.' : ''}`,
  },
  delete: {
    label: 'Delete',
    done: 'deleted',
    busy: 'Deleting...',
    explain: ({ freesNights, isPaid }) =>
      `${freesNights ? 'The nights they hold become free at once. ' : ''}Card checkouts in progress are closed.${isPaid ? ' Their payments stay in the ledger, without an application.' : ''}`,
  },
}

type ConfirmBulkActionProps = BulkSelection & { busy: boolean; onConfirm: () => void; onClose: () => void }

/** Asks for confirmation before many applications are changed, and explains the consequences. */
export function ConfirmBulkAction({ action, onClose, selected, ...props }: ConfirmBulkActionProps) {
  const today = useToday()
  const { label, explain, busy } = words[action]
  const explanation = explain({
    freesNights: selected.some(application => holdsNights(application, today)),
    isPaid: selected.some(({ paymentReceived }) => paymentReceived),
  })
  const counted = plural(selected.length, 'application')
  return (
    <ConfirmDialog
      open
      danger={action !== 'approve'}
      title={
        action === 'delete'
          ? `Are you sure you want to delete ${selected.length === 1 ? 'this application' : `these ${counted}`}?`
          : `${label} ${counted}?`
      }
      body={
        <>
          {explanation && <p>{explanation}</p>}
          <ul className="mt-3 max-h-48 list-disc overflow-y-auto pl-5">
            {selected.map(application => (
              <li key={application.id} className="wrap-anywhere">
                {nameOf(application)}, {application.applicationNumber}
              </li>
            ))}
          </ul>
        </>
      }
      confirmLabel={`${label} ${counted}`}
      busyLabel={busy}
      onCancel={onClose}
      {...props}
    />
  )
}

type BulkResultsProps = { action: BulkAction; results: BulkResult[]; onClose: () => void }

/** The result for each application. */
export function BulkResults({ action, results, onClose }: BulkResultsProps) {
  const done = results.filter(({ error }) => error === undefined).length
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${done} of ${results.length} ${words[action].done}`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <ul className="divide-y divide-line">
        {results.map(({ application, error }) => (
          <li
            key={application.id}
            className="grid gap-x-4 gap-y-0.5 py-2.5 first:pt-0 last:pb-0 sm:grid-cols-[1fr_auto]"
          >
            <span className="min-w-0">
              <span className="font-semibold wrap-anywhere text-navy">{nameOf(application)}</span>{' '}
              <span className="text-sm text-muted">{application.applicationNumber}</span>
              {error && <span className="block text-red">{error}</span>}
            </span>
            <span>
              {error ? <Badge tone="red">Refused</Badge> : <Badge tone="green">{words[action].done}</Badge>}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
