import { useState } from 'react'
import { holdsNights } from '../../../../domain/bookings/application-status.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useToday } from '../../../features/stays/today.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'

type DeleteApplicationDialogProps = {
  application: Outputs['applications']['adminGet']['application']
  onDeleted: () => void
  onClose: () => void
}

export function DeleteApplicationDialog({ application, onDeleted, onClose }: DeleteApplicationDialogProps) {
  const remove = api.applications.adminDelete.useMutation()
  // The status when the dialog was opened, even if a refetch changes the application.
  const [fromStatus] = useState(application.status)
  const freesNights = holdsNights(application, useToday())
  const preview = api.applications.adminStatusPreview.useQuery(
    { id: application.id },
    { staleTime: 0, gcTime: 0 },
  )
  return (
    <ConfirmAction
      title="Are you sure you want to delete this application?"
      body={
        <>
          <p className="font-semibold wrap-anywhere">
            {application.firstName} {application.lastName}, {application.applicationNumber}
          </p>
          <p className="mt-2">
            It disappears for you and the tenant, with its messages
            {application.leaseGenerated && ' and its lease'}.
            {!application.signing && ' The tenant gets no email.'}
          </p>
          {(freesNights || application.paymentReceived) && (
            <p className="mt-2">
              {freesNights && 'Its nights become free at once. '}
              {application.paymentReceived && 'Its payments stay in the ledger, without an application.'}
            </p>
          )}
          {preview.data &&
            paymentsInProgress(preview.data).map(sentence => (
              <p key={sentence} className="mt-2">
                {sentence}
              </p>
            ))}
        </>
      }
      confirmLabel="Delete"
      busyLabel="Deleting..."
      action={async () => {
        await remove.mutateAsync({ id: application.id, fromStatus })
        return 'Application deleted'
      }}
      failedText="Failed to delete application"
      onSuccess={onDeleted}
      onClose={onClose}
    />
  )
}

/**
 * What happens to unfinished payments when their application is declined or deleted; one sentence per kind of payment.
 */
export function paymentsInProgress(preview: { openCheckouts: number; processingPayments: number }): string[] {
  const { openCheckouts: open, processingPayments: processing } = preview
  return [
    ...(open === 1 ? ['1 card payment is under way. Its checkout will be closed.'] : []),
    ...(open > 1 ? [`${open} card payments are under way. Their checkouts will be closed.`] : []),
    ...(processing === 1 ? ['1 bank payment is on its way and cannot be stopped.'] : []),
    ...(processing > 1 ? [`${processing} bank payments are on their way and cannot be stopped.`] : []),
  ]
}
