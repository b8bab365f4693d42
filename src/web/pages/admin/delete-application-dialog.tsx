import { useState } from 'react'
import type { ApplicationStatus } from '../../../domain/application-status.ts'
import { api } from '../../app/api.ts'
import { toastFailure } from '../../features/forms/failure-toast.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toasts.tsx'

type DeleteApplicationDialogProps = {
  application: {
    id: string
    firstName: string
    lastName: string
    applicationNumber: string
    status: ApplicationStatus
  }
  onDeleted: () => void
  onCancel: () => void
}

export function DeleteApplicationDialog({ application, onDeleted, onCancel }: DeleteApplicationDialogProps) {
  const remove = api.applications.adminDelete.useMutation()
  const utils = api.useUtils()
  // As it was when the question was asked, whatever comes in behind the dialog.
  const [fromStatus] = useState(application.status)
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
          <p className="mt-2">
            Its nights become free at once. Its payments stay in the ledger, without an application.
          </p>
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
