import { Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { isBooked, isEnded } from '../../../../domain/bookings/application-status.ts'
import { coSignerName } from '../../../../domain/bookings/people.ts'
import {
  type OutstandingBalance,
  type TenantStep,
  tenantStep,
} from '../../../../domain/bookings/tenant-step.ts'
import { formatShortStay, stayOf, stayPhase } from '../../../../domain/common/stay.ts'
import { leaseState } from '../../../../domain/leases/lease.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { failureOf } from '../../../api/failures.ts'
import { BookingProgress, isProgressFolded } from '../../../features/applications/booking-progress.tsx'
import { GuestsList } from '../../../features/applications/personal-info.tsx'
import { GuestLinks } from '../../../features/arrival/guest-links.tsx'
import { LeaseBlock } from '../../../features/leases/lease-block.tsx'
import { useOutstandingBalance } from '../../../features/payments/balance-summary.tsx'
import { PaymentsBlock } from '../../../features/payments/payments-block.tsx'
import { useDay, useToday } from '../../../features/stays/today.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { BackLink } from '../../../routing/back-link.tsx'
import { paths } from '../../../routing/paths.ts'
import { useUser } from '../../../session/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { ApplicationNextStep, useOpenStay } from './application-next-step.tsx'
import { PersonalInfoCard } from './personal-info-card.tsx'
import { StatusCard, Withdraw } from './status-card.tsx'

const pollIntervalMs = 15_000

/** The deposit as its tenant sees it; null while deposits are not watched. */
const useTenantDeposit = (applicationId: string, { enabled }: { enabled: boolean }) =>
  api.deposits.get.useQuery(
    { applicationId },
    {
      enabled,
      select: ({ deposit }) => (deposit && !('letters' in deposit) ? deposit : null),
      // Nothing comes while deposits are not watched.
      refetchInterval: ({ state }) => (state.data?.deposit ? pollIntervalMs : false),
    },
  )

/** What came of cancelling, and what would come back; asked for again only once there is something. */
const useCancellation = (applicationId: string, enabled: boolean) =>
  api.cancellations.get.useQuery(
    { applicationId },
    {
      enabled,
      refetchInterval: ({ state }) => (state.data?.cancellation ? pollIntervalMs : false),
    },
  )

/** The addenda to the lease; asked for again only while there are some. */
const useAddenda = (applicationId: string) =>
  api.addenda.list.useQuery(
    { applicationId },
    { refetchInterval: ({ state }) => (state.data?.addenda.length ? pollIntervalMs : false) },
  )

/** Loaded when somebody signs, which happens once. */
const SignLeaseModal = lazy(() =>
  import('../../../features/signing/sign-lease-modal.tsx').then(m => ({ default: m.SignLeaseModal })),
)

/** Loaded while invitations to sign are out, or to send them. */
const SigningStep = lazy(() => import('./signing-step.tsx').then(m => ({ default: m.SigningStep })))
const InviteDialog = lazy(() => import('./signing-step.tsx').then(m => ({ default: m.InviteDialog })))
/** While invitations are out everybody signs alone. */
const noCoSigner = { secondApplicantFirstName: '', secondApplicantLastName: '' }

/** Loaded only where deposits are watched. */
const DepositCard = lazy(() => import('./deposit-card.tsx').then(m => ({ default: m.DepositCard })))

/** Whether it ended before the stay began. */
const hasNoStay = (application: Application, { vacatedOn }: { vacatedOn: string }) =>
  isEnded(application.status) && vacatedOn <= stayOf(application).start

/** Loaded when somebody asks to cancel, and for a stay that was cancelled. */
const cancelling = () => import('./cancellation-card.tsx')
const CancellationCard = lazy(() => cancelling().then(m => ({ default: m.CancellationCard })))
const AskToCancel = lazy(() => cancelling().then(m => ({ default: m.AskToCancel })))
/** Loaded for a lease with addenda, or if nobody knows. */
const AddendaCard = lazy(() => import('./addenda-card.tsx').then(m => ({ default: m.AddendaCard })))

type Application = Outputs['applications']['get']['application']

export function ApplicationPage({ id }: { id: string }) {
  const query = api.applications.get.useQuery({ id }, { refetchInterval: 15_000 })
  const application = query.data?.application
  // Fetched together with the application, so that the next step does not appear later.
  const isTenant = useUser().role === 'tenant'
  const { outstanding } = useOutstandingBalance(id, { enabled: isTenant })
  const day = useDay()
  const step = application && isTenant ? tenantStep(application, day, outstanding) : undefined
  const isOver =
    application && step?.kind === 'booked' && stayPhase(stayOf(application), day.today) === 'after'
  // Fetched here to be in the same batch; the link to the lease and the card of the stay need them.
  api.stays.get.useQuery({ applicationId: id })
  api.leases.status.useQuery(undefined, { enabled: isTenant })
  useCancellation(id, isTenant)
  const addenda = useAddenda(id)
  const deposit = useTenantDeposit(id, { enabled: isTenant })
  const failure = query.error && failureOf(query.error)
  const isMissing = failure?.kind === 'refused' && failure.status === 404
  useRedirectWhen(isMissing)
  return (
    <Page
      title="Application Details"
      subtitle={
        application ? (
          <>
            <span className="whitespace-nowrap">{formatShortStay(stayOf(application))}</span>
            {' · '}
            <span className="whitespace-nowrap">{application.applicationNumber}</span>
          </>
        ) : (
          ' '
        )
      }
      back={
        <div className="flex flex-wrap justify-between gap-x-6">
          <BackLink href={paths.dashboard}>Back to Dashboard</BackLink>
          {/* Then the next step has it as a button. */}
          {application && !isEnded(application.status) && !isOver && (
            <Link
              href={paths.newApplication}
              className="-my-1 inline-flex min-h-11 items-center gap-1.5 link"
            >
              <Plus aria-hidden className="size-4" />
              New Application
            </Link>
          )}
        </div>
      }
    >
      {!isMissing && (
        <QueryView
          // The addenda stand above the rest, so that they would push it down if they appeared later.
          query={addenda.isFetched ? query : { ...query, data: undefined }}
          loading={<LoadingDetails />}
          error="Failed to load application data"
        >
          {({ application }) => (
            <Suspense key={application.id} fallback={<LoadingDetails />}>
              <Details
                application={application}
                outstanding={outstanding}
                step={step}
                isOver={isOver}
                deposit={deposit}
              />
            </Suspense>
          )}
        </QueryView>
      )}
    </Page>
  )
}

/** Another tenant's application gets the same response as a missing one. */
function useRedirectWhen(isMissing: boolean) {
  const [, navigate] = useLocation()
  useEffect(() => {
    if (!isMissing) return
    toast.error('Application not found')
    navigate(paths.dashboard, { replace: true })
  }, [isMissing, navigate])
}

type DetailsProps = {
  application: Application
  outstanding: OutstandingBalance | undefined
  step: TenantStep | undefined
  /** Everything is done, and the stay has ended. */
  isOver: boolean | undefined
  deposit: Pick<ReturnType<typeof useTenantDeposit>, 'data' | 'isError' | 'refetch'>
}

/** Where status, documents and people stand on a wide screen: moved by classes alone, so that an edit goes on. */
const places = {
  before: ['lg:row-span-2', 'lg:row-start-2', 'lg:col-start-1 lg:row-start-1'],
  toSign: ['lg:row-span-2', 'lg:row-start-1', 'lg:col-start-1 lg:row-start-2'],
  // For a short status column. The edit form needs the wide column.
  short: [
    '',
    'lg:row-span-2 lg:row-start-1',
    'lg:col-start-2 lg:row-start-2 lg:[&_dl]:grid-cols-1 lg:has-[form]:col-start-1 lg:has-[form]:row-start-3',
  ],
}

function Details({ application, deposit, isOver, outstanding, step }: DetailsProps) {
  const [signing, setSigning] = useSigning(application)
  const [addendumId, setAddendumId] = useState<string>()
  const closeSigning = () => {
    setSigning(false)
    setAddendumId(undefined)
  }
  const { isOpen: isStayOpen } = useOpenStay(application.id, step?.kind ?? 'wait')
  const addenda = useAddenda(application.id)
  // There is one only to a signed lease.
  const openAddendum = addenda.data?.addenda.find(({ state }) => state === 'open')
  const [inviting, setInviting] = useState(false)
  const coSigner = coSignerName(application)
  const readAgain = useReadAgain()
  const depositCard =
    deposit.isError && deposit.data === undefined ? (
      <Card aria-label="Security Deposit">
        <ErrorState message="Failed to load the deposit" onRetry={() => deposit.refetch()} />
      </Card>
    ) : (
      deposit.data && <DepositCard deposit={deposit.data} hasNoStay={hasNoStay(application, deposit.data)} />
    )
  // Once the stay is over, it is what is still to come.
  const isDepositFirst = deposit.data?.hasLeft === true && deposit.data.state !== 'closed'
  const today = useToday()
  const isShort = isEnded(application.status) ? application.leaseSigned : isProgressFolded(application, today)
  const long = application.leaseGenerated ? 'toSign' : 'before'
  const [atStatus, atDocuments, atPeople] = places[isShort ? 'short' : long]
  return (
    <div className="grid gap-6">
      {(step?.kind === 'sign' || application.tenantSigned) && application.signing ? (
        <SigningStep id={application.id} count={application.signing} onSign={() => setSigning(true)} />
      ) : (
        step && (
          <ApplicationNextStep
            id={application.id}
            step={step}
            isOver={isOver}
            onSign={() => (openAddendum ? setAddendumId(openAddendum.id) : setSigning(true))}
            invite={coSigner === undefined ? undefined : { name: coSigner, open: () => setInviting(true) }}
          />
        )
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
        <div className={`grid gap-6 lg:col-start-2 lg:row-start-1 ${atStatus}`}>
          <StatusCard application={application} />
          <ToldCancellation application={application} />
          {application.submittedAt && <GuestLinks id={application.id} isStaySaid={isStayOpen && !isOver} />}
          {!isEnded(application.status) && (
            <BookingProgress
              application={application}
              owesMoney={(outstanding?.balanceCents ?? 0) > 0}
              isOverdue={step?.isOverdue}
            />
          )}
        </div>
        <div className={`grid gap-6 lg:col-start-1 ${atDocuments}`}>
          {isDepositFirst && depositCard}
          {(addenda.data ? addenda.data.addenda.length > 0 : application.leaseSigned) && (
            <AddendaCard
              query={addenda}
              isAsked={step?.kind === 'addendum'}
              onSign={setAddendumId}
              onChanged={readAgain}
            />
          )}
          <LeaseBlock application={application} onChanged={readAgain} />
          <PaymentsBlock application={application} limit={3} isAsked={step?.kind === 'pay'} />
          {!isDepositFirst && depositCard}
        </div>
        <div className={`grid gap-6 ${atPeople}`}>
          <PersonalInfoCard application={application} />
          {application.additionalGuests.length > 0 && (
            <Card aria-label="Additional Guests">
              <CardHeader title="Additional Guests" />
              <CardBody>
                <GuestsList guests={application.additionalGuests} />
              </CardBody>
            </Card>
          )}
        </div>
      </div>
      <div className="-mt-3 -ml-3 flex empty:hidden">
        <Withdraw application={application} />
        <AskingToCancel application={application} />
      </div>
      {inviting && coSigner !== undefined && (
        <Suspense>
          <InviteDialog id={application.id} coSigner={coSigner} onClose={() => setInviting(false)} />
        </Suspense>
      )}
      {(signing || addendumId) && (
        <Suspense>
          <SignLeaseModal
            lease={
              addendumId
                ? { ...application, addendumId }
                : application.signing
                  ? { ...application, ...noCoSigner }
                  : application
            }
            onClose={closeSigning}
            onSigned={async () => {
              await readAgain()
              closeSigning()
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

/** A request to cancel, or what comes back of a cancelled stay. */
function ToldCancellation({ application: { id } }: { application: Application }) {
  const query = useCancellation(id, useUser().role === 'tenant')
  if (query.isError && !query.data)
    return (
      <Card aria-label="Cancellation">
        <ErrorState message="Failed to load the cancellation" onRetry={() => query.refetch()} />
      </Card>
    )
  const cancellation = query.data?.cancellation
  const isTold = cancellation && ['requested', 'declined', 'cancelled'].includes(cancellation.state)
  return <Suspense>{isTold && <CancellationCard cancellation={cancellation} />}</Suspense>
}

function AskingToCancel({ application: { id } }: { application: Application }) {
  const [asking, setAsking] = useState(false)
  const { cancellation, proposal } = useCancellation(id, useUser().role === 'tenant').data ?? {}
  if (!proposal || cancellation?.state === 'requested') return null
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => setAsking(true)}>
        Ask to Cancel
      </Button>
      <Suspense>
        {asking && <AskToCancel applicationId={id} proposal={proposal} onClose={() => setAsking(false)} />}
      </Suspense>
    </>
  )
}

/** Whether the sign dialog is open: after a click, or immediately if the URL requests it. */
function useSigning(application: Application) {
  const isTenant = useUser().role === 'tenant'
  const canSign = isTenant && isBooked(application.status) && leaseState(application) === 'available'
  const [wanted, setWanted] = useState(() => window.location.hash === '#sign')
  const setSigning = (signing: boolean) => {
    setWanted(signing)
    if (!signing && window.location.hash)
      window.history.replaceState(window.history.state, '', window.location.pathname)
  }
  return [wanted && canSign, setSigning] as const
}

function LoadingDetails() {
  return (
    <div className="grid gap-6">
      <Skeleton className="h-36 w-full rounded-card sm:h-28" />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid gap-6 lg:col-start-2 lg:row-start-1">
          <Skeleton className="h-32 w-full rounded-card" />
          <Skeleton className="h-96 w-full rounded-card" />
        </div>
        <div className="grid gap-6 lg:col-start-1 lg:row-start-1">
          <Skeleton className="h-64 w-full rounded-card" />
          <Skeleton className="h-80 w-full rounded-card" />
        </div>
      </div>
    </div>
  )
}
