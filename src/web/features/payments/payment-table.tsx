import { formatMomentDate } from '../../../domain/dates.ts'
import { paymentTypeLabels } from '../../../domain/ledger.ts'
import { formatCents } from '../../../domain/money.ts'
import { cardBrandLabel, shortTransactionId } from '../../../domain/payment.ts'
import { type Column, DataTable } from '../../ui/table.tsx'
import { useTimeZone } from '../stays/today.ts'
import { PaymentStatusBadge } from './payment-status-badge.tsx'
import { hasReceipt, type PaymentView, paymentMoment, refundedCents } from './payment-view.ts'
import { ReceiptIconButton } from './receipt-button.tsx'

/** Payments in columns, `more` after them. */
export function PaymentTable<Payment extends PaymentView>({
  payments,
  caption = 'Payments',
  more = [],
  dense = false,
}: {
  payments: readonly Payment[]
  caption?: string
  more?: readonly Column<Payment>[]
  dense?: boolean
}) {
  const timeZone = useTimeZone()
  const columns: Column<Payment>[] = [
    { key: 'type', header: 'Payment Type', cell: payment => <TypeCell payment={payment} /> },
    {
      key: 'date',
      header: 'Date',
      cell: payment => formatMomentDate(paymentMoment(payment), timeZone),
      className: 'whitespace-nowrap',
    },
    { key: 'amount', header: 'Amount', align: 'right', cell: payment => <PaymentAmount payment={payment} /> },
    { key: 'status', header: 'Status', cell: payment => <PaymentStatusBadge status={payment.status} /> },
    {
      key: 'transaction',
      header: 'Transaction ID',
      cell: payment => (
        <span className="inline-flex items-center gap-2">
          <span className="tabular-nums">{shortTransactionId(payment.stripePaymentIntentId)}</span>
          {hasReceipt(payment) && <ReceiptIconButton payment={payment} />}
        </span>
      ),
    },
    ...more,
  ]
  return (
    <DataTable
      columns={columns}
      rows={payments}
      rowKey={payment => payment.id}
      caption={caption}
      dense={dense}
    />
  )
}

function TypeCell({ payment }: { payment: PaymentView }) {
  const detail = [paidWith(payment), payment.applicationId?.applicationNumber].filter(Boolean).join(' · ')
  return (
    <>
      <span className="font-semibold text-navy">{paymentTypeLabels[payment.paymentType]}</span>
      {detail && <span className="block text-sm text-muted">{detail}</span>}
      {payment.description && (
        <span className="block text-sm wrap-anywhere text-muted">{payment.description}</span>
      )}
    </>
  )
}

/** `Visa •••• 4242`, or the check's number; empty where neither is known. */
export function paidWith(payment: Pick<PaymentView, 'cardBrand' | 'cardLast4' | 'checkNumber'>): string {
  if (payment.cardLast4) return `${cardBrandLabel(payment.cardBrand ?? 'card')} •••• ${payment.cardLast4}`
  return payment.checkNumber && `Check ${payment.checkNumber}`
}

/** The amount, with the card fee and what was refunded. */
export function PaymentAmount({ payment }: { payment: PaymentView }) {
  const refunded = refundedCents(payment)
  return (
    <>
      <span className="font-semibold text-navy tabular-nums">{formatCents(payment.amount)}</span>
      {payment.feeAmount > 0 && (
        <span className="block text-sm whitespace-nowrap text-muted">
          + {formatCents(payment.feeAmount)} card fee
        </span>
      )}
      {refunded > 0 && (
        <span className="block text-sm whitespace-nowrap text-muted">{formatCents(refunded)} refunded</span>
      )}
    </>
  )
}
