import type { DecidedStatus } from '../../../../domain/application-status.ts'
import { formatMoment, formatMomentDate } from '../../../../domain/dates.ts'
import { ApplicationStatusBadge } from '../../../features/applications/status-badge.tsx'
import { useTimeZone } from '../../../features/stays/today.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import type { Application, OpenModal } from './application-data.ts'
import { ModalButton } from './modal-button.tsx'

type StatusCardProps = { application: Application; open: OpenModal }

export function StatusCard({ application, open }: StatusCardProps) {
  const { status, submittedAt, updatedAt } = application
  const timeZone = useTimeZone()
  const button = (to: DecidedStatus, label: string, variant: 'primary' | 'secondary', className?: string) => (
    <ModalButton
      variant={variant}
      className={className}
      disabled={status === to}
      open={open}
      modal={{ kind: 'status', status: to }}
    >
      {label}
    </ModalButton>
  )
  return (
    <Card aria-label="Application Status">
      <CardHeader
        title="Application Status"
        action={<ApplicationStatusBadge status={status} screen="details" />}
      />
      <CardBody className="grid gap-5">
        <DefinitionList
          columns={1}
          items={[
            { label: 'Submitted', value: submittedAt && formatMoment(submittedAt, timeZone) },
            { label: 'Last change', value: formatMoment(updatedAt, timeZone) },
          ]}
        />
        <EnteredBooking application={application} open={open} />
        <div className="grid grid-cols-3 gap-2.5">
          {button('approved', 'Approve', status === 'pending' ? 'primary' : 'secondary')}
          {button('rejected', 'Decline', 'secondary', 'text-red')}
          {button('completed', 'Complete', status === 'approved' ? 'primary' : 'secondary')}
        </div>
      </CardBody>
    </Card>
  )
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
