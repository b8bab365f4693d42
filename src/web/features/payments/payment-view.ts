import { formatCents } from '../../../domain/common/money.ts'
import type { LedgerRow } from '../../../domain/money/ledger.ts'
import type { Outputs } from '../../api/api.ts'

export type PaymentView = Outputs['payments']['history']['payments'][number]

/** When the payment was made, or else when it was started. */
export function paymentTime(payment: Pick<PaymentView, 'paidAt' | 'createdAt'>): string {
  return payment.paidAt ?? payment.createdAt
}

/** Whether a payment is an unfinished checkout. Pending refunds by hand have negative amounts. */
export function isUnfinished({ amount, status }: Pick<PaymentView, 'amount' | 'status'>): boolean {
  return status === 'pending' && amount > 0
}

/** The reason of a failed payment, or that a checkout is not finished: the provider may still tell that it was paid. */
export function statusNote(payment: Pick<PaymentView, 'amount' | 'failureReason' | 'status'>): string | null {
  return isUnfinished(payment) ? 'Started, not finished.' : payment.failureReason
}

/** Whether there is a receipt. A payment that the bank returned has none. */
export function hasReceipt(payment: Pick<PaymentView, 'paidAt' | 'amount' | 'status'>): boolean {
  return payment.paidAt !== null && payment.amount > 0 && payment.status !== 'returned'
}

/** The refunded or disputed amount including its part of the fee, in cents. */
function refundedCents(payment: Pick<PaymentView, 'refundedAmount' | 'refundedFeeAmount'>): number {
  return payment.refundedAmount + payment.refundedFeeAmount
}

/** `$103.00 refunded`, or disputed, or both; undefined if nothing of the payment is gone. */
export function refundedNote(payment: PaymentView): string | undefined {
  const { lostAmount, refundedAmount } = payment
  const cents = refundedCents(payment)
  if (cents === 0) return undefined
  const words = [lostAmount < refundedAmount && 'refunded', lostAmount > 0 && 'disputed']
  return `${formatCents(cents)} ${words.filter(word => word !== false).join(' or ') || 'refunded'}`
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
