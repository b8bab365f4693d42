import { formatCents } from '../../../../domain/common/money.ts'
import { paymentTypeLabels } from '../../../../domain/money/ledger.ts'
import { manualTypes } from '../../../../domain/money/payment.ts'
import { manualPaymentInput } from '../../../../domain/money/payment-input.ts'

import { api } from '../../../api/api.ts'
import { useToday } from '../../../features/stays/today.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Application, useCharges, useInvalidateApplication } from './application-data.ts'
import { asCents } from './money-values.ts'
import { PrivateNotesField } from './private-notes-field.tsx'

type ManualPaymentDialogProps = { application: Application; onClose: () => void }

/** Records a payment by check, cash or bank transfer. */
export function ManualPaymentDialog({ application, onClose }: ManualPaymentDialogProps) {
  const today = useToday()
  const add = api.payments.addManual.useMutation()
  const invalidate = useInvalidateApplication()
  const form = useZodForm(manualPaymentInput, {
    paymentDate: today,
    checkNumber: '',
    notes: '',
    applicationId: application.id,
  })
  const field = fieldPropsOf(form)
  const owedCents = useCharges(application).data?.summary.balanceCents ?? 0
  const submission = useSubmit(form, 'Failed to add manual payment', async payment => {
    await add.mutateAsync(payment)
    toast.success('Manual payment added successfully!')
    void invalidate()
    onClose()
  })
  return (
    <FormDialog {...submission} title="Add Manual Payment" submitLabel="Add Payment" onClose={onClose}>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <MoneyField
          label="Amount"
          required
          hint={owedCents > 0 && `${formatCents(owedCents)} is owed.`}
          {...field('amount', asCents)}
        />
        <SelectField label="Payment type" required {...field('paymentType')}>
          <option value="">Select a type</option>
          {manualTypes.map(type => (
            <option key={type} value={type}>
              {paymentTypeLabels[type]}
            </option>
          ))}
        </SelectField>
        <TextField label="Payment date" type="date" max={today} {...field('paymentDate')} />
        <TextField label="Check number" autoComplete="off" {...field('checkNumber')} />
      </div>
      <PrivateNotesField {...field('notes')} />
    </FormDialog>
  )
}
