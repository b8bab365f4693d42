import { lazy, Suspense, useEffect, useState } from 'react'
import { isEnded } from '../../../../domain/bookings/application-status.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api } from '../../../api/api.ts'
import { useSite } from '../../../api/site.ts'
import { GuestLinks } from '../../../features/arrival/guest-links.tsx'
import type { Refund } from '../../../features/deposits/cancellation-parts.tsx'
import type { OwnerDeposit } from '../../../features/deposits/deposit-view.ts'
import { Card } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { isPhone } from '../../../ui/is-phone.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import {
  type Application,
  type Modal,
  type OpenModal,
  stepModal,
  useAddenda,
  useCancellation,
  useCharges,
  useOwnerDeposit,
  usePlan,
  usePlanSettings,
} from './application-data.ts'
import { LeaseCard } from './lease-card.tsx'
import { LeaseHistoryCard, SentCard } from './lease-history-card.tsx'
import { ModalButton } from './modal-button.tsx'
import { PaymentCard } from './payment-card.tsx'
import { PersonalCard } from './personal-card.tsx'
import { PlanCard } from './plan-card.tsx'
import { StatusCard } from './status-card.tsx'

/** Loaded with the first dialog. */
const ModalView = lazy(() => import('./modal.tsx').then(m => ({ default: m.ModalView })))
/** Loaded only where deposits are watched. */
const DepositCard = lazy(() => import('./deposit-card.tsx').then(m => ({ default: m.DepositCard })))

/** Loaded only where the tenant asks to cancel, or the stay was cancelled. */
const CancellationCard = lazy(() =>
  import('./cancellation-card.tsx').then(m => ({ default: m.CancellationCard })),
)

export function ApplicationDetails({ application }: { application: Application }) {
  // Fetched with the rest; the card of the stay needs it.
  api.stays.get.useQuery({ applicationId: application.id })
  const deposit = useOwnerDeposit(application.id)
  const cancellation = useCancellation(application)
  const addenda = useAddenda(application)
  const money = [usePlan(application), usePlanSettings(), useCharges(application), deposit, cancellation]
  // The site data has the date and time zone at the property. Decisions about money would push the rest down if they
  // appeared later.
  if (!useSite() || [...money, addenda].some(({ isFetched }) => !isFetched)) return <DetailsSkeleton />
  return (
    <Suspense fallback={<DetailsSkeleton />}>
      <Details application={application} deposit={deposit} />
    </Suspense>
  )
}

type DetailsProps = { application: Application; deposit: ReturnType<typeof useOwnerDeposit> }

function Details({ application, deposit }: DetailsProps) {
  const { cancellation } = useCancellation(application).data ?? {}
  const [modal, setModal] = useState(() => modalOfAddress(application, deposit.data, cancellation?.refunds))
  useEffect(() => {
    // Otherwise a reload would open the dialog again.
    if (location.hash) history.replaceState(history.state, '', location.pathname + location.search)
  }, [])
  const props = { application, open: setModal }
  const { nextStep } = application
  const next = nextStep && stepModal(nextStep, application, deposit.data)?.kind
  // On a phone the columns are stacked, so the deposit card moves below the status.
  const [isOnPhone] = useState(isPhone)
  const isBelowStatus = isOnPhone && next?.startsWith('deposit-') === true
  const depositCard =
    deposit.data === undefined ? (
      <Card aria-label="Security Deposit">
        <ErrorState message="Failed to load the deposit" onRetry={() => deposit.refetch()} />
      </Card>
    ) : (
      deposit.data && (
        <DepositCard
          deposit={deposit.data}
          isEnded={isEnded(application.status)}
          next={next}
          isObjectionSaid={nextStep?.kind === 'return_deposit'}
          open={setModal}
        />
      )
    )
  // Once the tenant has left, it is what is to be done.
  const isFirst = deposit.data?.hasLeft === true && deposit.data.state !== 'closed'
  const isCancelled = application.status === 'cancelled'
  const isPending = application.status === 'pending'
  return (
    <div className={columnsClass}>
      <div className={decisionsClass}>
        {!isCancelled && <Cancelling {...props} />}
        <div className={classNames('grid min-w-0 gap-5', isPending && decisionRowClass)}>
          <StatusCard {...props} />
          {isBelowStatus && depositCard}
          {isCancelled && <Cancelling {...props} />}
          <ProposedLateFees {...props} />
          <GuestLinks id={application.id} isOwner />
        </div>
        <LeaseCard {...props} />
      </div>
      <div className={contentClass}>
        {isFirst && !isBelowStatus && depositCard}
        <PersonalCard application={application} />
        <PlanCard {...props} />
        <PaymentCard {...props} />
        {!isFirst && !isBelowStatus && depositCard}
      </div>
      <div className={historyClass}>
        {!isPending && <LeaseHistoryCard application={application} />}
        <SentCard {...props} />
      </div>
      <Suspense>{modal && <ModalView {...props} modal={modal} />}</Suspense>
    </div>
  )
}

