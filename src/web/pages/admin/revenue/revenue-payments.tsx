import { useState } from 'react'
import { Link } from 'wouter'
import { formatMomentDate } from '../../../../domain/common/dates.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { paymentTypeLabels } from '../../../../domain/money/ledger.ts'
import { newestRevenuePayments } from '../../../../domain/money/payment.ts'
import { describeReturned } from '../../../../domain/money/revenue.ts'
import type { Outputs } from '../../../api/api.ts'
import { PaymentAmount } from '../../../features/payments/payment-cells.tsx'
import { useTimeZone } from '../../../features/stays/today.ts'
import { paths } from '../../../routing/paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'

type RevenueSummary = Outputs['payments']['revenueSummary']
type Payment = RevenueSummary['payments'][number]
const shownAtFirst = 10

export function RevenuePayments({
  payments,
  period,
  summary,
  revenueByType,
}: RevenueSummary & { period: string }) {
  const [showsAll, setShowsAll] = useState(false)
  const returned = describeReturned(revenueByType)
  return (
    <Card aria-label="Recent Payments">
      <CardHeader
        className="max-sm:px-4"
        title="Recent Payments"
        subtitle={
          payments.length > 0 &&
          `${period}: ${[plural(summary.paymentCount, 'payment'), ...returned].join(', ')}`
        }
      />
      {payments.length === 0 ? (
        <CardBody className="text-muted">No payments in this period.</CardBody>
      ) : (
        <div className="max-sm:pb-2">
          <DataTable
            dense
            joined
            // On a phone: name and amount, then type and date.
            cardClassName="max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:gap-x-4 max-sm:[&>td]:py-0.5"
            caption="Recent payments"
            columns={columns}
            rows={showsAll ? payments : payments.slice(0, shownAtFirst)}
            rowKey={({ id }) => id}
          />
          {payments.length > shownAtFirst && (
            <Button
              variant="ghost"
              size="sm"
              className="my-2 mx-1 sm:mx-3"
              aria-expanded={showsAll}
              onClick={() => setShowsAll(!showsAll)}
            >
              {showsAll
                ? 'Show fewer'
                : showMore(payments.length, returned.length > 0 ? 'entries' : 'payments')}
            </Button>
          )}
        </div>
      )}
    </Card>
  )
}

const columns: readonly Column<Payment>[] = [
  {
    key: 'application',
    header: 'Application or customer',
    hideLabelOnCard: true,
    className: 'max-sm:-order-1',
    cell: payment => <WhoCell payment={payment} />,
  },
  {
    key: 'type',
    header: 'Type',
    hideLabelOnCard: true,
    className: 'max-sm:text-[0.9375rem] max-sm:text-muted',
    cell: payment => paymentTypeLabels[payment.paymentType],
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    hideLabelOnCard: true,
    className: 'max-sm:-order-1 max-sm:justify-end max-sm:text-right max-sm:[&_.block]:hidden',
    cell: payment => <PaymentAmount payment={payment} />,
  },
  {
    key: 'date',
    header: 'Date',
    align: 'right',
    hideLabelOnCard: true,
    className: 'whitespace-nowrap max-sm:justify-end max-sm:text-[0.9375rem] max-sm:text-muted',
    cell: ({ paidAt }) => <PaidOn moment={paidAt} />,
  },
]

function PaidOn({ moment }: { moment: Payment['paidAt'] }) {
  const timeZone = useTimeZone()
  return moment ? formatMomentDate(moment, timeZone) : 'N/A'
}

const showMore = (count: number, noun: 'payments' | 'entries'): string =>
  count < newestRevenuePayments ? `Show all ${count} ${noun}` : `Show the newest ${count} ${noun}`

function WhoCell({ payment: { applicationId, userId } }: { payment: Payment }) {
  if (applicationId) {
    return (
      <>
        <Link href={paths.adminApplication(applicationId.id)} className="wrap-anywhere link">
          {applicationId.firstName} {applicationId.lastName}
        </Link>
        <span className="block text-sm text-muted max-sm:hidden">{applicationId.applicationNumber}</span>
      </>
    )
  }
  return (
    <>
      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link href={paths.adminPaymentHistory(userId.id)} className="wrap-anywhere link">
          {userId.firstName} {userId.lastName}
        </Link>
        <Badge tone="yellow">Unlinked</Badge>
      </span>
      <span className="block text-sm wrap-anywhere text-muted">{userId.email}</span>
    </>
  )
}
