import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { formatCents } from '../../../../domain/common/money.ts'
import { validAmountMessage } from '../../../../domain/money/payment.ts'
import { api } from '../../../api/api.ts'
import { failureOf } from '../../../api/failures.ts'
import { newRequestId } from '../../../api/request-id.ts'
import { asCents } from '../../../features/payments/dollar-amount.ts'
import { paidWith } from '../../../features/payments/payment-cells.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useFormSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { RadioGroupField } from '../../../ui/choice-fields.tsx'
import { MoneyField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { ConfirmRefund } from '../confirm-refund.tsx'
import {
  isBankPayment,
  type Payment,
  refundableCents,
  refundLabel,
  useInvalidateApplication,
} from './application-data.ts'

/** Refunds all or part of what can still be refunded of a card or bank account payment. */
export function CardRefundDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const leftCents = refundableCents(payment)
  const isBank = isBankPayment(payment)
  const unnamed = isBank ? 'the bank account' : 'the card'
  const source = payment.cardLast4 ? paidWith(payment) : unnamed
  const refund = useCardRefund(payment, source, onClose)
  const form = useZodForm(() => refundForm(leftCents), { share: 'whole' })
  const field = fieldPropsOf(form)
  const { submit } = useFormSubmit(
    form,
    async choice => refund.ask(choice.share === 'part' ? choice.totalCents : leftCents),
    () => undefined,
  )
  const share = useWatch({ control: form.control, name: 'share' })
  return (
    <>
      <FormDialog
        title={refundLabel(payment)}
        description={`Up to ${formatCents(leftCents)} of this payment can go back to ${source}${isBank ? '.' : ', the card fee included.'}`}
        submit={submit}
        busy={false}
        formError={refund.formError}
        submitLabel="Refund"
        danger
        onClose={onClose}
      >
        <RadioGroupField
          label="How much"
          cards
          disabled={refund.isUncertain}
          options={[
            { value: 'whole', label: 'All of it', hint: formatCents(leftCents) },
            { value: 'part', label: 'A part', hint: 'The rest stays paid' },
          ]}
          {...field('share')}
        />
        {share === 'part' && (
          <MoneyField
            label="Amount to refund"
            required
            readOnly={refund.isUncertain}
            hint={!isBank && 'Split in proportion between the amount and the card fee.'}
            {...field('totalCents', { ...asCents, shouldUnregister: true })}
          />
        )}
      </FormDialog>
      {refund.askedCents !== undefined && (
        <ConfirmRefund
          amountCents={refund.askedCents}
          source={source}
          busy={refund.isSending}
          onConfirm={() => void refund.send()}
          onCancel={() => refund.ask(undefined)}
        />
      )}
    </>
  )
}

/** Sends the confirmed refund. If the outcome is unknown, only the same refund can be sent again. */
function useCardRefund(payment: Payment, source: string, onDone: () => void) {
  const refund = api.payments.refund.useMutation()
  const invalidate = useInvalidateApplication()
  // One idempotency key per dialog, so that a retry does not refund twice.
  const [requestId] = useState(newRequestId)
  const [askedCents, ask] = useState<number>()
  const [isSending, setIsSending] = useState(false)
  const [formError, setFormError] = useState<string>()
  const [isUncertain, setIsUncertain] = useState(false)

  const send = async () => {
    if (askedCents === undefined) return
    setIsSending(true)
    const loading = toast.loading('Refunding...')
    try {
      await refund.mutateAsync({ paymentId: payment.id, totalCents: askedCents, requestId })
      toast.success(`${formatCents(askedCents)} refunded`, `To ${source}`, loading)
      // The dialog that opens next shows the remaining amount.
      await invalidate()
      onDone()
    } catch (error) {
      const failure = failureOf(error)
      setFormError(toastFailure(error, 'Refund failed', loading).message)
      setIsUncertain(failure.kind === 'broken' || failure.status >= 500)
      ask(undefined)
      void invalidate()
    } finally {
      setIsSending(false)
    }
  }
  return { askedCents, ask, send, isSending, formError, isUncertain }
}

function refundForm(leftCents: number) {
  const totalCents = z
    .number(validAmountMessage)
    .int(validAmountMessage)
    .min(1, validAmountMessage)
    .max(leftCents, `At most ${formatCents(leftCents)} can be refunded.`)
  return z.discriminatedUnion('share', [
    z.object({ share: z.literal('whole') }),
    z.object({ share: z.literal('part'), totalCents }),
  ])
}
