import { formatCents } from '../../../domain/common/money.ts'
import { paymentStatusLabels, type PaymentStatus as Status } from '../../../domain/money/ledger.ts'
import { cardBrandLabel } from '../../../domain/money/payment.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
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

export const paymentStatusTones: Record<Status, BadgeTone> = {
  pending: 'green',
  processing: 'yellow',
  succeeded: 'green',
  failed: 'red',
  canceled: 'neutral',
  refunded: 'neutral',
  disputed: 'neutral',
  returned: 'red',
}

export function PaymentStatusBadge({ status }: { status: Status }) {
  return (
    // The longest label wraps to two lines in a narrow table.
    <Badge tone={paymentStatusTones[status]} className="whitespace-normal!">
      {paymentStatusLabels[status]}
    </Badge>
  )
}
