import { paymentTypeLabels } from '../../../../domain/ledger.ts'
import { formatCents } from '../../../../domain/money.ts'
import { api } from '../../../api/api.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { type Payment, refundableCents, useInvalidateApplication } from './application-data.ts'

export function RemovePaymentDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const remove = api.payments.remove.useMutation()
  const invalidate = useInvalidateApplication()
  const confirm = async () => {
    try {
      const { message } = await remove.mutateAsync({ paymentId: payment.id })
      toast.success(message)
    } catch (error) {
      const failed = 'Failed to delete payment'
      toastFailure(error, { failed, threw: failed })
    }
    void invalidate()
    onClose()
  }
  return (
    <ConfirmDialog
      open
      danger
      title="Are you sure you want to delete this payment?"
      body={
        <>
          <p className="font-semibold">
            {paymentTypeLabels[payment.paymentType]}, {formatCents(payment.amount)}
          </p>
          <p className="mt-2">It leaves every list and total, and stays in the audit log.</p>
          {payment.transferId && <p className="mt-2">The other side of the transfer goes with it.</p>}
          {refundableCents(payment) > 0 && (
            <p className="mt-2 font-semibold text-red">
              The money is not returned to the card: refund it first if the tenant is to have it back.
            </p>
          )}
        </>
      }
      confirmLabel="Delete"
      busy={remove.isPending}
      busyLabel="Deleting..."
      onConfirm={() => void confirm()}
      onCancel={onClose}
    />
  )
}
