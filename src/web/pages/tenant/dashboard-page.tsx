import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowRight, CalendarDays, FileText, KeyRound, Plus } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { Link } from 'wouter'
import {
  leadingStep,
  type OutstandingBalance,
  type TenantStep,
  tenantStep,
} from '../../../domain/bookings/tenant-step.ts'
import { formatMomentDate, nightsBetween } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { plural } from '../../../domain/common/plural.ts'
import { formatShortStay, stayOf, stayPhase } from '../../../domain/common/stay.ts'
import { leasePageChoice } from '../../../domain/leases/lease.ts'
import { api, type Outputs } from '../../api/api.ts'
import { CompactProgress } from '../../features/applications/booking-progress.tsx'
import { NextStepPanel } from '../../features/applications/next-step-panel.tsx'
import { ApplicationStatusBadge } from '../../features/applications/status-badge.tsx'
import { OnItsWay } from '../../features/payments/balance-summary.tsx'
import { readSavedStay } from '../../features/stays/saved-stay.ts'
import { useDay } from '../../features/stays/today.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DashboardNextStep, NextStepSkeleton, Welcome } from './dashboard/dashboard-next-step.tsx'

type Application = Outputs['applications']['status']['applications'][number]

export function DashboardPage() {
  const status = api.applications.status.useQuery(undefined, {
    refetchInterval: 10_000,
    // useListRefresh handles the window's focus.
    refetchOnWindowFocus: false,
  })
  useListRefresh(status)
  const { balanceOf, isLoading } = useBalances(status.data)
  const own = useOwnSignatures(status.data)
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-6 sm:py-8">
      <QueryView
        query={isLoading || own.isLoading ? { ...status, data: undefined, isError: false } : status}
        loading={<LoadingList />}
        error={
          <>
            <NextStepPanel heading={<Welcome />} />
            <ErrorState message="Your applications could not be loaded." onRetry={() => status.refetch()} />
          </>
        }
      >
        {({ applications }) => (
          <Dashboard applications={applications} balanceOf={balanceOf} signed={own.data ?? []} />
        )}
      </QueryView>
    </div>
  )
}

/** The ids of applications whose tenant has signed, while others are missing. */
function useOwnSignatures(list: Outputs['applications']['status'] | undefined) {
  const { client } = api.useUtils()
  const open = list?.applications.filter(({ signing }) => signing) ?? []
  const hasSigned = async (applicationId: string) => {
    const { signing } = await client.signing.get.query({ applicationId })
    return signing?.signers.some(({ role, state }) => role === 'tenant' && state === 'signed')
  }
  return useQuery({
    queryKey: ['own signatures', open.map(({ id, signing }) => [id, signing?.signed])],
    queryFn: async () => {
      const signed = await Promise.all(open.map(({ id }) => hasSigned(id)))
      return open.filter((_, at) => signed[at]).map(({ id }) => id)
    },
    enabled: open.length > 0,
    placeholderData: keepPreviousData,
  })
}

const waitingStep: TenantStep = {
  kind: 'wait',
  title: 'Waiting for the other signatures',
  text: 'You have signed. We write to you when everybody has.',
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

function Dashboard({
  applications,
  balanceOf,
  signed,
}: {
  applications: readonly Application[]
  balanceOf: BalanceOf
  /** The ids of those whose tenant has signed, while others are missing. */
  signed: readonly string[]
}) {
  const day = useDay()
  const stay = readSavedStay(day.today)
  const isOver = (application: Application) => stayPhase(stayOf(application), day.today) === 'after'
  const isWaiting = ({ id }: Application) => signed.includes(id)
  const others = applications.filter(application => !isWaiting(application))
  const waiting = applications.find(isWaiting)
  const found =
    leadingStep(others, day, balanceOf) ?? (waiting && { application: waiting, step: waitingStep })
  const nextStep = found?.step.kind === 'booked' && isOver(found.application) ? undefined : found
  const withLease = leasePageChoice(applications)
  return (
    <>
      <DashboardNextStep stay={stay} nextStep={nextStep} otherwise={<NewApplication variant="accent" />} />
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
                  isWaiting={isWaiting(application)}
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
  /** Whether its tenant waits for other signatures. */
  isWaiting: boolean
  /** Whether the top of the page shows its next step. */
  isLeading: boolean
  /** Whether the lease page shows this application's lease. */
  hasLeasePage: boolean
}

/** An application on the dashboard, with its dates, status and next step. */
function ApplicationCard({
  application,
  outstanding,
  isWaiting,
  isLeading,
  hasLeasePage,
}: ApplicationCardProps) {
  const day = useDay()
  const headingId = useId()
  const stay = stayOf(application)
  const step = isWaiting ? waitingStep : tenantStep(application, day, outstanding)
  // What the tenant waits for is said once.
  const summary = isLeading && step?.kind === 'wait' ? '' : summaryOf(step, outstanding)
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
        {application.status !== 'cancelled' && <CompactProgress application={application} />}
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
  const isToDo = ['submit', 'sign', 'pay'].includes(step.kind)
  return isToDo ? `Next: ${step.title.charAt(0).toLowerCase()}${step.title.slice(1)}` : step.title
}
