import { ArrowRight, CalendarDays, FileText, KeyRound, Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useEffectEvent, useId, useState } from 'react'
import { Link } from 'wouter'
import {
  leadingStep,
  type OutstandingBalance,
  type TenantStep,
  tenantStep,
} from '../../../../domain/bookings/tenant-step.ts'
import { formatMomentDate, nightsBetween } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { formatShortStay, stayOf, stayPhase } from '../../../../domain/common/stay.ts'
import { leasePageChoice } from '../../../../domain/leases/lease.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { CompactProgress } from '../../../features/applications/booking-progress.tsx'
import { NextStepPanel } from '../../../features/applications/next-step-panel.tsx'
import { ApplicationStatusBadge } from '../../../features/applications/status-badge.tsx'
import { OnItsWay } from '../../../features/payments/balance-summary.tsx'
import { readSavedStay } from '../../../features/stays/saved-stay.ts'
import { useDay } from '../../../features/stays/today.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { type QueryLike, QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { DashboardNextStep, NextStepSkeleton, Welcome } from './dashboard-next-step.tsx'

const OwnOffers = lazy(() => import('./own-offers.tsx').then(m => ({ default: m.OwnOffers })))

type Application = Outputs['applications']['status']['applications'][number]

export function DashboardPage() {
  const status = api.applications.status.useQuery(undefined, {
    refetchInterval: 10_000,
    // useListRefresh handles the window's focus.
    refetchOnWindowFocus: false,
  })
  useListRefresh(status)
  const { balanceOf, isLoading } = useBalances(status.data)
  const own = api.offers.mine.useQuery()
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-6 sm:py-8">
      <QueryView
        query={isLoading || own.isPending ? { ...status, data: undefined, isError: false } : status}
        loading={<LoadingList />}
        error={
          <>
            <NextStepPanel heading={<Welcome />} />
            <ErrorState message="Your applications could not be loaded." onRetry={() => status.refetch()} />
          </>
        }
      >
        {({ applications }) => (
          <Suspense fallback={<LoadingList />}>
            <Dashboard applications={applications} balanceOf={balanceOf} own={own} />
          </Suspense>
        )}
      </QueryView>
    </div>
  )
}

type OffersProps = { own: QueryLike<Outputs['offers']['mine']>; leading: Application | undefined }

/** What waits for an answer, or for a signature and the deposit unless the next step says so; its code is only loaded then. */
function Offers({ own, leading }: OffersProps) {
  const next = leading?.waiting
  const told = next?.kind === 'offer' || next?.kind === 'deposit' ? next.claimId : undefined
  const waiting = own.data?.claims.filter(({ id, state }) => state !== 'ended' && id !== told) ?? []
  if (own.isError && !own.data)
    return <ErrorState message="Failed to load your offer" onRetry={() => void own.refetch()} />
  return waiting.length > 0 && <OwnOffers offers={waiting} reload={() => own.refetch()} />
}

type BalanceOf = (application: Application) => OutstandingBalance | undefined

/** The balance of each application, refetched when an application has changed. */
function useBalances(list: Outputs['applications']['status'] | undefined) {
  const { data, isLoading, refetch } = api.payments.options.useQuery()
  const [seen, setSeen] = useState(list)
  useEffect(() => {
    if (list === seen) return
    setSeen(list)
    if (seen) void refetch()
  }, [list, seen, refetch])
  const balanceOf: BalanceOf = ({ id }) => {
    const found = data?.applications.find(application => application.id === id)
    return found && { balanceCents: found.balance.balanceCents, onItsWayCents: found.onItsWayCents }
  }
  return { balanceOf, isLoading }
}

type DashboardProps = Pick<OffersProps, 'own'> & {
  applications: readonly Application[]
  balanceOf: BalanceOf
}

