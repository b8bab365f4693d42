import { useState } from 'react'
import { cancellationRequest } from '../../../../domain/bookings/cancellation.ts'
import { formatLongDate, formatMomentDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api, type Outputs } from '../../../api/api.ts'
import {
  type Proposal,
  ProposalFacts,
  RefundRow,
  sumsOf,
} from '../../../features/deposits/cancellation-parts.tsx'
import { DepositSection } from '../../../features/deposits/deposit-parts.tsx'
import { useTimeZone } from '../../../features/stays/today.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { TextAreaField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'

type CancellationCardProps = Outputs['cancellations']['get'] & { applicationId: string }

/** Asking to cancel a booked stay, and what came of it. */
export function CancellationCard({ applicationId, cancellation, proposal }: CancellationCardProps) {
  const [asking, setAsking] = useState(false)
  const isDone = cancellation?.state === 'cancelled'
  if (!isDone && !proposal) return null
  return (
    <Card aria-label="Cancellation">
      <CardHeader title="Cancellation" />
      <CardBody className="grid gap-4">
        {isDone ? (
          <Cancelled cancellation={cancellation} />
        ) : cancellation?.state === 'requested' ? (
          <Requested applicationId={applicationId} cancellation={cancellation} />
        ) : (
          <>
            {cancellation?.state === 'declined' && cancellation.note && (
              <p className="whitespace-pre-line wrap-anywhere">
                You asked to cancel. The owner has not agreed: “{cancellation.note}”
              </p>
            )}
            <p className="text-muted">Plans change. See what would come back before you ask.</p>
            <Button variant="secondary" className="justify-self-start" onClick={() => setAsking(true)}>
              Ask to Cancel
            </Button>
          </>
        )}
        {asking && proposal && (
          <AskDialog applicationId={applicationId} proposal={proposal} onClose={() => setAsking(false)} />
        )}
      </CardBody>
    </Card>
  )
}

type Known = { cancellation: NonNullable<CancellationCardProps['cancellation']> }

function Cancelled({ cancellation }: Known) {
  return (
    <>
      <DefinitionList rows columns={1} items={sumsOf(cancellation)} />
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

function Requested({ applicationId, cancellation }: Known & { applicationId: string }) {
  const timeZone = useTimeZone()
  const takeBack = api.cancellations.takeBack.useMutation()
  const utils = api.useUtils()
  const take = async () => {
    try {
      await takeBack.mutateAsync({ applicationId })
      toast.success('Request taken back')
    } catch (error) {
      toastFailure(error, 'Failed to take the request back')
    }
    await utils.cancellations.invalidate()
  }
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
        onClick={() => void take()}
      >
        Take Back
      </Button>
    </>
  )
}

type AskDialogProps = { applicationId: string; proposal: Proposal; onClose: () => void }

function AskDialog({ applicationId, onClose, proposal }: AskDialogProps) {
  const request = api.cancellations.request.useMutation()
  const utils = api.useUtils()
  const form = useZodForm(cancellationRequest, { reason: '' })
  const { daysBefore, depositCents, receivedOn, refundPercent } = proposal
  const submission = useSubmit(form, 'Failed to send your request', async ({ reason }) => {
    await request.mutateAsync({ applicationId, reason })
    toast.success('Cancellation requested')
    await utils.cancellations.invalidate()
    onClose()
  })
  return (
    <FormDialog
      {...submission}
      title="Ask to cancel?"
      description="The owner gets your words at once. Your booking stands until the owner has answered."
      submitLabel="Ask to Cancel"
      busyLabel="Sending..."
      cancelLabel="Keep my stay"
      onClose={onClose}
    >
      <p>
        If the owner agrees, this comes back, counted from {formatLongDate(receivedOn)}:{' '}
        {plural(daysBefore, 'day')} before arrival, {refundPercent}%
        {depositCents > 0 && ` and the deposit of ${formatCents(depositCents)}`}.
      </p>
      <ProposalFacts proposal={proposal} />
      <TextAreaField label="Reason" required rows={4} {...fieldPropsOf(form)('reason')} />
    </FormDialog>
  )
}
