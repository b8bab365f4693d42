import { CreditCard } from 'lucide-react'
import { Link } from 'wouter'
import { isEnded } from '../../../domain/bookings/application-status.ts'
import { onItsWayCents } from '../../../domain/bookings/tenant-step.ts'
import { plural } from '../../../domain/common/plural.ts'
import { api, type Outputs } from '../../api/api.ts'
import { paths } from '../../routing/paths.ts'
import { useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { combineQueries } from '../../ui/combine-queries.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { isPhone } from '../../ui/is-phone.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BalanceSummary } from './balance-summary.tsx'
import type { ChargeSummary, ChargeView } from './charge-view.ts'
import { isUnfinished, type PaymentView } from './payment-view.ts'
import { isFolded, TenantPlan } from './plan-table.tsx'
import { RecentPayments } from './recent-payments.tsx'

type Application = Outputs['applications']['get']['application']
type Plan = Outputs['plans']['show']

const pollIntervalMs = 15_000

type PaymentsBlockProps = { application: Application; limit: number; isAsked: boolean }

/** What the tenant owes on an application, and the latest payments; `isAsked` says that the next step has the button. */
export function PaymentsBlock(props: PaymentsBlockProps) {
  // Admins see payments in the back office.
  return useUser().role === 'tenant' && <OwnPayments {...props} />
}

function OwnPayments({ application, isAsked, limit }: PaymentsBlockProps) {
  const { id, status } = application
  const history = api.payments.history.useQuery({ applicationId: id }, { refetchInterval: pollIntervalMs })
  const account = api.charges.list.useQuery({ applicationId: id }, { refetchInterval: pollIntervalMs })
  const plan = api.plans.show.useQuery({ applicationId: id }, { refetchInterval: pollIntervalMs })
  const query = combineQueries(combineQueries(history, account), plan)
  // Without a booking nothing is due.
  const isOver = isEnded(status)
  const canPay = !isOver && !isAsked && query.data && isAnythingLeft(query.data)
  return (
    <Card aria-label="Payments">
      <CardHeader
        title="Payments"
        action={
          canPay && (
            <Button variant="secondary" size="sm" asChild>
              <Link href={paths.payment(id)}>
                <CreditCard aria-hidden />
                Make a payment
              </Link>
            </Button>
          )
        }
      />
      <CardBody>
        <QueryView
          query={query}
          loading={<Skeleton className="h-32 w-full" />}
          error={errorOf({ account, history })}
        >
          {({ charges, instalments, payments, plan, summary }) => (
            <div className="grid gap-5">
              {(summary.label !== 'Nothing owed yet' || payments.length > 0) && (
                <BalanceSummary
                  summary={summary}
                  charges={charges}
                  onItsWayCents={onItsWayCents(payments)}
                  terms={application}
                  isOverdue={plan !== null && !isOver && instalments.some(({ state }) => state === 'overdue')}
                />
              )}
              {plan && !isOver && <PlanSection instalments={instalments} />}
              {payments.length === 0 ? (
                <p className="text-muted">
                  {summary.owedCents === 0 && `${summary.label}. `}No payments yet.
                </p>
              ) : plan && !isOver && instalments.some(isFolded) ? (
                <AllPayments id={id} />
              ) : isPhone() ? (
                <Disclosure summary={paymentCount(payments)}>
                  <Recent charges={charges} payments={payments} limit={limit} id={id} />
                </Disclosure>
              ) : (
                <>
                  {plan && <h3 className="-mb-2 font-semibold text-navy">Recent payments</h3>}
                  <Recent charges={charges} payments={payments} limit={limit} id={id} />
                </>
              )}
            </div>
          )}
        </QueryView>
      </CardBody>
    </Card>
  )
}

/** Unfinished checkouts are only mentioned if there is no other payment. */
function paymentCount(payments: readonly PaymentView[]): string {
  const made = payments.filter(payment => !isUnfinished(payment)).length
  return made > 0 ? plural(made, 'payment') : 'Started, not finished'
}

type RecentProps = {
  id: string
  charges: readonly ChargeView[]
  limit: number
  payments: readonly PaymentView[]
}

function Recent({ charges, id, limit, payments }: RecentProps) {
  return (
    <div className="grid gap-5">
      <RecentPayments charges={charges} payments={payments.slice(0, limit)} />
      {payments.length > limit && <AllPayments id={id} />}
    </div>
  )
}

const AllPayments = ({ id }: { id: string }) => (
  <Button variant="secondary" size="sm" className="justify-self-start" asChild>
    <Link href={paths.paymentHistory(id)}>View All Payments</Link>
  </Button>
)

function errorOf({ account, history }: { account: { isError: boolean }; history: { isError: boolean } }) {
  if (account.isError) return 'Your balance could not be loaded.'
  return history.isError ? 'Failed to load payment history' : 'Failed to load the payment plan'
}

function PlanSection({ instalments }: Pick<Plan, 'instalments'>) {
  return (
    <section aria-label="Payment plan">
      <h3 className="mb-1.5 font-semibold text-navy">Payment plan</h3>
      <TenantPlan instalments={instalments} className="sm:-mx-4" />
    </section>
  )
}

/** Whether something is owed that is not on its way. */
function isAnythingLeft({
  pay,
  payments,
  summary,
}: Plan & { payments: readonly PaymentView[]; summary: ChargeSummary }) {
  return pay ? pay.next !== null : summary.balanceCents > onItsWayCents(payments)
}