/** The next step, what waits for an answer, and the applications. */
function Dashboard({ applications, balanceOf, own }: DashboardProps) {
  const day = useDay()
  const stay = readSavedStay(day.today)
  const isOver = (application: Application) => stayPhase(stayOf(application), day.today) === 'after'
  const found = leadingStep(applications, day, balanceOf)
  const nextStep = found?.step.kind === 'booked' && isOver(found.application) ? undefined : found
  const withLease = leasePageChoice(applications)
  return (
    <>
      <DashboardNextStep stay={stay} nextStep={nextStep} otherwise={<NewApplication variant="accent" />} />
      <Offers
        own={own}
        leading={!stay && nextStep?.step.kind === 'sign' ? nextStep.application : undefined}
      />
      <section aria-labelledby="applications" className="mt-8">
        <div className="mb-4 flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <h2 id="applications" className="text-xl font-semibold text-navy">
            Your applications
          </h2>
          {(stay || nextStep) && <NewApplication variant="secondary" size="sm" />}
        </div>
        {applications.length === 0 ? (
          <NoApplications />
        ) : (
          <ul className="grid gap-4">
            {applications.map(application => (
              <li key={application.id}>
                <ApplicationCard
                  application={application}
                  outstanding={balanceOf(application)}
                  isLeading={!stay && application === nextStep?.application}
                  hasLeasePage={application === withLease && application.leaseGenerated}
                />
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}

function NewApplication(look: { variant: 'accent' | 'secondary'; size?: 'sm' }) {
  return (
    <Button asChild {...look}>
      <Link href={paths.newApplication}>
        <Plus aria-hidden />
        New Application
      </Link>
    </Button>
  )
}

function NoApplications() {
  return (
    <Card>
      <EmptyState
        icon={<KeyRound />}
        title="Ready to Get Started?"
        hint={
          <>
            Tell us who you are and when you would like to stay. We review your application within{' '}
            <span className="whitespace-nowrap">1-2 business days</span>.
          </>
        }
        action={
          <Button size="lg" asChild>
            <Link href={paths.newApplication}>Create Application</Link>
          </Button>
        }
      />
    </Card>
  )
}

function LoadingList() {
  return (
    <>
      <NextStepSkeleton />
      <Skeleton className="mt-8 mb-4 h-9 w-48" />
      <Skeleton className="h-44 w-full rounded-card" />
    </>
  )
}

type Query = {
  refetch: (options: { cancelRefetch: boolean }) => unknown
  error: unknown
  errorUpdateCount: number
}

const paymentReturnFlag = 'paymentSuccessReturn'
const paymentReturnDelayMs = 500

/** Refetches on focus, when the tab becomes visible, and after a payment. A failure is only logged: the list stays. */
function useListRefresh(query: Query): void {
  const refresh = useEffectEvent(() => void query.refetch({ cancelRefetch: false }))

  useEffect(() => {
    const onFocus = () => refresh()
    const onVisibility = () => document.visibilityState === 'visible' && refresh()
    window.addEventListener('focus', onFocus)
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      window.removeEventListener('focus', onFocus)
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [])

  useEffect(() => {
    if (sessionStorage.getItem(paymentReturnFlag) === null) return
    const timer = setTimeout(() => {
      sessionStorage.removeItem(paymentReturnFlag)
      refresh()
    }, paymentReturnDelayMs)
    return () => clearTimeout(timer)
  }, [])

  const { error, errorUpdateCount } = query
  useEffect(() => {
    if (errorUpdateCount > 0 && error) console.warn('The applications could not be refreshed:', error)
  }, [error, errorUpdateCount])
}

type ApplicationCardProps = {
  application: Application
  outstanding: OutstandingBalance | undefined
  /** Whether the top of the page shows its next step. */
  isLeading: boolean
  /** Whether the lease page shows this application's lease. */
  hasLeasePage: boolean
}

/** An application on the dashboard, with its dates, status and next step. */
function ApplicationCard({ application, outstanding, isLeading, hasLeasePage }: ApplicationCardProps) {
  const day = useDay()
  const headingId = useId()
  const stay = stayOf(application)
  const step = tenantStep(application, day, outstanding)
  // What the tenant waits for is said once.
  const isSaid = isLeading && step && ['wait', 'claim', 'refund'].includes(step.kind)
  const summary = isSaid ? '' : summaryOf(step, outstanding)
  return (
    <Card className="grid gap-x-8 gap-y-4 p-5 sm:grid-cols-[minmax(0,1fr)_14rem] sm:items-center sm:p-6 lg:grid-cols-[minmax(0,1fr)_15rem_auto]">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h3 id={headingId} className="flex items-center gap-2 text-lg leading-snug font-semibold text-navy">
            <CalendarDays aria-hidden className="size-5 shrink-0 text-lagoon-dark" />
            {formatShortStay(stay)}
          </h3>
          <ApplicationStatusBadge status={application.status} screen="dashboard" />
        </div>
        <p className="mt-1.5 flex flex-wrap gap-x-2 text-[0.9375rem] text-muted *:whitespace-nowrap">
          <span>{application.applicationNumber}</span>
          <span aria-hidden>·</span>
          <span>{plural(nightsBetween(stay.start, stay.end), 'night')}</span>
          <span aria-hidden className="max-sm:hidden">
            ·
          </span>
          <span>
            {application.submittedAt
              ? `Submitted ${formatMomentDate(application.submittedAt, day.timeZone)}`
              : 'Not submitted yet'}
          </span>
        </p>
      </div>
      <div>
        {application.status !== 'cancelled' && stayPhase(stay, day.today) !== 'after' && (
          <CompactProgress application={application} />
        )}
        {summary && <p className="mt-1 text-[0.9375rem] text-muted">{summary}</p>}
        {outstanding && <OnItsWay {...outstanding} />}
      </div>
      <div className="flex flex-wrap gap-3 max-sm:*:grow sm:max-lg:col-span-full">
        <Button variant="secondary" asChild>
          <Link href={paths.application(application.id)} aria-describedby={headingId}>
            View Details
            <ArrowRight aria-hidden />
          </Link>
        </Button>
        {hasLeasePage && (
          <Button variant="secondary" asChild>
            <Link href={paths.lease} aria-describedby={headingId}>
              <FileText aria-hidden />
              Lease
            </Link>
          </Button>
        )}
      </div>
    </Card>
  )
}

function summaryOf(step: TenantStep | undefined, outstanding: OutstandingBalance | undefined): string {
  if (!step) return ''
  if (step.kind === 'declined') return 'This application was declined'
  if (step.kind === 'pay' && outstanding) return `Amount owed: ${formatCents(outstanding.balanceCents)}`
  const isToDo = ['submit', 'sign', 'addendum', 'pay'].includes(step.kind)
  return isToDo ? `Next: ${step.title.charAt(0).toLowerCase()}${step.title.slice(1)}` : step.title
}