/** The dialog of the next step, if the address names that step (LOOK-82). */
function modalOfAddress(
  application: Application,
  deposit: OwnerDeposit | null | undefined,
  refunds: readonly Refund[] | undefined,
): Modal | undefined {
  const { nextStep, status } = application
  if (location.hash === '#write') return { kind: 'write-to-guest' }
  if (status === 'rejected' && location.hash === '#book') return { kind: 'status', status: 'approved' }
  // Returning the deposit can be the next step itself, or be done while another step is next.
  const isBack = location.hash === '#give-back' && nextStep?.kind !== 'give_back'
  if (isBack && deposit && deposit.freeCents > 0) return { kind: 'deposit-return', deposit }
  const kind = isBack && nextStep?.kind === 'return_deposit' ? 'give_back' : nextStep?.kind
  const isNamed = nextStep && location.hash === `#${kind?.replaceAll('_', '-')}`
  return isNamed ? stepModal(nextStep, application, deposit, refunds) : undefined
}

/** A request to cancel that waits, or the refunds of a cancelled stay. */
function Cancelling({ application, open }: DecisionProps) {
  const { data, refetch } = useCancellation(application)
  if (!data)
    return (
      <Card aria-label="Cancellation">
        <ErrorState message="Failed to load the cancellation" onRetry={() => refetch()} />
      </Card>
    )
  const { cancellation } = data
  const isOpen = cancellation?.state === 'requested' || cancellation?.state === 'cancelled'
  return isOpen && <CancellationCard application={application} cancellation={cancellation} open={open} />
}

type DecisionProps = { application: Application; open: OpenModal }

/** A decision for the owner besides the status. */
function ProposedLateFees({ application, open }: DecisionProps) {
  const { instalments = [], plan } = usePlan(application).data ?? {}
  if (!plan?.frozen) return null
  return instalments.map(
    installment =>
      installment.lateFee && (
        <Notice
          key={installment.id}
          tone="warning"
          title={`A late fee of ${formatCents(installment.lateFee.amountCents)} is proposed`}
          action={
            <span className="flex flex-wrap gap-2">
              <ModalButton open={open} modal={{ kind: 'charge-late-fee', installment }}>
                Charge late fee
              </ModalButton>
              <ModalButton open={open} modal={{ kind: 'dismiss-late-fee', installment }}>
                No late fee
              </ModalButton>
            </span>
          }
        >
          {installment.label} is {plural(installment.daysOverdue, 'day')} overdue.
        </Notice>
      ),
  )
}

/** In this order: decisions, content, history. From `lg` on the decisions are in a column on the right. */
export const columnsClass =
  'grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_1fr]'
export const decisionsClass =
  'grid min-w-0 items-start gap-5 md:max-lg:grid-cols-2 lg:col-start-2 lg:row-span-2'
/** Without a lease, the first card spans both columns on a tablet. */
const decisionRowClass = 'md:max-lg:contents md:max-lg:[&>:first-child]:col-span-2'
export const contentClass = 'grid min-w-0 gap-5 lg:col-start-1 lg:row-start-1'
export const historyClass =
  'grid min-w-0 items-start gap-5 md:grid-cols-[repeat(auto-fit,minmax(20rem,1fr))] lg:col-start-1'

export function DetailsSkeleton() {
  return (
    <div className={columnsClass}>
      <div className={decisionsClass}>
        <Skeleton className="h-64 rounded-card" />
        <Skeleton className="h-72 rounded-card" />
      </div>
      <div className={contentClass}>
        <Skeleton className="h-64 rounded-card" />
        <Skeleton className="h-96 rounded-card" />
      </div>
    </div>
  )
}
