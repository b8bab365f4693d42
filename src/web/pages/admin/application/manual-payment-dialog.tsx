import { useId, useState } from 'react'
import { paymentTypeLabels } from '../../../../domain/ledger.ts'
import { manualPaymentInput, manualTypes } from '../../../../domain/payment.ts'
import { api } from '../../../app/api.ts'
import { toastFailure } from '../../../features/forms/failure-toast.ts'
import { showFieldErrors, useZodForm } from '../../../features/forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { MoneyField, TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { asCents } from './amount-input.ts'
import { type Application, useChanged } from './application-details.tsx'

type ManualPaymentDialogProps = { application: Application; today: string; onClose: () => void }

/** Enters a payment that came by check, cash or bank. */
export function ManualPaymentDialog({ application, today, onClose }: ManualPaymentDialogProps) {
  const formId = useId()
  const add = api.payments.addManual.useMutation()
  const changed = useChanged()
  const [refusal, setRefusal] = useState<string>()
  const form = useZodForm(manualPaymentInput, {
    paymentDate: today,
    checkNumber: '',
    notes: '',
    applicationId: application.id,
  })
  const { register, handleSubmit, formState } = form
  const { errors, isSubmitting } = formState

  const save = handleSubmit(async payment => {
    setRefusal(undefined)
    try {
      await add.mutateAsync(payment)
      toast.success('Manual payment added successfully!')
      void changed()
      onClose()
    } catch (error) {
      const failed = 'Failed to add manual payment'
      const { title, detail, fields } = toastFailure(error, { failed, threw: failed })
      setRefusal(detail ?? title)
      showFieldErrors(form, fields)
    }
  })

  return (
    <Dialog
      open
      onOpenChange={next => !next && !isSubmitting && onClose()}
      title="Add Manual Payment"
      footer={
        <>
          <Button variant="secondary" disabled={isSubmitting} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={isSubmitting} busyLabel="Saving...">
            Add Payment
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={save} className="grid gap-5">
        <FormError>{refusal}</FormError>
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <MoneyField
            label="Amount"
            required
            error={errors.amount?.message}
            {...register('amount', asCents)}
          />
          <SelectField
            label="Payment type"
            required
            error={errors.paymentType?.message}
            {...register('paymentType')}
          >
            <option value="">Select a type</option>
            {manualTypes.map(type => (
              <option key={type} value={type}>
                {paymentTypeLabels[type]}
              </option>
            ))}
          </SelectField>
          <TextField
            label="Payment date"
            type="date"
            max={today}
            error={errors.paymentDate?.message}
            {...register('paymentDate')}
          />
          <TextField
            label="Check number"
            autoComplete="off"
            error={errors.checkNumber?.message}
            {...register('checkNumber')}
          />
        </div>
        <TextAreaField
          label="Notes"
          rows={3}
          hint="For you alone; the tenant does not see them."
          error={errors.notes?.message}
          {...register('notes')}
        />
      </form>
    </Dialog>
  )
}
