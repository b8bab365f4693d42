import { isBooked } from '../../../../domain/application-status.ts'
import { api } from '../../../api/api.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { type Application, useInvalidateApplication } from './application-data.ts'

type RemoveLeaseDialogProps = {
  application: Application
  /** Only the signature goes; the generated lease stays to be signed again. */
  only: boolean
  onClose: () => void
}

export function RemoveLeaseDialog({ application, only, onClose }: RemoveLeaseDialogProps) {
  const remove = api.leases.adminRemove.useMutation()
  const voidSignature = api.leases.removeSigned.useMutation()
  const invalidate = useInvalidateApplication()
  const restoresDates =
    isBooked(application.status) &&
    (application.leaseStartDate !== application.requestedStartDate ||
      application.leaseEndDate !== application.requestedEndDate)
  const confirm = async () => {
    const failed = only ? 'Error removing signed lease' : 'Failed to delete lease'
    try {
      if (only) await voidSignature.mutateAsync({ applicationId: application.id })
      else await remove.mutateAsync({ id: application.id })
      toast.success(only ? 'Signed lease removed successfully' : 'Lease deleted successfully!')
    } catch (error) {
      toastFailure(error, { failed, threw: failed })
    }
    void invalidate()
    onClose()
  }
  return (
    <ConfirmDialog
      open
      danger
      title={
        only ? 'Are you sure you want to void the signature?' : 'Are you sure you want to delete this lease?'
      }
      body={
        only
          ? 'The signed file is put aside, and the tenant can sign the same lease again.'
          : `This clears the signed file, the signature and the generated lease. Copies are kept aside for the audit log.${restoresDates ? ' The requested dates are booked again in place of the lease’s.' : ''}`
      }
      confirmLabel={only ? 'Void Signature' : 'Delete Lease'}
      busy={remove.isPending || voidSignature.isPending}
      busyLabel={only ? 'Voiding...' : 'Deleting...'}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    />
  )
}
