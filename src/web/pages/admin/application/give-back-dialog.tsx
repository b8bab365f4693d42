import { useId, useState } from 'react'
import { giveBackInput, givenBackKinds } from '../../../../domain/payment.ts'
import { api } from '../../../app/api.ts'
import { toastFailure } from '../../../features/forms/failure-toast.ts'
import { showFieldErrors, useZodForm } from '../../../features/forms/zod-form.ts'
import { toDollarText } from '../../../features/payments/dollar-amount.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { asCents } from './amount-input.ts'
import { type Application, useChanged } from './application-details.tsx'

type GiveBackDialogProps = {
  application: Application
  today: string
  /** What is suggested, in cents. */
  amountCents: number | undefined
  onClose: () => void
}

const kindLabels: Record<(typeof givenBackKinds)[number], string> = {
  refund: 'Refund of a payment',
  deposit_return: 'Deposit returned',
  deduction: 'Kept from the deposit',
}

/** Notes in the ledger what went back by check, cash or bank, or what is kept from the deposit. */
export function GiveBackDialog({ application, today, amountCents, onClose }: GiveBackDialogProps) {
  const formId = useId()
  const give = api.payments.giveBack.useMutation()
  const changed = useChanged()
  const [refusal, setRefusal] = useState<string>()
  const form = useZodForm(giveBackInput, {
    applicationId: application.id,
    kind: 'refund',
    date: today,
    checkNumber: '',
    reason: '',
  })
  const { register, handleSubmit, formState, watch } = form
  const { errors, isSubmitting } = formState
  const isDeduction = watch('kind') === 'deduction'

  const save = handleSubmit(async input => {
    setRefusal(undefined)
    try {
      await give.mutateAsync(input)
      toast.success(isDeduction ? 'Deduction noted' : 'Money given back was noted')
      await changed()
      onClose()
    } catch (error) {
      const failed = 'Failed to note the money given back'
      const { title, detail, fields } = toastFailure(error, { failed, threw: failed })
      setRefusal(detail ?? title)
      showFieldErrors(form, fields)
    }
  })

  return (
    <Dialog
      open
      onOpenChange={next => !next && !isSubmitting && onClose()}
      title="Give Money Back"
      description="Notes what you paid back by check, cash or bank. A card payment is refunded from its own row."
      footer={
        <>
          <Button variant="secondary" disabled={isSubmitting} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={isSubmitting} busyLabel="Saving...">
            Save
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={save} className="grid gap-5">
        <FormError>{refusal}</FormError>
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <SelectField label="What it is" required error={errors.kind?.message} {...register('kind')}>
            {givenBackKinds.map(kind => (
              <option key={kind} value={kind}>
                {kindLabels[kind]}
              </option>
            ))}
          </SelectField>
          <MoneyField
            label="Amount"
            required
            defaultValue={amountCents === undefined ? undefined : toDollarText(amountCents)}
            error={errors.amount?.message}
            {...register('amount', asCents)}
          />
          <TextField
            label="Date"
            type="date"
            max={today}
            error={errors.date?.message}
            {...register('date', { setValueAs: text => text || undefined })}
          />
          <TextField
            label="Check number"
            autoComplete="off"
            error={errors.checkNumber?.message}
            {...register('checkNumber')}
          />
        </div>
        <TextField
          label={isDeduction ? 'What the deduction is for' : 'Reason'}
          required={isDeduction}
          autoComplete="off"
          hint="The tenant sees this."
          error={errors.reason?.message}
          {...register('reason')}
        />
      </form>
    </Dialog>
  )
}
