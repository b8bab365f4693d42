import { formatCents } from '../../../domain/common/money.ts'
import { cardBrandLabel } from '../../../domain/money/payment.ts'
import { PaymentStatusBadge } from './payment-status-badge.tsx'
import { type PaymentView, refundedNote } from './payment-view.ts'

/** The status, and the reason of a failed payment if the bank gave one. */
export function PaymentStatus({ payment: { failureReason, status } }: { payment: PaymentView }) {
  return (
    <>
      <PaymentStatusBadge status={status} />
      {failureReason && (
        <span className="mt-0.5 block text-sm wrap-anywhere text-muted">{failureReason}</span>
      )}
    </>
  )
}

type PaidWith = Pick<PaymentView, 'cardBrand' | 'cardLast4' | 'checkNumber' | 'providerMethod'>

/** `Visa •••• 4242`, `Bank account •••• 6789`, or the check's number; empty if unknown. */
export function paidWith(payment: PaidWith): string {
  const isBank = payment.providerMethod === 'us_bank_account'
  const brand = cardBrandLabel(isBank ? 'us_bank_account' : (payment.cardBrand ?? 'card'))
  if (payment.cardLast4) return `${brand} •••• ${payment.cardLast4}`
  if (isBank) return brand
  return payment.checkNumber && `Check ${payment.checkNumber}`
}

/** The amount, the card fee and what was refunded or disputed. */
export function PaymentAmount({ payment }: { payment: PaymentView }) {
  const refunded = refundedNote(payment)
  return (
    <>
      <span className="font-semibold text-navy tabular-nums">{formatCents(payment.amount)}</span>
      {payment.feeAmount > 0 && (
        <span className="block text-sm whitespace-nowrap text-muted">
          + {formatCents(payment.feeAmount)} card fee
        </span>
      )}
      {refunded && <span className="block text-sm whitespace-nowrap text-muted">{refunded}</span>}
    </>
  )
}
