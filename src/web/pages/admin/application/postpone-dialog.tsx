import { useWatch } from 'react-hook-form'
import { addDays, addMonths, formatLongDate, isCalendarDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { planMessages } from '../../../../domain/money/payment-plan.ts'
import { postponeForm } from '../../../../domain/money/payment-plan-form.ts'
import { ownOpenCents } from '../../../../domain/money/payment-plan-state.ts'
import { api } from '../../../api/api.ts'
import { useToday } from '../../../features/stays/today.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import type { Application, Installment } from './application-data.ts'
import { asCents } from './money-values.ts'
import { usePlanChange } from './plan-data.ts'
import { TenantEmailPreview } from './tenant-email-preview.tsx'

export type InstallmentDialogProps = {
  application: Application
  installment: Installment
  onClose: () => void
}

/** Moves the open amount of an installment, or a part of it, to a later date. */
export function PostponeDialog({ application, installment, onClose }: InstallmentDialogProps) {
  const { dueDate, id, label } = installment
  const openCents = ownOpenCents(installment)
  const today = useToday()
  const postpone = api.plans.postpone.useMutation()
  const change = usePlanChange(application)
  const form = useZodForm(postponeForm, {
    dueDate: '',
    reason: '',
  })
  const field = fieldPropsOf(form)
  const [newDate = '', typedCents] = useWatch({ control: form.control, name: ['dueDate', 'amountCents'] })
  const submission = useSubmit(form, 'Failed to postpone the payment', async input => {
    await change(() => postpone.mutateAsync({ id, ...input }))
    toast.success('Payment postponed')
    onClose()
  })
  const movedCents = typedCents ?? openCents
  const isLater = isCalendarDate(newDate) && newDate > (dueDate ?? '')
  const isComplete = isLater && movedCents > 0 && movedCents <= openCents
  return (
    <FormDialog
      {...submission}
      title={`Postpone “${label}”`}
      description={`${formatCents(openCents)} is open, due ${dueDate === null ? 'at signing' : `on ${formatLongDate(dueDate)}`}.`}
      submitLabel="Postpone"
      busyLabel="Postponing..."
      onClose={onClose}
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          label="New due date"
          type="date"
          required
          min={addDays(dueDate !== null && dueDate >= today ? dueDate : addDays(today, -1), 1)}
          max={addMonths(today, 12)}
          {...field('dueDate')}
        />
        <MoneyField
          label="Amount"
          hint={`Leave it empty for all that is open, ${formatCents(openCents)}.`}
          {...field('amountCents', asCents)}
        />
      </div>
      <TextField
        label="Reason"
        required
        autoComplete="off"
        hint="For you alone; the tenant does not see it."
        {...field('reason')}
      />
      <TenantEmailPreview subject="Your payment plan has changed">
        {isComplete
          ? planMessages.nowDue(label, movedCents, newDate)
          : 'It appears here once the date and the amount are valid.'}
      </TenantEmailPreview>
    </FormDialog>
  )
}
