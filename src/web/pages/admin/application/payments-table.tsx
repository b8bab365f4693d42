import { EllipsisVertical } from 'lucide-react'
import { formatMomentDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { paymentTypeLabels } from '../../../../domain/money/ledger.ts'
import { api } from '../../../api/api.ts'
import { PaymentStatus, paidWith } from '../../../features/payments/payment-cells.tsx'
import { paymentTime, refundedNote } from '../../../features/payments/payment-view.ts'
import { useTimeZone } from '../../../features/stays/today.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast.ts'
import {
  isBankPayment,
  type OpenModal,
  type Payment,
  refundableCents,
  refundLabel,
} from './application-data.ts'
import { moneyCardClass } from './layout.ts'
import { ModalItem } from './modal-button.tsx'

type PaymentsTableProps = { payments: readonly Payment[]; open: OpenModal }

/** The recent payments of an application, each with a menu of its possible actions. */
export function PaymentsTable({ payments, open }: PaymentsTableProps) {
  const timeZone = useTimeZone()
  const columns: Column<Payment>[] = [
    {
      key: 'type',
      header: 'Payment Type',
      cell: payment => (
        <>
          <span className="font-semibold text-navy">{paymentTypeLabels[payment.paymentType]}</span>
          <span className="block max-w-64 text-sm wrap-anywhere text-muted sm:min-w-38">
            {detailOf(payment)}
          </span>
        </>
      ),
    },
    {
      key: 'amount',
      header: 'Amount',
      align: 'right',
      cell: payment => <Amount payment={payment} />,
    },
    {
      key: 'date',
      header: 'Date',
      className: 'sm:whitespace-nowrap',
      cell: payment => formatMomentDate(paymentTime(payment), timeZone),
    },
    {
      key: 'status',
      header: 'Status',
      cell: payment => <PaymentStatus payment={payment} />,
    },
    {
      key: 'actions',
      header: 'Actions',
      className: 'sm:w-16',
      cell: payment => <PaymentMenu payment={payment} open={open} />,
    },
  ]
  return (
    <DataTable
      dense
      caption="Recent payments"
      columns={columns}
      rows={payments}
      rowKey={({ id }) => id}
      cardClassName={moneyCardClass}
      className="sm:-mx-4"
    />
  )
}

function Amount({ payment }: { payment: Payment }) {
  const refunded = refundedNote(payment)
  const noteClass = 'block text-sm whitespace-nowrap text-muted'
  return (
    <>
      <span className="block">{formatCents(payment.amount)}</span>
      {payment.feeAmount > 0 && <span className={noteClass}>+ {formatCents(payment.feeAmount)} fee</span>}
      {refunded && <span className={noteClass}>{refunded}</span>}
    </>
  )
}

function detailOf(payment: Payment): string {
  const method = { card: 'Card', manual: 'By hand', transfer: 'Transfer' }[payment.method]
  const paid =
    payment.cardLast4 || isBankPayment(payment)
      ? paidWith(payment)
      : [method, paidWith(payment)].filter(Boolean).join(', ')
  return [paid, payment.description, payment.notes].filter(Boolean).join(' · ')
}

function PaymentMenu({ payment, open }: { payment: Payment; open: OpenModal }) {
  const sendReceipt = api.payments.resendReceipt.useMutation({
    onSuccess: () => toast.success('Receipt is on its way', `To ${payment.userId.email}`),
    onError: error => toastFailure(error, 'Failed to send email receipt'),
  })
  const canRefund = refundableCents(payment) > 0
  const hasReceipt = payment.status === 'succeeded' && payment.amount > 0
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for ${paymentTypeLabels[payment.paymentType]} of ${formatCents(payment.amount)}`}
          className="-my-1.5"
        >
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
    >
      {canRefund && (
        <ModalItem open={open} modal={{ kind: 'card-refund', payment }}>
          {refundLabel(payment)}
        </ModalItem>
      )}
      {hasReceipt && (
        <MenuItem onSelect={() => sendReceipt.mutate({ paymentId: payment.id })}>Send receipt</MenuItem>
      )}
      {(canRefund || hasReceipt) && <MenuSeparator />}
      <ModalItem danger open={open} modal={{ kind: 'remove-payment', payment }}>
        Delete
      </ModalItem>
    </Menu>
  )
}
