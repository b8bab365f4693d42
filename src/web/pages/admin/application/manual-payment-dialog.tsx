import { paymentTypeLabels } from '../../../../domain/ledger.ts'
import { formatCents } from '../../../../domain/money.ts'
import { manualPaymentInput, manualTypes } from '../../../../domain/payment.ts'
import { api } from '../../../api/api.ts'
import { balanceOf } from '../../../features/payments/payment-view.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { useZodForm } from '../../../forms/zod-form.ts'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { MoneyField, TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { asCents } from './amount-input.ts'
import { type Application, useInvalidateApplication, usePayments } from './application-data.ts'
import { FormDialog } from './form-dialog.tsx'

type ManualPaymentDialogProps = { application: Application; today: string; onClose: () => void }

/** Enters a payment that came by check, cash or bank. */
export function ManualPaymentDialog({ application, today, onClose }: ManualPaymentDialogProps) {
  const add = api.payments.addManual.useMutation()
  const invalidate = useInvalidateApplication()
  const form = useZodForm(manualPaymentInput, {
    paymentDate: today,
    checkNumber: '',
    notes: '',
    applicationId: application.id,
  })
  const { register, formState } = form
  const { errors, isSubmitting } = formState

  const payments = usePayments(application).data?.payments
  const owed = payments && balanceOf(application, payments).balanceCents

  const failed = 'Failed to add manual payment'
  const { submit, refusal } = useSubmit(form, { failed, threw: failed }, async payment => {
    await add.mutateAsync(payment)
    toast.success('Manual payment added successfully!')
    void invalidate()
    onClose()
  })

  return (
    <FormDialog
      title="Add Manual Payment"
      submitLabel="Add Payment"
      busy={isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <MoneyField
          label="Amount"
          required
          hint={owed !== undefined && owed > 0 && `${formatCents(owed)} is owed.`}
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
    </FormDialog>
  )
}
