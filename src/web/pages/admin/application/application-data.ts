import type { DecidedStatus } from '../../../../domain/bookings/application-status.ts'
import { leftOfTotalCents } from '../../../../domain/money/ledger.ts'
import { api, type Outputs } from '../../../api/api.ts'
import type { ChargeView } from '../../../features/payments/charge-view.ts'
import { toLedgerRow } from '../../../features/payments/payment-view.ts'

export type Application = Outputs['applications']['adminGet']['application']
export type Installment = Outputs['plans']['show']['instalments'][number]
export type Payment = Outputs['payments']['adminHistory']['payments'][number]

/** The dialogs on the application screen, with their parameters. */
export type Modals = {
  status: { status: DecidedStatus }
  'generate-lease': unknown
  'lease-text': unknown
  'delete-lease': unknown
  'void-signature': unknown
  'return-options': unknown
  'manual-payment': unknown
  'add-charge': unknown
  'void-charge': { charge: ChargeView }
  transfer: Returning
  'card-refund': { payment: Payment } & Returning
  'record-return': { suggestedCents?: number; isDeposit?: boolean } & Returning
  'remove-payment': { payment: Payment }
  invite: unknown
  'change-plan': unknown
  postpone: { installment: Installment }
  waive: { installment: Installment }
  'charge-late-fee': { installment: Installment }
  'dismiss-late-fee': { installment: Installment }
}
export type Modal = { [Kind in keyof Modals]: { kind: Kind } & Modals[Kind] }[keyof Modals]

/** The dialog that opens when this dialog closes. */
type Returning = { returnTo?: Modal }
export type OpenModal = (modal: Modal | undefined) => void

/** Reloads all data that involves applications. Resolves when it is loaded. */
export function useInvalidateApplication() {
  const utils = api.useUtils()
  return async () => {
    await Promise.all([
      utils.applications.invalidate(),
      utils.payments.invalidate(),
      utils.billing.invalidate(),
      utils.leases.invalidate(),
      utils.plans.invalidate(),
    ])
  }
}

/** The payments of an application, newest first. */
export function usePayments({ id, userId }: Application) {
  return api.payments.adminHistory.useQuery({ userId: userId.id, applicationId: id })
}

/** The charges of an application, and a summary of what is owed and paid. */
export function useCharges({ id }: Application) {
  return api.billing.charges.useQuery({ applicationId: id })
}

/** Whether a payment was made from a bank account through the provider. */
export const isBankPayment = ({ providerMethod }: Pick<Payment, 'providerMethod'>): boolean =>
  providerMethod === 'us_bank_account'

export const refundLabel = (payment: Pick<Payment, 'providerMethod'>): string =>
  isBankPayment(payment) ? 'Refund to bank account' : 'Refund to card'

/** What can still be refunded through the provider, in cents: amount and fee minus earlier refunds. */
export function refundableCents(payment: Payment): number {
  if (payment.method !== 'card' || payment.status !== 'succeeded') return 0
  return leftOfTotalCents(toLedgerRow(payment))
}
