import type { DecidedStatus } from '../../../../domain/application-status.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { refundedCents } from '../../../features/payments/payment-view.ts'

export type Application = Outputs['applications']['adminGet']['application']
export type Payment = Outputs['payments']['adminHistory']['payments'][number]

/** Which dialog stands over the details, with what it is about. */
export type Modal =
  | { kind: 'status'; status: DecidedStatus }
  | { kind: 'money-back' }
  | { kind: 'manual-payment' }
  | ({ kind: 'transfer' } & Returning)
  | ({ kind: 'refund'; payment: Payment } & Returning)
  | ({ kind: 'give-back'; amountCents?: number } & Returning)
  | { kind: 'remove-payment'; payment: Payment }

/** Opened from the offer to give the money back, it leads there again. */
type Returning = { returnTo?: Modal }
export type OpenModal = (modal: Modal | undefined) => void

/** To be called after a change: everything that may show it is asked for again. Resolves when it is there. */
export function useInvalidateApplication() {
  const utils = api.useUtils()
  return async () => {
    await Promise.all([
      utils.applications.invalidate(),
      utils.payments.invalidate(),
      utils.leases.invalidate(),
    ])
  }
}

/** The payments of an application, newest first. */
export function usePayments({ id, userId }: Application) {
  return api.payments.adminHistory.useQuery({ userId: userId.id, applicationId: id })
}

/** What can still be refunded to the card: amount and fee, less what went back. */
export function refundableCents(payment: Payment): number {
  if (payment.method !== 'card' || payment.status !== 'succeeded') return 0
  return payment.amount + payment.feeAmount - refundedCents(payment)
}
