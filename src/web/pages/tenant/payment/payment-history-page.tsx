import { CreditCard, ReceiptText } from 'lucide-react'
import { Link, useSearchParams } from 'wouter'
import { formatShortDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { api } from '../../../api/api.ts'
import { OnItsWay } from '../../../features/payments/balance-summary.tsx'
import { PaymentTable, PaymentTotals } from '../../../features/payments/payment-table.tsx'
import { BackToApplication } from '../../../routing/back-link.tsx'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { shownApplications, usePlan, useRestDue } from './pay-target.ts'

export function PaymentHistoryPage() {
  const [search] = useSearchParams()
  const applicationId = search.get('applicationId') || undefined
  const query = api.payments.history.useQuery({ applicationId })
  // The list would move when the amount above it takes another row.
  const { isLoading } = useOwed(applicationId)
  const number = query.data?.payments.find(payment => payment.applicationId)?.applicationId?.applicationNumber
  return (
    <Page
      title="Payment history"
      subtitle={applicationId && `Payments for ${number ?? 'this application'}`}
      back={<BackToApplication id={applicationId} />}
      action={<Owed applicationId={applicationId} />}
    >
      <QueryView
        query={isLoading ? { ...query, data: undefined, isError: false } : query}
        loading={<Skeleton className="h-96 w-full rounded-card" />}
        error="Failed to load payment history"
        empty={({ payments }) =>
          payments.length === 0 && (
            <Card>
              <EmptyState icon={<ReceiptText />} title="No payments found" />
            </Card>
          )
        }
      >
        {({ payments }) => (
          <div className="grid gap-6 *:min-w-0">
            <PaymentTotals payments={payments} />
            <Card aria-label="Payments" className="max-sm:border-0 max-sm:bg-transparent max-sm:shadow-none">
              <PaymentTable payments={payments} caption="Payment history" dense />
            </Card>
          </div>
        )}
      </QueryView>
    </Page>
  )
}

/** What is owed, and how much of it is overdue; unknown if several bookings owe, each with its own plan. */
function useOwed(applicationId: string | undefined) {
  const { data, isLoading } = api.payments.options.useQuery()
  const shown = data ? shownApplications(data, applicationId) : []
  const owing = shown.filter(({ balance }) => balance.balanceCents > 0)
  const only = owing.length === 1 ? owing[0] : undefined
  const plan = usePlan(only?.id)
  const overdue = plan.data?.instalments.filter(({ state }) => state === 'overdue') ?? []
  return {
    shown,
    isLoading: isLoading || plan.isLoading,
    hasFailed: !data,
    overdueCents: overdue.reduce((sum, { openCents }) => sum + openCents, 0),
    restDue: useRestDue(only),
    since: overdue.flatMap(({ dueDate }) => dueDate ?? []).sort()[0],
  }
}

/** The outstanding balance, with a button to pay it. */
function Owed({ applicationId }: { applicationId: string | undefined }) {
  const { hasFailed, isLoading, overdueCents, restDue, shown, since } = useOwed(applicationId)
  if (isLoading) return <Skeleton className="h-11 w-72 max-w-full" />
  if (hasFailed) return null
  const owedCents = shown.reduce((sum, { balance }) => sum + Math.max(0, balance.balanceCents), 0)
  const onItsWayCents = shown.reduce((sum, application) => sum + application.onItsWayCents, 0)
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-6 gap-y-3">
      {owedCents > 0 ? (
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-muted">Amount owed</span>
          <span className={`text-xl font-semibold tabular-nums ${since ? 'text-red' : 'text-navy'}`}>
            {formatCents(owedCents)}
          </span>
          {since && (
            <span className="text-red">
              {overdueCents < owedCents && `${formatCents(overdueCents)} `}
              overdue since {formatShortDate(since)}
            </span>
          )}
          {restDue && <span className="text-muted">{restDue}</span>}
        </p>
      ) : (
        <p className="text-muted">Nothing is owed now.</p>
      )}
      <OnItsWay balanceCents={owedCents} onItsWayCents={onItsWayCents} />
      {owedCents > onItsWayCents && (
        <Button asChild>
          <Link href={paths.payment(applicationId)}>
            <CreditCard aria-hidden />
            Make a payment
          </Link>
        </Button>
      )}
    </div>
  )
}
