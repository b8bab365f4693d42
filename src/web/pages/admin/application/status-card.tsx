import { useEffect, useRef } from 'react'
import { type DecidedStatus, decidedStatuses } from '../../../../domain/application-status.ts'
import { formatMoment, formatMomentDate } from '../../../../domain/dates.ts'
import { type NextStep, nextStepLabel } from '../../../../domain/next-step.ts'
import { ApplicationStatusBadge } from '../../../features/applications/status-badge.tsx'
import { useTimeZone } from '../../../features/stays/today.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import type { Application, OpenModal } from './application-data.ts'
import { ModalButton } from './modal-button.tsx'

type StatusCardProps = { application: Application; open: OpenModal }

/** What has to happen next, the decisions about the application, and when it was made. */
export function StatusCard({ application, open }: StatusCardProps) {
  const { status, submittedAt, updatedAt, nextStep } = application
  const timeZone = useTimeZone()
  const card = useFocusAfterChange(status)
  const isNext = {
    approved: nextStep?.kind === 'answer',
    rejected: false,
    completed: nextStep?.kind === 'complete',
  }
  return (
    <Card ref={card} tabIndex={-1} aria-label="Application Status">
      <CardHeader
        title="Application Status"
        action={<ApplicationStatusBadge status={status} screen="details" />}
      />
      <CardBody className="grid gap-4">
        {nextStep && <Next step={nextStep} />}
        <div className="flex flex-wrap gap-2.5 *:grow">
          {(status === 'pending' ? decidedStatuses : laterStatuses).map(
            to =>
              to !== status && (
                <ModalButton
                  key={to}
                  size={nextStep ? 'md' : 'sm'}
                  variant={isNext[to] ? 'primary' : 'secondary'}
                  className={to === 'rejected' ? 'text-red' : undefined}
                  open={open}
                  modal={{ kind: 'status', status: to }}
                >
                  {decisions[to]}
                </ModalButton>
              ),
          )}
        </div>
        <DefinitionList
          columns={1}
          rows
          items={[
            { label: 'Submitted', value: submittedAt && formatMoment(submittedAt, timeZone) },
            { label: 'Last change', value: formatMoment(updatedAt, timeZone) },
          ]}
        />
        <EnteredBooking application={application} open={open} />
      </CardBody>
    </Card>
  )
}

// Declining is not the next thing to think of once an application is decided.
const laterStatuses: readonly DecidedStatus[] = ['approved', 'completed', 'rejected']

const decisions: Record<DecidedStatus, string> = {
  approved: 'Approve',
  rejected: 'Decline',
  completed: 'Complete',
}

/** The button of a decision goes away with it; then the card has the focus, where nothing else has it. */
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

function Next({ step }: { step: NextStep }) {
  return (
    <div className="rounded-control bg-glass-light px-4 py-3">
      <p className="text-sm text-muted">Next step</p>
      <p className="text-lg leading-snug font-semibold text-navy">{nextStepLabel(step)}</p>
      <p className="mt-0.5 text-[0.9375rem] text-ink">{hints[step.kind]}</p>
    </div>
  )
}

const hints: Record<NextStep['kind'], string> = {
  answer: 'Approve to book the nights, or decline.',
  generate_lease: 'The tenant can sign it right after.',
  signature: 'The tenant signs online. A lease signed on paper can be uploaded.',
  overdue: 'The payment plan says which payment is late.',
  owed: 'The tenant pays online. A check or cash is added under Payment Information.',
  on_its_way: 'A bank payment takes a few days to arrive.',
  overpaid: 'Give it back, or transfer it to another booking.',
  return_deposit: 'The stay is over: give the deposit back, or keep a part of it with a reason.',
  complete: 'The lease is signed and the money has arrived.',
}

/** Where a booking comes from that the owner entered, and whether its guest was invited. */
function EnteredBooking({ application, open }: StatusCardProps) {
  const timeZone = useTimeZone()
  if (application.source !== 'owner') return null
  const { invitation, sourceLabel, sourceNote } = application
  return (
    <div className="grid justify-items-start gap-2 border-t border-line pt-4">
      <p>Source: {sourceLabel}</p>
      {sourceNote && <p className="whitespace-pre-line wrap-anywhere text-muted">{sourceNote}</p>}
      {invitation && <p className="text-muted">{invitationSentence(invitation, timeZone)}</p>}
      {!invitation?.acceptedAt && (
        <ModalButton open={open} modal={{ kind: 'invite' }}>
          {invitation ? 'Send Invitation Again' : 'Send Invitation'}
        </ModalButton>
      )}
    </div>
  )
}

function invitationSentence(
  { acceptedAt, expiresAt, sentAt }: NonNullable<Application['invitation']>,
  timeZone: string,
): string {
  if (acceptedAt) return `Invitation used ${formatMomentDate(acceptedAt, timeZone)}`
  const invited = `Invited ${formatMomentDate(sentAt, timeZone)}, not used yet`
  const isExpired = Date.parse(expiresAt) <= Date.now()
  return isExpired ? `${invited}. The link has expired.` : invited
}
