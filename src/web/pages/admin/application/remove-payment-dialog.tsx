import { formatCents } from '../../../../domain/common/money.ts'
import { paymentTypeLabels } from '../../../../domain/money/ledger.ts'
import { api } from '../../../api/api.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { type Payment, refundableCents, useInvalidateApplication } from './application-data.ts'

export function RemovePaymentDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const invalidate = useInvalidateApplication()
  const remove = api.payments.remove.useMutation({ onSettled: () => void invalidate() })
  return (
    <ConfirmAction
      title="Are you sure you want to delete this payment?"
      body={
        <>
          <p className="font-semibold">
            {paymentTypeLabels[payment.paymentType]}, {formatCents(payment.amount)}
          </p>
          <p className="mt-2">It is removed from every list and total but stays in the audit log.</p>
          {payment.transferId && <p className="mt-2">The other side of the transfer goes with it.</p>}
          {refundableCents(payment) > 0 && (
            <p className="mt-2 font-semibold text-red">
              The money does not go back to the card. If the tenant should get it back, refund it first.
            </p>
          )}
        </>
      }
      confirmLabel="Delete"
      busyLabel="Deleting..."
      action={async () => (await remove.mutateAsync({ paymentId: payment.id })).message}
      failedText="Failed to delete payment"
      onClose={onClose}
    />
  )
}
