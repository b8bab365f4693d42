import { api } from '../../../api/api.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { toast } from '../../../ui/toasts.tsx'
import type { Payment } from './application-data.ts'

/** 'Send receipt': to the account's e-mail, by the outbox. */
export function useSendReceipt() {
  const resend = api.payments.resendReceipt.useMutation()
  return async (payment: Payment) => {
    try {
      await resend.mutateAsync({ paymentId: payment.id })
      toast.success('Receipt is on its way', `To ${payment.userId.email}`)
    } catch (error) {
      const failed = 'Failed to send email receipt'
      toastFailure(error, { failed, threw: failed })
    }
  }
}
