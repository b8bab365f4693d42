import { keepPreviousData } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { byHandForm, cancellationForm, cancellationNote } from '../../../../domain/bookings/cancellation.ts'
import { formatShortDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api } from '../../../api/api.ts'
import { type Proposal, ProposalFacts } from '../../../features/deposits/cancellation-parts.tsx'
import { asCents, toDollarText } from '../../../features/payments/dollar-amount.ts'
import { useToday } from '../../../features/stays/today.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { RadioGroupField } from '../../../ui/choice-fields.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { MoneyField, TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { type Application, type Modals, useCancellation } from './application-data.ts'

type DialogProps = { application: Application; onClose: () => void }

/** Cancels a booked stay, with what goes back of what was paid. */
export function CancelStayDialog({ application, onClose, side }: DialogProps & Modals['cancel-stay']) {
  const applicationId = application.id
  const cancel = api.cancellations.cancel.useMutation()
  const { cancellation } = useCancellation(application).data ?? {}
  const asked = cancellation?.state === 'requested' ? cancellation.reason : ''
  const form = useZodForm(cancellationForm, { side, reason: asked })
  const field = fieldPropsOf(form)
  const chosen = useWatch({ control: form.control, name: 'side' })
  const query = api.cancellations.adminGet.useQuery(
    { applicationId, side: chosen },
    { staleTime: 0, placeholderData: keepPreviousData },
  )
  const proposal = query.data?.proposal
  const isCurrent = proposal?.side === chosen && !query.isFetching
  const submission = useDialogSubmit(form, 'Failed to cancel the stay', onClose, async typed => {
    const seen = { paidCents: proposal?.paidCents, seenRefundCents: proposal?.refundCents }
    await cancel.mutateAsync({ ...typed, ...seen, applicationId })
    return 'Stay cancelled'
  })
  return (
    <FormDialog
      {...submission}
      title="Cancel this stay?"
      description="Its nights become free at once, nothing more is owed, and the tenant gets one email."
      submitLabel="Cancel Stay"
      busyLabel="Cancelling..."
      cancelLabel="Keep it"
      danger
      disabled={!isCurrent}
    >
      <RadioGroupField
        label="Who cancels"
        cards
        className="sm:[&>div]:grid-cols-2"
        options={[
          { value: 'tenant', label: 'The tenant', hint: 'As you set under Stay rules' },
          { value: 'owner', label: 'You', hint: 'All of it goes back' },
        ]}
        {...field('side')}
      />
      <QueryView
        query={query}
        loading="Reckoning what goes back..."
        error="We could not reckon what goes back."
      >
        {({ proposal }) =>
          proposal ? (
            <div className="grid gap-4">
              <p>
                Counts from {formatShortDate(proposal.receivedOn)}.{' '}
                <strong className="font-semibold text-navy">
                  {proposal.side === 'owner'
                    ? 'You cancel'
                    : `${plural(proposal.daysBefore, 'day')} before arrival`}
                  : {isDepositAlone(proposal) ? 'the deposit' : `${proposal.refundPercent}%`} back
                </strong>
                {proposal.depositCents > 0 &&
                  !isDepositAlone(proposal) &&
                  `, and the deposit of ${formatCents(proposal.depositCents)}`}
              </p>
              <ProposalFacts proposal={proposal}>
                To keep a part of it, wait until it has arrived.
              </ProposalFacts>
              {proposal.keptCents > 0 && (
                <p className="text-sm text-muted">
                  What you keep carries no tax: the taxes of the stay are no longer owed. If you have paid
                  them over already, the books tell you.
                </p>
              )}
              {proposal.depositCents < proposal.paidCents && (
                <MoneyField
                  label="Refund"
                  placeholder={toDollarText(proposal.refundCents)}
                  hint={`Leave empty for ${formatCents(proposal.refundCents)}. At least the deposit, ${formatCents(proposal.depositCents)}; at most ${formatCents(proposal.paidCents)}.`}
                  {...field('refundCents', asCents)}
                />
              )}
            </div>
          ) : (
            <p>This stay can no longer be cancelled.</p>
          )
        }
      </QueryView>
      <TextAreaField label="Reason" required rows={3} hint="Kept with the booking." {...field('reason')} />
    </FormDialog>
  )
}

/** If only the deposit was paid, there is nothing to apply a percentage to. */
const isDepositAlone = ({ depositCents, paidCents }: Proposal) =>
  depositCents > 0 && depositCents === paidCents

/** Answers a tenant's request. */
export function KeepBookingDialog({ application, onClose }: DialogProps) {
  const decline = api.cancellations.decline.useMutation()
  const form = useZodForm(cancellationNote, { note: '' })
  const submission = useDialogSubmit(form, 'Failed to answer the request', onClose, async ({ note }) => {
    await decline.mutateAsync({ applicationId: application.id, note })
    return 'The booking stands'
  })
  return (
    <FormDialog
      {...submission}
      title="Keep the booking?"
      description="Nothing changes. The tenant gets your words by email."
      submitLabel="Keep the Booking"
      busyLabel="Sending..."
    >
      <TextAreaField label="Why" required rows={4} {...fieldPropsOf(form)('note')} />
    </FormDialog>
  )
}

/** Records that a refund has gone back by check or in cash. */
export function RefundByHandDialog({ onClose, refund }: DialogProps & Modals['refund-by-hand']) {
  const record = api.cancellations.refundByHand.useMutation()
  const today = useToday()
  const form = useZodForm(byHandForm, { date: today, checkNumber: '' })
  const field = fieldPropsOf(form)
  const submission = useDialogSubmit(form, 'Failed to record the refund', onClose, async typed => {
    await record.mutateAsync({ ...typed, refundId: refund.id, seenCents: refund.amountCents })
    return 'Refund recorded'
  })
  return (
    <FormDialog
      {...submission}
      title="Record refund"
      description={`What you have paid back by hand: ${formatCents(refund.amountCents)}${refund.feeCents > 0 ? `, without the card fee of ${formatCents(refund.feeCents)}` : ''}.`}
      submitLabel={`Record ${formatCents(refund.amountCents)}`}
    >
      <TextField
        label="Date"
        type="date"
        max={today}
        {...field('date', { setValueAs: (text: string) => text || undefined })}
      />
      <TextField label="Check number" autoComplete="off" {...field('checkNumber')} />
    </FormDialog>
  )
}
