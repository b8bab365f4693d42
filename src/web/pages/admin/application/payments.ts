import { balance, type LedgerRow } from '../../../../domain/ledger.ts'
import { dollarsToCents } from '../../../../domain/money.ts'
import { api } from '../../../app/api.ts'
import type { Application } from './application-details.tsx'
import type { Payment } from './modal.tsx'

/** The payments of an application, newest first. */
export function usePayments({ id, userId }: Application) {
  return api.payments.adminHistory.useQuery({ userId: userId.id, applicationId: id })
}

/** Owed, paid and balance in cents, as the server reckons them (spec §9). */
export function balanceOf(application: Application, payments: readonly Payment[]) {
  return balance({
    owedCents: dollarsToCents(application.totalAmount),
    depositCents: application.leaseGenerated ? dollarsToCents(application.depositAmount ?? 0) : 0,
    rows: payments.map(toLedgerRow),
  })
}

/** What can still be refunded to the card: amount and fee, less what went back. */
export function refundableCents(payment: Payment): number {
  if (payment.method !== 'card' || payment.status !== 'succeeded') return 0
  return payment.amount + payment.feeAmount - payment.refundedAmount - payment.refundedFeeAmount
}

function toLedgerRow(payment: Payment): LedgerRow {
  return {
    type: payment.paymentType,
    method: payment.method,
    status: payment.status,
    amountCents: payment.amount,
    feeCents: payment.feeAmount,
    refundedAmountCents: payment.refundedAmount,
    refundedFeeCents: payment.refundedFeeAmount,
    paidAt: payment.paidAt,
    voidedAt: null,
  }
}
