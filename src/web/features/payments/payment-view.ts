import type { LedgerRow } from '../../../domain/ledger.ts'
import type { Outputs } from '../../api/api.ts'

export type PaymentView = Outputs['payments']['history']['payments'][number]

/** When it was paid, or else when it was started. */
export function paymentMoment(payment: Pick<PaymentView, 'paidAt' | 'createdAt'>): string {
  return payment.paidAt ?? payment.createdAt
}

/** Whether a receipt is offered; what the bank took back was not received. */
export function hasReceipt(payment: Pick<PaymentView, 'paidAt' | 'amount' | 'status'>): boolean {
  return payment.paidAt !== null && payment.amount > 0 && payment.status !== 'returned'
}

/** What was refunded of it, with the part of the fee, in cents. */
export function refundedCents(payment: Pick<PaymentView, 'refundedAmount' | 'refundedFeeAmount'>): number {
  return payment.refundedAmount + payment.refundedFeeAmount
}

/** A payment as a row of the ledger. */
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
    // The API leaves out payments that were removed.
    voidedAt: null,
  }
}
