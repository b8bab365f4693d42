import { useState } from 'react'
import { holdsNights } from '../../../domain/application-status.ts'
import { api, type Outputs } from '../../api/api.ts'
import { underWaySentences } from '../../features/payments/under-way.ts'
import { useToday } from '../../features/stays/today.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toasts.tsx'

type DeleteApplicationDialogProps = {
  application: Outputs['applications']['adminGet']['application']
  onDeleted: () => void
  onCancel: () => void
}

export function DeleteApplicationDialog({ application, onDeleted, onCancel }: DeleteApplicationDialogProps) {
  const remove = api.applications.adminDelete.useMutation()
  const utils = api.useUtils()
  // As it was when the question was asked, whatever comes in behind the dialog.
  const [fromStatus] = useState(application.status)
  const freesNights = holdsNights(application, useToday())
  const preview = api.applications.adminStatusPreview.useQuery(
    { id: application.id },
    { staleTime: 0, gcTime: 0 },
  )
  const confirm = async () => {
    try {
      await remove.mutateAsync({ id: application.id, fromStatus })
      toast.success('Application deleted')
      onDeleted()
    } catch (error) {
      const failed = 'Failed to delete application'
      toastFailure(error, { failed, threw: failed })
      void utils.applications.invalidate()
      onCancel()
    }
  }
  return (
    <ConfirmDialog
      open
      danger
      title="Are you sure you want to delete this application?"
      body={
        <>
          <p className="font-semibold wrap-anywhere">
            {application.firstName} {application.lastName}, {application.applicationNumber}
          </p>
          {(freesNights || application.paymentReceived) && (
            <p className="mt-2">
              {freesNights && 'Its nights become free at once. '}
              {application.paymentReceived && 'Its payments stay in the ledger, without an application.'}
            </p>
          )}
          {preview.data &&
            underWaySentences(preview.data).map(sentence => (
              <p key={sentence} className="mt-2">
                {sentence}
              </p>
            ))}
        </>
      }
      confirmLabel="Delete"
      busy={remove.isPending}
      busyLabel="Deleting..."
      onConfirm={() => void confirm()}
      onCancel={onCancel}
    />
  )
}
