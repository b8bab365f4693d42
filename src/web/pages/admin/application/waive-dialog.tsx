import { formatCents } from '../../../../domain/common/money.ts'
import { planMessages } from '../../../../domain/money/payment-plan.ts'
import { waiveForm } from '../../../../domain/money/payment-plan-form.ts'
import { ownOpenCents } from '../../../../domain/money/payment-plan-state.ts'
import { api } from '../../../api/api.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { usePlanChange } from './plan-data.ts'
import type { InstallmentDialogProps } from './postpone-dialog.tsx'
import { TenantEmailPreview } from './tenant-email-preview.tsx'

/** Waives the open amount of an installment: it is no longer owed. */
export function WaiveDialog({ application, installment, onClose }: InstallmentDialogProps) {
  const { id, label } = installment
  const openCents = ownOpenCents(installment)
  const waive = api.plans.waive.useMutation()
  const change = usePlanChange(application)
  const form = useZodForm(waiveForm, {
    reason: '',
  })
  const submission = useSubmit(form, 'Failed to waive the payment', async input => {
    await change(() => waive.mutateAsync({ id, ...input }))
    toast.success('Payment waived')
    onClose()
  })
  return (
    <FormDialog
      {...submission}
      title={`Waive “${label}”?`}
      description={`${formatCents(openCents)} is open. It comes off what the tenant owes for good, with a charge “${planMessages.waived(label)}”.`}
      submitLabel="Waive"
      busyLabel="Waiving..."
      danger
      onClose={onClose}
    >
      <TextField
        label="Reason"
        required
        autoComplete="off"
        hint="For you alone; the tenant does not see it."
        {...fieldPropsOf(form)('reason')}
      />
      <TenantEmailPreview subject="Your payment plan has changed">
        {planMessages.notOwed(label, openCents)}
      </TenantEmailPreview>
    </FormDialog>
  )
}
