import { useWatch } from 'react-hook-form'
import { formatCents } from '../../../../domain/money.ts'
import { planMessages, waiveForm } from '../../../../domain/payment-plan-form.ts'
import { api } from '../../../api/api.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { usePlanChange } from './plan-data.ts'
import type { InstalmentDialogProps } from './postpone-dialog.tsx'
import { TenantReads } from './tenant-reads.tsx'

/** Takes what is open of an instalment out of what is owed. */
export function WaiveDialog({ application, instalment, onClose }: InstalmentDialogProps) {
  const { id, label, openCents } = instalment
  const waive = api.plans.waive.useMutation()
  const change = usePlanChange(application)
  const form = useZodForm(waiveForm, { reason: '' })
  const reason = useWatch({ control: form.control, name: 'reason' })
  const submission = useSubmit(form, 'Failed to waive the payment', async input => {
    await change(() => waive.mutateAsync({ id, ...input }))
    toast.success('Payment waived')
    onClose()
  })
  return (
    <FormDialog
      {...submission}
      title={`Waive “${label}”?`}
      description={`${formatCents(openCents)} is no longer owed. This cannot be taken back. Among the charges it is listed as “${planMessages.waived(label)}”.`}
      submitLabel="Waive"
      busyLabel="Waiving..."
      danger
      onClose={onClose}
    >
      <TextField
        label="Reason"
        required
        autoComplete="off"
        hint="The tenant reads it in the e-mail."
        {...fieldPropsOf(form)('reason')}
      />
      <TenantReads subject="Your payment plan has changed">
        {label}: {formatCents(openCents)} is waived.{reason && ` Reason: ${reason}`}
      </TenantReads>
    </FormDialog>
  )
}
