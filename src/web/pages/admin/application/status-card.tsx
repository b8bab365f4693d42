import { Copy } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import {
  type DecidedStatus,
  decidedStatuses,
  isBooked,
} from '../../../../domain/bookings/application-status.ts'
import {
  isOwing,
  isRemindedIn,
  type NextStep,
  nextStepLabel,
  writeToGuest,
} from '../../../../domain/bookings/next-step.ts'
import { formatMoment, formatMomentDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { noBreak } from '../../../../domain/common/no-break.ts'
import { stayOf } from '../../../../domain/common/stay.ts'
import { depositMessages } from '../../../../domain/money/deposit-case.ts'
import { api } from '../../../api/api.ts'
import { EmailLink } from '../../../features/applications/contact-links.tsx'
import { ApplicationStatusBadge } from '../../../features/applications/status-badge.tsx'
import type { OwnerDeposit } from '../../../features/deposits/deposit-view.ts'
import { useTimeZone, useToday } from '../../../features/stays/today.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { MenuItem, MenuSeparator, MoreActions } from '../../../ui/menu.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import {
  type Application,
  canRemind,
  isInvited,
  type Modal,
  type OpenModal,
  stepModal,
  useAddenda,
  useCancellation,
  useOwnerDeposit,
} from './application-data.ts'
import { DecisionList, useVerbs } from './decisions.tsx'
import { ModalButton, ModalItem } from './modal-button.tsx'

type StatusCardProps = { application: Application; open: OpenModal }

/** The next step, the decision that it asks for, and the submission date; other decisions are in the menu. */
export function StatusCard({ application, open }: StatusCardProps) {
  const { status, submittedAt, nextStep } = application
  const timeZone = useTimeZone()
  const card = useFocusAfterChange(status)
  const hasBegun = useHasBegun(application)
  return (
    <Card ref={card} tabIndex={-1} aria-label="Application Status">
      <CardHeader
        title="Application Status"
        action={
          <>
            <ApplicationStatusBadge status={status} screen="details" />
            <OtherDecisions application={application} open={open} />
          </>
        }
      />
      <CardBody className="grid gap-4">
        {nextStep && <Next step={nextStep} application={application} open={open} />}
        <DefinitionList
          columns={1}
          rows
          className={plainValues}
          items={[{ label: 'Submitted', value: submittedAt && formatMoment(submittedAt, timeZone) }]}
        />
        <EnteredBooking application={application} open={open} />
        {isBooked(status) && hasBegun && (
          <ModalButton className="justify-self-start" open={open} modal={{ kind: 'same-again' }}>
            Same Again Next Year
          </ModalButton>
        )}
      </CardBody>
    </Card>
  )
}

const plainValues = '[&_dd]:font-normal'

/** From the first day on, 'Same Again Next Year' is a button; before, it is in the menu. */
const useHasBegun = (application: Application) => useToday() >= stayOf(application).start

/** The decisions that the next step asks for. */
function nextDecisions({ nextStep }: Application): readonly DecidedStatus[] {
  if (nextStep?.kind === 'answer') return ['approved', 'rejected']
  return nextStep?.kind === 'confirm' || nextStep?.kind === 'complete' ? ['completed'] : []
}

function Decisions({ application, open }: StatusCardProps) {
  const next = nextDecisions(application)
  const verbs = useVerbs(application)
  if (next.length === 0) return null
  return (
    <div className="flex flex-wrap gap-2.5 *:grow">
      {next.map(status => (
        <ModalButton
          key={status}
          size="md"
          variant={status === 'rejected' ? 'secondary' : 'primary'}
          className={status === 'rejected' ? 'text-red' : undefined}
          open={open}
          modal={{ kind: 'status', status }}
        >
          {verbs[status].verb}
        </ModalButton>
      ))}
    </div>
  )
}

/** Whatever else can be decided, which ends a booking or comes too early (LOOK-69). */
function OtherDecisions({ application, open }: StatusCardProps) {
  const [, navigate] = useLocation()
  const shown = nextDecisions(application)
  const verbs = useVerbs(application)
  const { cancellation, proposal } = useCancellation(application).data ?? {}
  const isCancelled = application.status === 'cancelled'
  const hasBegun = useHasBegun(application)
  // A cancelled stay is over already.
  const isOther = (to: DecidedStatus) => to !== application.status && !(isCancelled && to === 'rejected')
  const others = decidedStatuses.filter(to => isOther(to) && !shown.includes(to))
  const side = cancellation?.state === 'requested' ? 'tenant' : 'owner'
  const canDecline = others.includes('rejected')
  // Once a stay is paid, only cancelling gives the money back.
  const isPaid = proposal && application.leaseSigned && application.paymentReceived
  const isUpcoming = application.nextStep?.kind === 'upcoming'
  // Actions that end the booking are below the separator.
  const isSplit = canDecline || proposal
  const itemOf = (status: DecidedStatus, how = '') => (
    <ModalItem key={status} danger={status === 'rejected'} open={open} modal={{ kind: 'status', status }}>
      {verbs[status].verb}
      {how}
    </ModalItem>
  )
  return (
    <MoreActions className="-mr-2.5">
      <ModalItem open={open} modal={{ kind: 'write-to-guest' }}>
        Write to the guest
      </ModalItem>
      {isUpcoming && !isInvited(application) && canRemind(application) && (
        <ModalItem open={open} modal={{ kind: 'remind' }}>
          Send reminder
        </ModalItem>
      )}
      {isBooked(application.status) && (
        <MenuItem onSelect={() => navigate(paths.adminOffers(application.id))}>Make an Offer</MenuItem>
      )}
      {isBooked(application.status) && !hasBegun && (
        <ModalItem open={open} modal={{ kind: 'same-again' }}>
          Same Again Next Year
        </ModalItem>
      )}
      {others.filter(status => status !== 'rejected').map(status => itemOf(status))}
      {isSplit && <MenuSeparator />}
      {canDecline && !isPaid && itemOf('rejected')}
      {proposal && (
        <ModalItem danger open={open} modal={{ kind: 'cancel-stay', side }}>
          Cancel Stay
        </ModalItem>
      )}
      {canDecline && isPaid && (
        <>
          <MenuSeparator />
          {itemOf('rejected', ' without a refund')}
        </>
      )}
    </MoreActions>
  )
}

/** A decision's button disappears after the change. If nothing else has the focus, the card gets it. */
function useFocusAfterChange(status: string) {
  const card = useRef<HTMLElement>(null)
  const before = useRef(status)
  useEffect(() => {
    if (before.current !== status && document.activeElement === document.body)
      card.current?.focus({ preventScroll: true })
    before.current = status
  }, [status])
  return card
}

function Next({ application, open, step }: StatusCardProps & { step: NextStep }) {
  const deposit = useOwnerDeposit(application.id).data
  const day = api.notices.ownerDay.useQuery(undefined, { enabled: isOwing(step) })
  const isReminded = isOwing(step) && isRemindedIn(day.data?.tasks, application.id)
  const { cancellation } = useCancellation(application).data ?? {}
  const modal = stepModal(step, application, deposit, cancellation?.refunds)
  const button = modal && buttonOf(step, modal)
  const isOverdue = step.kind === 'overdue'
  const hasOpenAddendum = useAddenda(application).data?.addenda.some(({ state }) => state === 'open')
  return (
    <div
      className={classNames(
        'rounded-control px-4 py-3',
        isOverdue ? 'border-2 border-red bg-red-tint' : 'bg-glass-light',
      )}
    >
      <p className="text-sm text-muted">Next step</p>
      {/* The button says the same. */}
      {nextStepLabel(step) !== button && (
        <p className={classNames('text-lg leading-snug font-semibold', isOverdue ? 'text-red' : 'text-navy')}>
          {noBreak(nextStepLabel(step))}
        </p>
      )}
      <p className="mt-0.5 text-[0.9375rem] text-ink">
        {isReminded
          ? 'A reminder was sent today.'
          : step.kind === 'upcoming' && hasOpenAddendum
            ? 'An addendum waits for a signature.'
            : hintOf(step, application, deposit)}
      </p>
      <div className="mt-3 mb-1 grid empty:hidden">
        <Decisions application={application} open={open} />
        {modal && button && <StepAction {...{ application, button, isReminded, modal, open }} />}
      </div>
      {step.kind === 'answer' && <DecisionFacts application={application} />}
    </div>
  )
}

/** The price, the people and the nights around the stay, in sight of whoever answers (LOOK-61). */
function DecisionFacts({ application }: { application: Application }) {
  const { data, isError } = api.applications.adminStatusPreview.useQuery({ id: application.id })
  if (isError && !data) return null
  return (
    <div className="mt-3 border-t border-line pt-3">
      {data ? <DecisionList decision={data.decision} /> : <Skeleton className="h-56" />}
    </div>
  )
}

type StepActionProps = StatusCardProps & { button: string; isReminded: boolean; modal: Modal }

function StepAction({ application, button, isReminded, modal, open }: StepActionProps) {
  if (isReminded)
    return (
      <ModalButton size="md" variant="primary" open={open} modal={{ kind: 'write-to-guest' }}>
        {writeToGuest}
      </ModalButton>
    )
  if (modal.kind === 'write-to-guest')
    return <CopyLink path={paths.signLease(application.id)}>{button}</CopyLink>
  return (
    <ModalButton size="md" variant="primary" open={open} modal={modal}>
      {button}
    </ModalButton>
  )
}

const stepButtons: Partial<Record<Modal['kind'], string>> = {
  remind: 'Send reminder',
  'generate-lease': 'Generate lease',
  'send-again': 'Send Again',
  'write-to-guest': 'Copy link to lease',
  'refund-by-hand': 'Record refund',
  'deposit-letter': 'Print the letter',
  'deposit-statement': 'Send statement',
}

/** Names the amount to return; undefined for decisions and invitations, which have their own buttons. */
const buttonOf = ({ amountCents, kind: step }: NextStep, { kind }: Modal) =>
  ['deposit-return', 'record-return', 'return-options'].includes(kind)
    ? `Return ${formatCents(amountCents)}`
    : kind === 'deposit-keep'
      ? step === 'decide_claim'
        ? 'Decide the claim'
        : `Keep ${formatCents(amountCents)}`
      : stepButtons[kind]

/** Copies the URL of a tenant's page, to send it to the tenant. */
function CopyLink({ children, path }: { children: string; path: string }) {
  const copy = async () => {
    const link = `${location.origin}${path}`
    try {
      await navigator.clipboard.writeText(link)
      toast.success('Link copied', 'It opens that page once the tenant logs in.')
    } catch {
      toast.info('Your browser does not let this site copy the link', link)
    }
  }
  return (
    <Button onClick={() => void copy()}>
      <Copy aria-hidden />
      {children}
    </Button>
  )
}

const hints: Record<NextStep['kind'], string> = {
  answer: 'Approve to book the nights, or decline.',
  generate_lease: 'The tenant can sign the lease as soon as it is generated.',
  signature: 'The tenant has the link by email. You can send it too, or upload a lease signed on paper.',
  overdue: 'The tenant pays online. The payment plan says which payment is late.',
  owed: 'The tenant pays online. A check or cash is added under Payment Information.',
  upcoming: 'Nothing else is due until then.',
  on_its_way: 'A bank payment takes a few days to arrive.',
  overpaid: 'Give it back, or transfer it to another booking.',
  return_deposit: 'The stay is over: give the deposit back, or keep a part of it with a reason.',
  send_statement: 'Nothing can be kept before.',
  keep_deposit: 'The tenant agreed, or did not object in time.',
  decide_claim: 'The tenant objected.',
  cancel_request: 'Cancel the stay, or keep the booking.',
  give_back: 'Nothing is booked anymore.',
  confirm: 'The lease is signed and the money has arrived.',
  complete: 'The lease is signed and the money has arrived.',
}

/** A guest who has not accepted the invitation has no password yet, so a link to the lease would not open. */
const hintOf = (
  { amountCents, kind, waitsFor }: NextStep,
  application: Application,
  deposit: OwnerDeposit | null | undefined,
) =>
  waitsFor
    ? 'The tenant has signed.'
    : kind === 'return_deposit' && deposit?.state === 'claimed' && deposit.objectionUntil
      ? depositMessages.canObject(deposit.objectionUntil)
      : kind === 'return_deposit' && deposit && deposit.claimedCents > 0
        ? 'This part is not claimed and goes back first.'
        : kind === 'signature' && isInvited(application)
          ? 'The invitation leads to the lease. You can send it again, or upload a lease signed on paper.'
          : kind === 'give_back'
            ? `${hints[kind]} ${formatCents(amountCents)} has not gone back to the tenant.`
            : (kind === 'confirm' || kind === 'complete') && !application.leaseGenerated
              ? 'There is no lease, and nothing is owed.'
              : hints[kind]

/** For a booking that the owner entered or offered: its source, and whether the guest was invited. */
function EnteredBooking({ application, open }: StatusCardProps) {
  const timeZone = useTimeZone()
  if (application.source === 'tenant') return null
  const { guestAccess, invitation, sourceLabel, sourceNote } = application
  return (
    <div className="grid justify-items-start gap-3 border-t border-line pt-4">
      <DefinitionList
        columns={1}
        rows
        className={`w-full ${plainValues}`}
        items={[
          { label: 'Source', value: sourceLabel },
          ...(invitation ? [invitationRow(invitation, timeZone)] : []),
        ]}
      />
      {sourceNote && (
        <dl>
          <dt className="text-[0.9375rem] text-muted">Note</dt>
          <dd className="whitespace-pre-line wrap-anywhere text-navy">{sourceNote}</dd>
        </dl>
      )}
      {guestAccess === 'unproven' && (
        <Notice tone="warning" title="Closed to the account of this email">
          Somebody registered <EmailLink email={application.userId.email} /> without confirming that the
          address is theirs. Only whoever uses the invitation sent there, or another mail to it, sees this
          booking.
        </Notice>
      )}
      {guestAccess !== 'open' && (
        <ModalButton
          variant={isInvited(application) && waitsForGuest(application) ? 'primary' : 'secondary'}
          open={open}
          modal={{ kind: 'invite' }}
        >
          {invitation ? 'Send invitation again' : 'Send invitation'}
        </ModalButton>
      )}
    </div>
  )
}

const waitsForGuest = ({ nextStep }: Application) =>
  nextStep !== null && ['signature', 'overdue', 'owed'].includes(nextStep.kind)

function invitationRow(
  { acceptedAt, expiresAt, sentAt }: NonNullable<Application['invitation']>,
  timeZone: string,
) {
  if (acceptedAt) return { label: 'Invitation used', value: formatMomentDate(acceptedAt, timeZone) }
  const state = Date.parse(expiresAt) <= Date.now() ? 'the link has expired' : 'not used yet'
  return { label: 'Invited', value: `${formatMomentDate(sentAt, timeZone)}, ${state}` }
}
