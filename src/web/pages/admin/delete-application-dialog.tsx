import { api } from '../../app/api.ts'
import { toastFailure } from '../../features/forms/failure-toast.ts'
import { underWaySentences } from '../../features/payments/under-way.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toasts.tsx'

type DeleteApplicationDialogProps = {
  application: { id: string; firstName: string; lastName: string; applicationNumber: string }
  onDeleted: () => void
  onCancel: () => void
}

export function DeleteApplicationDialog({ application, onDeleted, onCancel }: DeleteApplicationDialogProps) {
  const remove = api.applications.adminDelete.useMutation()
  const preview = api.applications.adminStatusPreview.useQuery(
    { id: application.id },
    { staleTime: 0, gcTime: 0 },
  )
  const confirm = async () => {
    try {
      await remove.mutateAsync({ id: application.id })
      toast.success('Application deleted')
      onDeleted()
    } catch (error) {
      const failed = 'Failed to delete application'
      toastFailure(error, { failed, threw: failed })
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
