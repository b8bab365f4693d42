import { cancellationRequest } from '../../../../domain/bookings/cancellation.ts'
import { onItsWayCents } from '../../../../domain/bookings/tenant-step.ts'
import { formatMomentDate, formatShortDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api } from '../../../api/api.ts'
import {
  type Cancellation,
  OnItsWayNotice,
  type Proposal,
  ProposalFacts,
  RefundRow,
} from '../../../features/deposits/cancellation-parts.tsx'
import { DepositSection } from '../../../features/deposits/deposit-parts.tsx'
import { useTimeZone } from '../../../features/stays/today.ts'
import { useChange, useDialogSubmit } from '../../../forms/change.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'

type CancellationCardProps = { cancellation: Cancellation }

/** A request that waits or was declined, or what comes back of a cancelled stay. */
export function CancellationCard({ cancellation }: CancellationCardProps) {
  const { note, state } = cancellation
  return (
    <Card aria-label="Cancellation">
      <CardHeader title="Cancellation" />
      <CardBody className="grid gap-4">
        {state === 'cancelled' && <Cancelled cancellation={cancellation} />}
        {state === 'requested' && <Requested cancellation={cancellation} />}
        {state === 'declined' && (
          <p className="whitespace-pre-line wrap-anywhere">
            You asked to cancel. Your booking stands{note ? `: “${note}”` : '.'}
          </p>
        )}
      </CardBody>
    </Card>
  )
}

function Cancelled({ cancellation }: CancellationCardProps) {
  const { applicationId, decidedAt, side } = cancellation
  const timeZone = useTimeZone()
  const payments = api.payments.history.useQuery({ applicationId }).data?.payments ?? []
  return (
    <>
      <p>
        {side === 'tenant' ? 'You' : 'We'} cancelled this stay
        {decidedAt && ` on ${formatMomentDate(decidedAt, timeZone)}`}.
      </p>
      <OnItsWayNotice cents={onItsWayCents(payments)} />
      {cancellation.refunds.length > 0 && (
        <DepositSection title="Refunds">
          {cancellation.refunds.map(refund => (
            <RefundRow key={refund.id} refund={refund} />
          ))}
        </DepositSection>
      )}
    </>
  )
}

function Requested({ cancellation }: CancellationCardProps) {
  const { applicationId } = cancellation
  const timeZone = useTimeZone()
  const { client } = api.useUtils()
  const takeBack = useChange('Failed to take the request back', async () => {
    await client.cancellations.takeBack.mutate({ applicationId })
    return 'Request taken back'
  })
  return (
    <>
      <div>
        <p className="font-semibold text-navy">Cancellation requested</p>
        <p className="text-muted">
          {cancellation.requestedAt && `On ${formatMomentDate(cancellation.requestedAt, timeZone)}. `}
          Your booking stands until the owner has answered.
        </p>
      </div>
      <Button
        variant="secondary"
        className="justify-self-start"
        busy={takeBack.isPending}
        busyLabel="Taking back..."
        onClick={() => takeBack.mutate()}
      >
        Take Back
      </Button>
    </>
  )
}

type AskToCancelProps = { applicationId: string; proposal: Proposal; onClose: () => void }

/** Shows what would come back before the tenant asks. */
export function AskToCancel({ applicationId, onClose, proposal }: AskToCancelProps) {
  const request = api.cancellations.request.useMutation()
  const form = useZodForm(cancellationRequest, { reason: '' })
  const { daysBefore, depositCents, onItsWayCents, paidCents, receivedOn, refundCents, refundPercent } =
    proposal
  const submission = useDialogSubmit(form, 'Failed to send your request', onClose, async ({ reason }) => {
    await request.mutateAsync({ applicationId, reason, seenRefundCents: refundCents })
    return 'Cancellation requested'
  })
  return (
    <FormDialog
      {...submission}
      title="Ask to cancel?"
      description="The owner gets your words at once. Your booking stands until the owner has answered."
      submitLabel="Ask to Cancel"
      busyLabel="Sending..."
      cancelLabel="Keep my stay"
    >
      {paidCents === 0 && onItsWayCents === 0 ? (
        <p>You have paid nothing, so nothing comes back.</p>
      ) : (
        <>
          <p>
            This comes back, counted from {formatShortDate(receivedOn)}: {plural(daysBefore, 'day')} before
            arrival, {refundPercent}%{depositCents > 0 && ` and the deposit of ${formatCents(depositCents)}`}.
          </p>
          <ProposalFacts proposal={proposal} />
        </>
      )}
      <TextAreaField label="Reason" required rows={4} {...fieldPropsOf(form)('reason')} />
    </FormDialog>
  )
}
