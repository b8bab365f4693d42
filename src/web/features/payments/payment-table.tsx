import type { ReactNode } from 'react'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { shortTransactionId } from '../../../domain/money/payment.ts'
import { classNames } from '../../ui/class-names.ts'
import { StatCard } from '../../ui/stat-card.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { useTimeZone } from '../stays/today.ts'
import { type ChargeView, paymentLabel } from './charge-view.ts'
import { moneyCard, PaymentAmount, PaymentStatus, paidWith } from './payment-cells.tsx'
import { hasReceipt, isUnfinished, type PaymentView, paymentTime } from './payment-view.ts'
import { ReceiptLink } from './receipt-button.tsx'

type Key = 'type' | 'date' | 'amount' | 'status' | 'transaction' | 'receipt'

type PaymentTableProps<Payment> = {
  payments: readonly Payment[]
  /** The charges that they pay, if they are of one booking. */
  charges?: readonly ChargeView[]
  caption?: string
  columns?: readonly Key[]
  /** Replaces the line below the type. */
  detail?: (payment: Payment) => ReactNode
  /** Columns before and after the others. */
  first?: readonly Column<Payment>[]
  more?: readonly Column<Payment>[]
  dense?: boolean
  className?: string
}

const allColumns = ['type', 'date', 'amount', 'status', 'transaction', 'receipt'] as const

/** A table of payments; each is a card with few lines on a phone. */
export function PaymentTable<Payment extends PaymentView>({
  payments,
  charges = [],
  caption = 'Payments',
  columns = allColumns,
  detail,
  first = [],
  more = [],
  dense = false,
  className,
}: PaymentTableProps<Payment>) {
  const timeZone = useTimeZone()
  const known: Record<Key, Omit<Column<Payment>, 'key' | 'hideLabelOnCard'>> = {
    type: {
      header: 'Payment Type',
      cell: payment => <TypeCell payment={payment} charges={charges} detail={detail?.(payment)} />,
      className: moneyCard.what,
    },
    date: {
      header: 'Date',
      cell: payment => formatMomentDate(paymentTime(payment), timeZone),
      className: `whitespace-nowrap ${moneyCard.date}`,
    },
    amount: {
      header: 'Amount',
      align: 'right',
      cell: payment => <PaymentAmount payment={payment} />,
      className: moneyCard.amount,
    },
    status: {
      header: 'Status',
      cell: payment => <PaymentStatus payment={payment} />,
      className: moneyCard.status,
    },
    transaction: {
      header: 'Transaction ID',
      cell: ({ stripePaymentIntentId: id }) => (
        <span className={classNames('text-[0.9375rem] tabular-nums', !id && 'max-sm:hidden')}>
          <span className="mr-3 text-muted sm:hidden">Transaction ID</span>
          {shortTransactionId(id)}
        </span>
      ),
      className: 'max-sm:col-start-1 max-sm:row-start-3',
    },
    receipt: {
      header: 'Receipt',
      cell: payment => hasReceipt(payment) && <ReceiptLink payment={payment} />,
      className: 'max-sm:col-start-2 max-sm:row-start-3 max-sm:justify-end!',
    },
  }
  const shown = columns.map(key => ({ ...known[key], key, hideLabelOnCard: true }))
  return (
    <DataTable
      columns={[...first, ...shown, ...more]}
      rows={payments}
      rowKey={payment => payment.id}
      caption={caption}
      dense={dense}
      cardClassName={moneyCard.card}
      className={className}
    />
  )
}

type TypeCellProps = { payment: PaymentView; charges: readonly ChargeView[]; detail: ReactNode }

function TypeCell({ charges, detail, payment }: TypeCellProps) {
  const paid = paidWith(payment)
  const number = payment.applicationId?.applicationNumber
  return (
    <>
      <span className="font-semibold text-navy">{paymentLabel(payment.paymentType, charges)}</span>
      {detail !== undefined && (
        <span className="block max-w-64 text-sm wrap-anywhere text-muted sm:min-w-38">{detail}</span>
      )}
      {detail === undefined && (paid || number) && (
        <span className="block text-sm text-muted">
          {paid && `${paid}\u2002`}
          <span className="whitespace-nowrap max-lg:block">{number}</span>
        </span>
      )}
      {detail === undefined && payment.description && (
        <span className="block text-sm wrap-anywhere text-muted">{payment.description}</span>
      )}
    </>
  )
}

/** The totals. Only money that was received and kept counts; a checkout that was left is no payment. */
export function PaymentTotals({ payments }: { payments: readonly PaymentView[] }) {
  const totalCents = payments.reduce((sum, payment) => sum + payment.creditedAmount, 0)
  const successful = payments.filter(({ status }) => status === 'succeeded').length
  return (
    <div className="grid grid-cols-3 gap-2 sm:gap-4">
      <Total label="Total payments" value={payments.filter(payment => !isUnfinished(payment)).length} />
      <Total label="Total amount" value={formatCents(totalCents)} />
      <Total label="Successful" value={successful} />
    </div>
  )
}

/** Small enough to fit three in a row on a phone. */
function Total({ label, value }: { label: string; value: ReactNode }) {
  return (
    <StatCard
      className="max-sm:px-2.5 max-sm:py-3 max-sm:min-h-0 sm:min-h-0"
      label={
        <span className="max-sm:text-[0.8125rem] max-[374px]:block max-[374px]:min-h-[2lh]">{label}</span>
      }
      value={<span className="max-sm:text-base">{value}</span>}
    />
  )
}
