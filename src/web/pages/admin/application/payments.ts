import { api } from '../../../app/api.ts'
import { refundedCents } from '../../../features/payments/payment-view.ts'
import type { Application } from './application-details.tsx'
import type { Payment } from './modal.tsx'

/** The payments of an application, newest first. */
export function usePayments({ id, userId }: Application) {
  return api.payments.adminHistory.useQuery({ userId: userId.id, applicationId: id })
}

/** What can still be refunded to the card: amount and fee, less what went back. */
export function refundableCents(payment: Payment): number {
  if (payment.method !== 'card' || payment.status !== 'succeeded') return 0
  return payment.amount + payment.feeAmount - refundedCents(payment)
}
