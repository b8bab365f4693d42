import type { LedgerRow } from '../../../domain/ledger.ts'
import type { Outputs } from '../../api/api.ts'

export type PaymentView = Outputs['payments']['history']['payments'][number]

/** When the payment was made, or else when it was started. */
export function paymentTime(payment: Pick<PaymentView, 'paidAt' | 'createdAt'>): string {
  return payment.paidAt ?? payment.createdAt
}

/** Whether there is a receipt. A payment that the bank returned has none. */
export function hasReceipt(payment: Pick<PaymentView, 'paidAt' | 'amount' | 'status'>): boolean {
  return payment.paidAt !== null && payment.amount > 0 && payment.status !== 'returned'
}

/** The refunded amount including the refunded part of the fee, in cents. */
export function refundedCents(payment: Pick<PaymentView, 'refundedAmount' | 'refundedFeeAmount'>): number {
  return payment.refundedAmount + payment.refundedFeeAmount
}

/** Converts a payment to a ledger row. */
export function toLedgerRow(payment: PaymentView): LedgerRow {
  return {
    type: payment.paymentType,
    method: payment.method,
    status: payment.status,
    amountCents: payment.amount,
    feeCents: payment.feeAmount,
    refundedAmountCents: payment.refundedAmount,
    refundedFeeCents: payment.refundedFeeAmount,
    lostAmountCents: payment.lostAmount,
    paidAt: payment.paidAt,
    // The API omits voided payments.
    voidedAt: null,
  }
}
