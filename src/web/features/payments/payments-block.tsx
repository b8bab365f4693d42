import { CreditCard } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { api, type Outputs } from '../../api/api.ts'
import { paths } from '../../routing/paths.ts'
import { useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BalanceSummary } from './balance-summary.tsx'
import { balanceOf, type OwingApplication, type PaymentView } from './payment-view.ts'
import { RecentPayments } from './recent-payments.tsx'

type Application = Outputs['applications']['get']['application']

type PaymentsBlockProps = { application: Application; limit: number }

/** The tenant's payments of an application: what is owed, and the newest of what was paid. */
export function PaymentsBlock(props: PaymentsBlockProps) {
  // An admin who looks at a tenant's screen has the payments in the back office.
  return useUser().role === 'tenant' && <OwnPayments {...props} />
}

function OwnPayments({ application, limit }: PaymentsBlockProps) {
  const { id, status, leaseGenerated } = application
  const query = api.payments.history.useQuery({ applicationId: id }, { refetchInterval: 15_000 })
  const isSettled =
    leaseGenerated &&
    query.data !== undefined &&
    balanceOf(application, query.data.payments).balanceCents <= 0
  const canPay = status !== 'rejected' && !isSettled
  return (
    <Card aria-label="Payments">
      <CardHeader
        title="Payments"
        action={
          canPay && (
            <Button size="sm" asChild>
              <Link href={paths.payment(id)}>
                <CreditCard aria-hidden />
                Make a Payment
              </Link>
            </Button>
          )
        }
      />
      <CardBody>
        <QueryView
          query={query}
          loading={<Skeleton className="h-32 w-full" />}
          error="Failed to load payment history"
        >
          {({ payments }) => (
            <PaymentsOverview
              application={application}
              payments={payments}
              limit={limit}
              all={<Link href={paths.paymentHistory(id)}>View All Payments</Link>}
            />
          )}
        </QueryView>
      </CardBody>
    </Card>
  )
}

type PaymentsOverviewProps = {
  application: OwingApplication & {
    leaseStartDate: string | null
    leaseEndDate: string | null
    rentalAmount: number | null
  }
  payments: readonly PaymentView[]
  limit: number
  /** The link to all of them, shown when there are more than the limit. */
  all: ReactNode
}

/** Summary and newest payments of an application, for whoever looks at it. */
export function PaymentsOverview({ application, payments, limit, all }: PaymentsOverviewProps) {
  return (
    <div className="grid gap-5">
      <BalanceSummary balance={balanceOf(application, payments)} terms={application} />
      {payments.length === 0 ? (
        <p className="text-muted">No payments yet.</p>
      ) : (
        <RecentPayments payments={payments.slice(0, limit)} />
      )}
      {payments.length > limit && (
        <Button variant="secondary" size="sm" className="justify-self-start" asChild>
          {all}
        </Button>
      )}
    </div>
  )
}
