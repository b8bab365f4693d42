import { ArrowLeft, ReceiptText } from 'lucide-react'
import { Link, useSearchParams } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { api, type Outputs } from '../../../api/api.ts'
import { paidWith } from '../../../features/payments/payment-cells.tsx'
import { PaymentTable, PaymentTotals } from '../../../features/payments/payment-table.tsx'
import { paths } from '../../../routing/paths.ts'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

type Payment = Outputs['payments']['adminHistory']['payments'][number]

/** `?applicationId=` filters by application. */
export function AdminPaymentHistoryPage({ userId }: { userId: string }) {
  const [search] = useSearchParams()
  const applicationId = search.get('applicationId') || undefined
  const query = api.payments.adminHistory.useQuery({ userId, applicationId })
  return (
    <Page
      title="Payment history"
      subtitle={applicationId ? 'Payments for one application of this tenant' : 'All payments of this tenant'}
      back={
        <Link href={paths.adminDashboard} className="inline-flex min-h-9 items-center gap-1.5 link">
          <ArrowLeft aria-hidden className="size-4" />
          Back to Admin Dashboard
        </Link>
      }
    >
      <div className="grid gap-5 *:min-w-0">
        <TenantCard userId={userId} email={query.data?.payments[0]?.userId.email} />
        <QueryView
          query={query}
          loading={<Skeleton className="h-96 w-full rounded-card" />}
          error="Failed to load payment history"
        >
          {({ payments }) => (
            <>
              <PaymentTotals payments={payments} />
              <Card aria-label="Payments">
                {payments.length === 0 ? (
                  <EmptyState icon={<ReceiptText />} title="No payments found" />
                ) : (
                  <div className="max-sm:p-3">
                    <PaymentTable
                      payments={payments}
                      caption="Payments of this tenant"
                      detail={payment => <Detail payment={payment} />}
                      dense
                    />
                  </div>
                )}
              </Card>
            </>
          )}
        </QueryView>
        {applicationId && (
          <Link href={paths.adminPaymentHistory(userId)} className="justify-self-start link">
            Show all payments of this tenant
          </Link>
        )}
      </div>
    </Page>
  )
}

/** Below the type: how it was paid, the application, and the notes. */
function Detail({ payment }: { payment: Payment }) {
  const { applicationId: application, description, notes } = payment
  const paid = paidWith(payment)
  return (
    <>
      {paid && `${paid}\u2002`}
      {application ? (
        <Link href={paths.adminApplication(application.id)} className="whitespace-nowrap max-lg:block link">
          {application.applicationNumber}
        </Link>
      ) : (
        'Unlinked'
      )}
      {description && <span className="block">{description}</span>}
      {notes && <span className="block">{notes}</span>}
    </>
  )
}

/** The tenant's name, if the application page has passed it in the navigation state. */
function nameIn(state: unknown, userId: string): string | undefined {
  if (typeof state !== 'object' || state === null) return undefined
  if (!('tenantId' in state) || state.tenantId !== userId || !('tenantName' in state)) return undefined
  return typeof state.tenantName === 'string' ? state.tenantName : undefined
}

function TenantCard({ userId, email }: { userId: string; email: string | undefined }) {
  const passedName = nameIn(useHistoryState(), userId)
  const query = api.accounts.getUser.useQuery({ userId }, { enabled: passedName === undefined })
  const user = query.data?.user
  const name = passedName ?? (user && `${user.firstName} ${user.lastName}`)
  const fallback = query.isError ? 'Could not be loaded' : 'Loading...'
  const address = email ?? user?.email
  return (
    <Card
      aria-label="Tenant"
      className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-3.5 wrap-anywhere sm:px-5"
    >
      <h2 className="text-lg font-semibold text-navy">{name ?? fallback}</h2>
      {address && (
        <a href={`mailto:${address}`} className="link">
          {address}
        </a>
      )}
    </Card>
  )
}
