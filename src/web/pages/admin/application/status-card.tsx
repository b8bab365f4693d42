import { Copy } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { type DecidedStatus, decidedStatuses } from '../../../../domain/bookings/application-status.ts'
import { type NextStep, nextStepLabel } from '../../../../domain/bookings/next-step.ts'
import { formatMoment, formatMomentDate } from '../../../../domain/common/dates.ts'
import { ApplicationStatusBadge } from '../../../features/applications/status-badge.tsx'
import { useTimeZone } from '../../../features/stays/today.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { noBreakEmails } from '../../../ui/no-break-emails.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.ts'
import type { Application, OpenModal } from './application-data.ts'
import { ModalButton } from './modal.tsx'

type StatusCardProps = { application: Application; open: OpenModal }

/** The next step, the possible decisions, and the submission date. */
export function StatusCard({ application, open }: StatusCardProps) {
  const { status, submittedAt, updatedAt, nextStep } = application
  const timeZone = useTimeZone()
  const card = useFocusAfterChange(status)
  const isDecided = isFinal(status)
  return (
    <Card ref={card} tabIndex={-1} aria-label="Application Status">
      <CardHeader
        title="Application Status"
        action={<ApplicationStatusBadge status={status} screen="details" />}
      />
      <CardBody className="grid gap-4">
        {nextStep && <Next step={nextStep} application={application} open={open} />}
        {!isDecided && <Decisions application={application} open={open} />}
        <DefinitionList
          columns={1}
          rows
          items={[
            { label: 'Submitted', value: submittedAt && formatMoment(submittedAt, timeZone) },
            { label: 'Last change', value: formatMoment(updatedAt, timeZone) },
          ]}
        />
        {isDecided && (
          <fieldset className="border-t border-line pt-3">
            <legend className="float-left w-full text-sm text-muted">Change Status</legend>
            <Decisions application={application} open={open} />
          </fieldset>
        )}
        <EnteredBooking application={application} open={open} />
      </CardBody>
    </Card>
  )
}

/** Secondary buttons once the application is completed or declined, because changes are rare then. */
function Decisions({ application: { nextStep, status }, open }: StatusCardProps) {
  const isDecided = isFinal(status)
  const isNext = {
    approved: nextStep?.kind === 'answer',
    rejected: false,
    completed: nextStep?.kind === 'complete',
  }
  return (
    <div className={isDecided ? '-ml-3 flex flex-wrap' : 'flex flex-wrap gap-2.5 *:grow'}>
      {(status === 'pending' ? decidedStatuses : laterStatuses).map(
        to =>
          to !== status && (
            <ModalButton
              key={to}
              size={isNext.approved || isNext.completed ? 'md' : 'sm'}
              variant={isNext[to] ? 'primary' : isDecided ? 'ghost' : 'secondary'}
              className={to === 'rejected' ? 'text-red' : undefined}
              open={open}
              modal={{ kind: 'status', status: to }}
            >
              {decisions[to]}
            </ModalButton>
          ),
      )}
    </div>
  )
}

const isFinal = (status: string) => status === 'completed' || status === 'rejected'

// Once an application is decided, Decline comes last, because it is rarely the next decision.
const laterStatuses: readonly DecidedStatus[] = ['approved', 'completed', 'rejected']

const decisions: Record<DecidedStatus, string> = {
  approved: 'Approve',
  rejected: 'Decline',
  completed: 'Complete',
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
  return (
    <div className="rounded-control bg-glass-light px-4 py-3">
      <p className="text-sm text-muted">Next step</p>
      <p className="text-lg leading-snug font-semibold text-navy">{nextStepLabel(step)}</p>
      <p className="mt-0.5 text-[0.9375rem] text-ink">{hints[step.kind]}</p>
      <div className="mt-3 mb-1 grid empty:hidden">
        <StepAction application={application} open={open} step={step} />
      </div>
    </div>
  )
}

