import { balance, type LedgerRow } from '../../../domain/ledger.ts'
import { dollarsToCents } from '../../../domain/money.ts'
import type { Outputs } from '../../api/api.ts'

export type PaymentView = Outputs['payments']['history']['payments'][number]

/** The moment that counts: when it was paid, or when it was begun (HIST-09). */
export function paymentMoment(payment: Pick<PaymentView, 'paidAt' | 'createdAt'>): string {
  return payment.paidAt ?? payment.createdAt
}

/** Whether the server makes a receipt for it. */
export function hasReceipt(payment: Pick<PaymentView, 'paidAt' | 'amount'>): boolean {
  return payment.paidAt !== null && payment.amount > 0
}

/** What was given back of it, the fee's part included, in cents. */
export function refundedCents(payment: Pick<PaymentView, 'refundedAmount' | 'refundedFeeAmount'>): number {
  return payment.refundedAmount + payment.refundedFeeAmount
}

/** What the summary of an application needs of it; rent and deposit in dollars, as they travel. */
export type OwingApplication = {
  leaseGenerated: boolean
  totalAmount: number
  depositAmount: number | null
}

/** Owed, paid and balance of an application in cents, from its payments as they travel. */
export function balanceOf(application: OwingApplication, payments: readonly PaymentView[]) {
  const { leaseGenerated, totalAmount, depositAmount } = application
  return balance({
    owedCents: leaseGenerated ? dollarsToCents(totalAmount) : 0,
    depositCents: leaseGenerated ? dollarsToCents(depositAmount ?? 0) : 0,
    rows: payments.map(toLedgerRow),
  })
}

/** What travels of a payment as a row of the ledger. */
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
    // The lists leave out what was removed.
    voidedAt: null,
  }
}
