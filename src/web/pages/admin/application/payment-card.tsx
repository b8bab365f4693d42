import { EllipsisVertical, Plus } from 'lucide-react'
import { Link } from 'wouter'
import { formatMomentDate } from '../../../../domain/dates.ts'
import { paymentTypeLabels } from '../../../../domain/ledger.ts'
import { formatCents } from '../../../../domain/money.ts'
import type { Site } from '../../../api/site.ts'
import { BalanceSummary } from '../../../features/payments/balance-summary.tsx'
import { PaymentStatusBadge } from '../../../features/payments/payment-status-badge.tsx'
import { paidWith } from '../../../features/payments/payment-table.tsx'
import { balanceOf, paymentMoment, refundedCents } from '../../../features/payments/payment-view.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'
import {
  type Application,
  type OpenModal,
  type Payment,
  refundableCents,
  usePayments,
} from './application-data.ts'
import { useSendReceipt } from './send-receipt.ts'

type PaymentCardProps = { application: Application; site: Site; open: OpenModal }

/** The first of the recent payments; the rest is on the tenant's history. */
const shownPayments = 5

export function PaymentCard({ application, site, open }: PaymentCardProps) {
  const query = usePayments(application)
  return (
    <Card aria-label="Payment Information">
      <CardHeader
        title="Payment Information"
        action={
          <>
            <Button size="sm" variant="secondary" onClick={() => open({ kind: 'manual-payment' })}>
              <Plus aria-hidden />
              Add Manual Payment
            </Button>
            <Button size="sm" variant="secondary" onClick={() => open({ kind: 'transfer' })}>
              Transfer Amount
            </Button>
            <Button size="sm" variant="secondary" onClick={() => open({ kind: 'give-back' })}>
              Give Money Back
            </Button>
          </>
        }
      />
      <CardBody>
        <QueryView query={query} loading="Loading payments..." error="Failed to load payment history">
          {({ payments }) => (
            <div className="grid gap-5">
              <Summary application={application} payments={payments} open={open} />
              {payments.length === 0 ? (
                <EmptyState
                  title="No payments found"
                  hint="Card payments appear automatically. Record checks, cash and bank transfers by hand."
                  className="py-4"
                />
              ) : (
                <PaymentsTable
                  payments={payments.slice(0, shownPayments)}
                  timeZone={site.timeZone}
                  open={open}
                />
              )}
              <Link
                href={paths.adminPaymentHistory(application.userId.id)}
                state={{
                  tenantId: application.userId.id,
                  tenantName: `${application.firstName} ${application.lastName}`,
                }}
                className="link justify-self-start"
              >
                {payments.length > shownPayments
                  ? `View all ${payments.length} payments`
                  : 'View payment history'}
              </Link>
            </div>
          )}
        </QueryView>
      </CardBody>
    </Card>
  )
}

type SummaryProps = { application: Application; payments: readonly Payment[]; open: OpenModal }

function Summary({ application, payments, open }: SummaryProps) {
  const balance = balanceOf(application, payments)
  const paidText = formatCents(balance.paidCents)
  return (
    <>
      <BalanceSummary balance={balance} />
      {application.status === 'rejected' && balance.paidCents > 0 && (
        <Notice
          tone="warning"
          title={`Declined, but ${paidText} of the tenant’s money is still here`}
          action={
            <Button size="sm" variant="secondary" onClick={() => open({ kind: 'money-back' })}>
              Give it back
            </Button>
          }
        />
      )}
    </>
  )
}

type PaymentsTableProps = { payments: readonly Payment[]; timeZone: string; open: OpenModal }

function PaymentsTable({ payments, timeZone, open }: PaymentsTableProps) {
  const columns: Column<Payment>[] = [
    {
      key: 'type',
      header: 'Payment Type',
      hideLabelOnCard: true,
      cell: payment => (
        <>
          <span className="font-semibold text-navy">{paymentTypeLabels[payment.paymentType]}</span>
          <span className="block max-w-64 text-sm wrap-anywhere text-muted">{detailOf(payment)}</span>
        </>
      ),
    },
    {
      key: 'date',
      header: 'Date',
      className: 'sm:whitespace-nowrap',
      cell: payment => formatMomentDate(paymentMoment(payment), timeZone),
    },
    {
      key: 'amount',
      header: 'Amount',
      align: 'right',
      cell: payment => (
        <>
          <span className="block">{formatCents(payment.amount)}</span>
          {payment.feeAmount > 0 && (
            <span className="block text-sm whitespace-nowrap text-muted">
              + {formatCents(payment.feeAmount)} fee
            </span>
          )}
          {refundedCents(payment) > 0 && (
            <span className="block text-sm whitespace-nowrap text-muted">
              {formatCents(refundedCents(payment))} refunded
            </span>
          )}
        </>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      cell: payment => <PaymentStatusBadge status={payment.status} />,
    },
    {
      key: 'actions',
      header: 'Actions',
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
      className="sm:-mx-3"
    />
  )
}

function detailOf(payment: Payment): string {
  const how = { card: 'Card', manual: 'By hand', transfer: 'Transfer' }[payment.method]
  const known = payment.cardLast4 ? paidWith(payment) : [how, paidWith(payment)].filter(Boolean).join(', ')
  return [known, payment.description, payment.notes].filter(Boolean).join(' · ')
}

function PaymentMenu({ payment, open }: { payment: Payment; open: OpenModal }) {
  const sendReceipt = useSendReceipt()
  const canRefund = refundableCents(payment) > 0
  const hasReceipt = payment.status === 'succeeded' && payment.amount > 0
  const what = `${paymentTypeLabels[payment.paymentType]} of ${formatCents(payment.amount)}`
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${what}`} className="-my-1.5">
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
    >
      {canRefund && <MenuItem onSelect={() => open({ kind: 'refund', payment })}>Refund to card</MenuItem>}
      {hasReceipt && <MenuItem onSelect={() => sendReceipt(payment)}>Send receipt</MenuItem>}
      {(canRefund || hasReceipt) && <MenuSeparator />}
      <MenuItem danger onSelect={() => open({ kind: 'remove-payment', payment })}>
        Delete
      </MenuItem>
    </Menu>
  )
}
