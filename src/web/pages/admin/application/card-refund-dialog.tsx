import { useState } from 'react'
import { z } from 'zod'
import { formatCents } from '../../../../domain/money.ts'
import { validAmountMessage } from '../../../../domain/payment.ts'
import { api, failureOf } from '../../../api/api.ts'
import { newRequestId } from '../../../api/request-id.ts'
import { paidWith } from '../../../features/payments/payment-table.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { RadioGroupField } from '../../../ui/choice-fields.tsx'
import { MoneyField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { RefundQuestion } from '../refund-question.tsx'
import { type Payment, refundableCents, useInvalidateApplication } from './application-data.ts'
import { asCents } from './money-values.ts'

/** Refunds all or a part of what is left of a card payment. */
export function CardRefundDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const leftCents = refundableCents(payment)
  const card = payment.cardLast4 ? paidWith(payment) : 'the card'
  const refund = useCardRefund(payment, card, onClose)
  const form = useZodForm(refundForm(leftCents), { share: 'whole' })
  const field = fieldPropsOf(form)
  return (
    <>
      <FormDialog
        title="Refund to card"
        description={`Of this payment ${formatCents(leftCents)} can go back to ${card}, the card fee included.`}
        submit={form.handleSubmit(choice =>
          refund.ask(choice.share === 'part' ? choice.totalCents : leftCents),
        )}
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
          {...form.register('share')}
        />
        {form.watch('share') === 'part' && (
          <MoneyField
            label="Amount to refund"
            required
            readOnly={refund.isUncertain}
            hint="Shared between amount and card fee in proportion."
            {...field('totalCents', asCents)}
          />
        )}
      </FormDialog>
      {refund.askedCents !== undefined && (
        <RefundQuestion
          amountCents={refund.askedCents}
          card={card}
          busy={refund.isSending}
          onConfirm={() => void refund.send()}
          onCancel={() => refund.ask(undefined)}
        />
      )}
    </>
  )
}

/** Sends the refund that was asked about. After an unknown outcome only the same refund can be sent again. */
function useCardRefund(payment: Payment, card: string, onDone: () => void) {
  const refund = api.payments.refund.useMutation()
  const invalidate = useInvalidateApplication()
  // One id for the dialog, so that a refund which is sent twice is made once.
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
      toast.success(`${formatCents(askedCents)} refunded`, `To ${card}`, loading)
      // The dialog that opens next shows what is left.
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
