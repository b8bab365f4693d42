import { formatCents } from '../../../domain/common/money.ts'
import { paymentStatusLabels, type PaymentStatus as Status } from '../../../domain/money/ledger.ts'
import { cardBrandLabel } from '../../../domain/money/payment.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { type PaymentView, refundedNote, statusNote } from './payment-view.ts'

/** The status of a payment, and a note about it. */
export function PaymentStatus({ payment }: { payment: PaymentView }) {
  const note = statusNote(payment)
  return (
    <>
      <PaymentStatusBadge payment={payment} />
      {note && <span className="mt-0.5 block text-sm wrap-anywhere text-muted">{note}</span>}
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

type StatusProps = { payment: Pick<PaymentView, 'paymentType' | 'status'> }

export function PaymentStatusBadge({ payment: { paymentType, status } }: StatusProps) {
  const isReturn = paymentType === 'refund' || paymentType === 'deposit_return'
  return (
    // The longest label wraps to two lines in a narrow table.
    <Badge tone={paymentStatusTones[status]} className="whitespace-normal!">
      {/* As a deposit and a cancellation say it. */}
      {isReturn && status === 'succeeded' ? 'Returned' : paymentStatusLabels[status]}
    </Badge>
  )
}

/**
 * Where the cells of a table of money stand on a phone's card: name and amount, date and state, then whole lines; a menu
 * beside the first two.
 */
export const moneyCard = {
  card: 'max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto_auto] max-sm:items-start',
  what: 'max-sm:col-start-1 max-sm:row-start-1',
  amount: 'max-sm:col-start-2 max-sm:pl-4 max-sm:row-start-1 max-sm:justify-end! max-sm:text-right',
  date: 'max-sm:col-start-1 max-sm:row-start-2',
  status: 'max-sm:col-start-2 max-sm:pl-4 max-sm:row-start-2 max-sm:justify-end! max-sm:text-right',
  line: 'max-sm:col-span-full',
  menu: 'max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1 max-sm:-mr-3 max-sm:min-w-10 sm:w-16',
} as const
