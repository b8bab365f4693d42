import { isBooked } from '../../../../domain/bookings/application-status.ts'
import { api } from '../../../api/api.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { type Application, useInvalidateApplication } from './application-data.ts'

type DialogProps = { application: Application; onClose: () => void }

/** Deletes the lease and its signature. */
export function RemoveLeaseDialog({ application, onClose }: DialogProps) {
  const invalidate = useInvalidateApplication()
  const remove = api.leases.adminRemove.useMutation({ onSettled: () => void invalidate() })
  const restoresDates =
    isBooked(application.status) &&
    (application.leaseStartDate !== application.requestedStartDate ||
      application.leaseEndDate !== application.requestedEndDate)
  return (
    <ConfirmAction
      title="Are you sure you want to delete this lease?"
      body={`This removes the signed file, the signature and the generated lease. Copies are kept for the audit log.${restoresDates ? ' The requested dates are booked again in place of the lease’s.' : ''}`}
      confirmLabel="Delete Lease"
      busyLabel="Deleting..."
      action={async () => {
        await remove.mutateAsync({ id: application.id })
        return 'Lease deleted successfully!'
      }}
      failedText="Failed to delete lease"
      onClose={onClose}
    />
  )
}

/** Removes only the signature; the generated lease stays. */
export function VoidSignatureDialog({ application, onClose }: DialogProps) {
  const invalidate = useInvalidateApplication()
  const voidSignature = api.leases.removeSigned.useMutation({ onSettled: () => void invalidate() })
  return (
    <ConfirmAction
      title="Are you sure you want to void the signature?"
      body="The signed file is set aside, and the tenant can sign the same lease again."
      confirmLabel="Void Signature"
      busyLabel="Voiding..."
      action={async () => {
        await voidSignature.mutateAsync({ applicationId: application.id })
        return 'Signed lease removed successfully'
      }}
      failedText="Error removing signed lease"
      onClose={onClose}
    />
  )
}
