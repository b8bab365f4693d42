import { formatCents } from '../../../../domain/common/money.ts'
import { voidForm } from '../../../../domain/money/later-charge.ts'
import { api } from '../../../api/api.ts'
import type { ChargeView } from '../../../features/payments/charge-view.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { useInvalidateApplication } from './application-data.ts'

/** Voids a charge: it is no longer owed, but stays in the list with the reason. */
export function VoidChargeDialog({ charge, onClose }: { charge: ChargeView; onClose: () => void }) {
  const voidCharge = api.billing.voidCharge.useMutation()
  const invalidate = useInvalidateApplication()
  const form = useZodForm(voidForm, {
    reason: '',
  })
  const submission = useSubmit(form, 'Failed to void charge', async ({ reason }) => {
    await voidCharge.mutateAsync({ chargeId: charge.id, reason })
    toast.success('Charge voided')
    await invalidate()
    onClose()
  })
  return (
    <FormDialog
      {...submission}
      title="Void this charge?"
      description={`${charge.label}, ${formatCents(charge.amountCents)}. It is no longer owed, and stays in your list with the reason.`}
      submitLabel="Void"
      busyLabel="Voiding..."
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
    </FormDialog>
  )
}
