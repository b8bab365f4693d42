import type { ReactNode } from 'react'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { paymentTypeLabels } from '../../../domain/money/ledger.ts'
import { shortTransactionId } from '../../../domain/money/payment.ts'
import { classNames } from '../../ui/class-names.ts'
import { StatCard } from '../../ui/stat-card.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { useTimeZone } from '../stays/today.ts'
import { PaymentAmount, PaymentStatus, paidWith } from './payment-cells.tsx'
import { hasReceipt, type PaymentView, paymentTime } from './payment-view.ts'
import { ReceiptLink } from './receipt-button.tsx'

/** A table of payments, with the columns in `more` at the end. */
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
    {
      key: 'type',
      header: 'Payment Type',
      cell: payment => <TypeCell payment={payment} />,
      ...onCard('max-sm:col-start-1 max-sm:row-start-1'),
    },
    {
      key: 'date',
      header: 'Date',
      cell: payment => formatMomentDate(paymentTime(payment), timeZone),
      ...onCard('whitespace-nowrap max-sm:col-start-1 max-sm:row-start-2'),
    },
    {
      key: 'amount',
      header: 'Amount',
      align: 'right',
      cell: payment => <PaymentAmount payment={payment} />,
      ...onCard('max-sm:col-start-2 max-sm:row-start-1 max-sm:justify-end! max-sm:text-right'),
    },
    {
      key: 'status',
      header: 'Status',
      cell: payment => <PaymentStatus payment={payment} />,
      ...onCard('max-sm:col-start-2 max-sm:row-start-2 max-sm:justify-end! max-sm:text-right'),
    },
    {
      key: 'transaction',
      header: 'Transaction ID',
      cell: payment => <Reference payment={payment} />,
      ...onCard('max-sm:[&>div]:grow'),
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
      className="max-sm:[&_tbody>tr]:grid max-sm:[&_tbody>tr]:grid-cols-[minmax(0,1fr)_auto] max-sm:[&_tbody>tr]:gap-x-4 max-sm:[&_td:nth-child(n+5)]:col-span-full"
    />
  )
}

/** On a phone a payment has three lines: type and amount, date and status, reference. */
const onCard = (className: string) => ({ hideLabelOnCard: true, className })

/** The transaction id and the receipt; a phone's card omits them if there is no id. */
function Reference({ payment }: { payment: PaymentView }) {
  const reference = payment.stripePaymentIntentId
  return (
    <span className="flex items-center gap-2">
      <span className={classNames('tabular-nums', !reference && 'max-sm:hidden')}>
        <span className="mr-3 text-[0.9375rem] text-muted sm:hidden">Transaction ID</span>
        {shortTransactionId(reference)}
      </span>
      {hasReceipt(payment) && <ReceiptLink payment={payment} />}
    </span>
  )
}

function TypeCell({ payment }: { payment: PaymentView }) {
  const paid = paidWith(payment)
  const number = payment.applicationId?.applicationNumber
  return (
    <>
      <span className="font-semibold text-navy">{paymentTypeLabels[payment.paymentType]}</span>
      {(paid || number) && (
        <span className="block text-sm text-muted">
          {paid}
          {paid && number && ' · '}
          <span className="whitespace-nowrap">{number}</span>
        </span>
      )}
      {payment.description && (
        <span className="block text-sm wrap-anywhere text-muted">{payment.description}</span>
      )}
    </>
  )
}

/** The totals. Only money that was received and kept counts: pending, failed and refunded payments add nothing. */
export function PaymentTotals({ payments }: { payments: readonly PaymentView[] }) {
  const totalCents = payments.reduce((sum, payment) => sum + payment.creditedAmount, 0)
  const successful = payments.filter(({ status }) => status === 'succeeded').length
  return (
    <div className="grid grid-cols-3 gap-2 sm:gap-4">
      <Total label="Total Payments" value={payments.length} />
      <Total label="Total Amount" value={formatCents(totalCents)} />
      <Total label="Successful" value={successful} />
    </div>
  )
}

/** Small enough to fit three in a row on a phone. */
function Total({ label, value }: { label: string; value: ReactNode }) {
  return (
    <StatCard
      className="max-sm:p-3"
      label={<span className="max-sm:block max-sm:min-h-[2lh]">{label}</span>}
      value={<span className="max-sm:text-base">{value}</span>}
    />
  )
}
