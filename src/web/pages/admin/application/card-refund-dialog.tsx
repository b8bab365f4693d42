import { useId, useState } from 'react'
import { z } from 'zod'
import { formatCents } from '../../../../domain/money.ts'
import { validAmountMessage } from '../../../../domain/payment.ts'
import { api, failureOf } from '../../../api/api.ts'
import { newRequestId } from '../../../api/request-id.ts'
import { paidWith } from '../../../features/payments/payment-table.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioGroupField } from '../../../ui/choice-fields.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { MoneyField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { asCents } from './amount-input.ts'
import { type Payment, refundableCents, useInvalidateApplication } from './application-data.ts'

/** The whole or a part of what is left of a card payment, asked once more before it goes. */
export function CardRefundDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const formId = useId()
  const left = refundableCents(payment)
  const refund = api.payments.refund.useMutation()
  const invalidate = useInvalidateApplication()
  /** One answer to this question is one refund, however often it is sent. */
  const [requestId] = useState(newRequestId)
  const [asking, setAsking] = useState<number>()
  const [isSending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  /** Nobody knows whether it went through: the same may be asked again, but nothing else. */
  const [unsure, setUnsure] = useState(false)
  const form = useZodForm(refundChoice(left), { share: 'whole' })
  const { register, handleSubmit, formState, getFieldState, watch } = form
  const isPart = watch('share') === 'part'
  const card = payment.cardLast4 ? paidWith(payment) : 'the card'

  const send = async (totalCents: number) => {
    setSending(true)
    const loading = toast.loading('Refunding...')
    try {
      await refund.mutateAsync({ paymentId: payment.id, totalCents, requestId })
      toast.success(`${formatCents(totalCents)} refunded`, `To ${card}`, loading)
      // What opens next reckons with what is left.
      await invalidate()
      onClose()
    } catch (error) {
      const failure = failureOf(error)
      const texts = { failed: 'Refund failed', threw: 'Refund failed' }
      const { title, detail } = toastFailure(error, texts, loading)
      setRefusal(detail ?? title)
      setUnsure(failure.kind === 'broken' || failure.status >= 500)
      setAsking(undefined)
      void invalidate()
    } finally {
      setSending(false)
    }
  }

  return (
    <>
      <Dialog
        open
        onOpenChange={next => !next && onClose()}
        title="Refund to card"
        description={`Of this payment ${formatCents(left)} can go back to ${card}, the card fee included.`}
        footer={
          <>
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" form={formId} variant="danger">
              Refund
            </Button>
          </>
        }
      >
        <form
          id={formId}
          noValidate
          onSubmit={handleSubmit(choice => setAsking(choice.share === 'part' ? choice.totalCents : left))}
          className="grid gap-5"
        >
          <FormError>{refusal}</FormError>
          <RadioGroupField
            label="How much"
            cards
            disabled={unsure}
            options={[
              { value: 'whole', label: 'All of it', hint: formatCents(left) },
              { value: 'part', label: 'A part', hint: 'The rest stays paid' },
            ]}
            {...register('share')}
          />
          {isPart && (
            <MoneyField
              label="Amount to refund"
              required
              readOnly={unsure}
              hint="Shared between amount and card fee in proportion."
              error={getFieldState('totalCents', formState).error?.message}
              {...register('totalCents', asCents)}
            />
          )}
        </form>
      </Dialog>
      {/* Mounted only while it asks: a question that closes must not lose its amount. */}
      {asking !== undefined && (
        <ConfirmDialog
          open
          danger
          title={`Refund ${formatCents(asking)} to ${card}?`}
          body="The money leaves at once and cannot be called back."
          confirmLabel={`Refund ${formatCents(asking)}`}
          busy={isSending}
          busyLabel="Refunding..."
          onConfirm={() => void send(asking)}
          onCancel={() => setAsking(undefined)}
        />
      )}
    </>
  )
}

function refundChoice(left: number) {
  const tooMuch = `At most ${formatCents(left)} can be refunded.`
  return z.discriminatedUnion('share', [
    z.object({ share: z.literal('whole') }),
    z.object({
      share: z.literal('part'),
      totalCents: z
        .number(validAmountMessage)
        .int(validAmountMessage)
        .min(1, validAmountMessage)
        .max(left, tooMuch),
    }),
  ])
}