/** The button for the next step. Approve, complete and decline have separate buttons. */
function StepAction({ application, open, step }: StatusCardProps & { step: NextStep }) {
  const { id } = application
  switch (step.kind) {
    case 'generate_lease':
      return (
        <ModalButton size="md" variant="primary" open={open} modal={{ kind: 'generate-lease' }}>
          Generate Lease
        </ModalButton>
      )
    case 'signature':
      return !isInvited(application) && <CopyLink path={paths.signLease(id)}>Copy Link to Lease</CopyLink>
    case 'overdue':
    case 'owed':
      return !isInvited(application) && <CopyLink path={paths.payment(id)}>Copy Link to Payment</CopyLink>
    case 'overpaid':
    case 'return_deposit':
      return (
        <ModalButton
          size="md"
          variant="primary"
          open={open}
          modal={{
            kind: 'record-return',
            suggestedCents: step.amountCents,
            isDeposit: step.kind === 'return_deposit',
          }}
        >
          {step.kind === 'overpaid' ? 'Give It Back' : 'Return Deposit'}
        </ModalButton>
      )
    default:
      return null
  }
}

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

/** Whether the booking is not open to the guest yet; then the owner sends an invitation instead of a link. */
const isInvited = ({ guestAccess, invitation }: Application) => guestAccess !== 'open' && invitation !== null

const hints: Record<NextStep['kind'], string> = {
  answer: 'Approve to book the nights, or decline.',
  generate_lease: 'The tenant can sign it right after.',
  signature: 'The tenant signs online. Send the link, or upload a lease signed on paper.',
  overdue: 'The tenant pays online. The payment plan says which payment is late.',
  owed: 'The tenant pays online. A check or cash is added under Payment Information.',
  on_its_way: 'A bank payment takes a few days to arrive.',
  overpaid: 'Give it back, or transfer it to another booking.',
  return_deposit: 'The stay is over: give the deposit back, or keep a part of it with a reason.',
  complete: 'The lease is signed and the money has arrived.',
}

/** For a booking that the owner entered: its source, and whether the guest was invited. */
function EnteredBooking({ application, open }: StatusCardProps) {
  const timeZone = useTimeZone()
  if (application.source !== 'owner') return null
  const { guestAccess, invitation, sourceLabel, sourceNote } = application
  return (
    <div className="grid justify-items-start gap-2 border-t border-line pt-4">
      <p>Source: {sourceLabel}</p>
      {sourceNote && <p className="whitespace-pre-line wrap-anywhere text-muted">{sourceNote}</p>}
      {invitation && <p className="text-muted">{invitationSentence(invitation, timeZone)}</p>}
      {guestAccess === 'unproven' && (
        <Notice tone="warning" title="Closed to the account of this e-mail">
          Somebody registered {noBreakEmails(application.userId.email)} without confirming that the address is
          theirs. Only whoever uses the invitation sent there, or another mail to it, sees this booking.
        </Notice>
      )}
      {guestAccess !== 'open' && (
        <ModalButton
          variant={isInvited(application) && waitsForGuest(application) ? 'primary' : 'secondary'}
          open={open}
          modal={{ kind: 'invite' }}
        >
          {invitation ? 'Send Invitation Again' : 'Send Invitation'}
        </ModalButton>
      )}
    </div>
  )
}

const waitsForGuest = ({ nextStep }: Application) =>
  nextStep !== null && ['signature', 'overdue', 'owed'].includes(nextStep.kind)

function invitationSentence(
  { acceptedAt, expiresAt, sentAt }: NonNullable<Application['invitation']>,
  timeZone: string,
): string {
  if (acceptedAt) return `Invitation used ${formatMomentDate(acceptedAt, timeZone)}`
  const invited = `Invited ${formatMomentDate(sentAt, timeZone)}, not used yet`
  const isExpired = Date.parse(expiresAt) <= Date.now()
  return isExpired ? `${invited}. The link has expired.` : invited
}
