import { useWatch } from 'react-hook-form'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { planMessages } from '../../../../domain/money/payment-plan.ts'
import { lateFeeCharge } from '../../../../domain/money/payment-plan-form.ts'
import { api } from '../../../api/api.ts'
import { toDollarText } from '../../../features/payments/dollar-amount.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { MoneyField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { asCents } from './money-values.ts'
import { usePlanChange } from './plan-data.ts'
import type { InstallmentDialogProps } from './postpone-dialog.tsx'
import { TenantEmailPreview } from './tenant-email-preview.tsx'

/** Charges the late fee proposed for an installment, or a lower fee. */
export function ChargeLateFeeDialog({ application, installment, onClose }: InstallmentDialogProps) {
  const { daysOverdue, id, label } = installment
  const proposedCents = installment.lateFee?.amountCents ?? 0
  const charge = api.plans.chargeLateFee.useMutation()
  const change = usePlanChange(application)
  const form = useZodForm(lateFeeCharge, {})
  const amountCents = useWatch({ control: form.control, name: 'amountCents' }) ?? proposedCents
  const submission = useSubmit(form, 'Failed to charge the late fee', async input => {
    await change(() => charge.mutateAsync({ id, ...input }))
    toast.success('Late fee charged')
    onClose()
  })
  return (
    <FormDialog
      {...submission}
      title={`Charge a late fee for “${label}”?`}
      description={`It is ${plural(daysOverdue, 'day')} overdue. The late fee is due in 7 days. There can be one for each payment.`}
      submitLabel="Charge late fee"
      busyLabel="Charging..."
      onClose={onClose}
    >
      <MoneyField
        label="Amount"
        required
        className="*:[div]:max-w-60"
        hint={`${formatCents(proposedCents)} under the lease. You can charge less.`}
        defaultValue={toDollarText(proposedCents)}
        {...fieldPropsOf(form)('amountCents', asCents)}
      />
      <TenantEmailPreview subject={`A charge was added to ${application.applicationNumber}`}>
        {planMessages.lateFee(label)}: {formatCents(amountCents)}
      </TenantEmailPreview>
    </FormDialog>
  )
}

/** Dismisses the proposed late fee. */
export function DismissLateFeeDialog({ application, installment, onClose }: InstallmentDialogProps) {
  const { id, label } = installment
  const dismiss = api.plans.dismissLateFee.useMutation()
  const change = usePlanChange(application)
  return (
    <ConfirmAction
      title={`No late fee for “${label}”?`}
      body="No late fee can be charged for this payment later. The tenant gets no e-mail and still owes the payment itself."
      confirmLabel="No late fee"
      action={async () => {
        await change(() => dismiss.mutateAsync({ id }))
        return 'No late fee for this payment'
      }}
      failedText="Failed to save the decision about the late fee"
      onClose={onClose}
    />
  )
}
