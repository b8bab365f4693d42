import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { formatCents } from '../../../../domain/common/money.ts'
import { chargeKindLabels } from '../../../../domain/money/charge.ts'
import {
  type LaterChargeFormValues,
  laterChargeForm,
  laterKinds,
  voidForm,
} from '../../../../domain/money/later-charge.ts'
import { api } from '../../../api/api.ts'
import { newRequestId } from '../../../api/request-id.ts'
import type { ChargeView } from '../../../features/payments/charge-view.ts'
import { asSignedCents } from '../../../features/payments/dollar-amount.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm, type ZodForm } from '../../../forms/zod-form.ts'
import { CheckboxField, SelectField } from '../../../ui/choice-fields.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Application, useInvalidateApplication } from './application-data.ts'
import { ReasonField } from './dialog-fields.tsx'

type AddChargeDialogProps = { application: Application; onClose: () => void }

const amountHints = {
  adjustment: 'A negative amount lowers what is owed.',
  discount: 'Lowers what is owed by this amount.',
} as const

/** Adds a charge to an application whose lease is signed. */
export function AddChargeDialog({ application, onClose }: AddChargeDialogProps) {
  const add = api.charges.add.useMutation()
  const invalidate = useInvalidateApplication()
  // One idempotency key per dialog, so that a retry does not add the charge twice.
  const [requestId] = useState(newRequestId)
  const form = useZodForm(laterChargeForm, {
    label: '',
    taxable: false,
  })
  const submission = useSubmit(form, 'Failed to add charge', async charge => {
    await add.mutateAsync({ ...charge, applicationId: application.id, requestId })
    toast.success('Charge added')
    await invalidate()
    onClose()
  })
  return (
    <FormDialog
      {...submission}
      title="Add Charge"
      description="The tenant gets an e-mail."
      submitLabel="Add Charge"
      busyLabel="Adding..."
      onClose={onClose}
    >
      <ChargeFields form={form} />
    </FormDialog>
  )
}

function ChargeFields({ form }: { form: ZodForm<LaterChargeFormValues> }) {
  const field = fieldPropsOf(form)
  const kind = useWatch({ control: form.control, name: 'kind' })
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <SelectField
          label="Kind"
          required
          {...field('kind', {
            deps: 'amountCents',
            onChange: ({ target }) => target.value === 'deposit' && form.setValue('taxable', false),
          })}
        >
          <option value="">Select a kind</option>
          {laterKinds.map(kind => (
            <option key={kind} value={kind}>
              {chargeKindLabels[kind]}
            </option>
          ))}
        </SelectField>
        <MoneyField
          label="Amount"
          required
          min={kind === 'adjustment' ? undefined : '0'}
          hint={kind === 'adjustment' || kind === 'discount' ? amountHints[kind] : undefined}
          {...field('amountCents', asSignedCents)}
        />
      </div>
      <TextField
        label="Label"
        required
        autoComplete="off"
        hint="The tenant sees this, such as “Broken lamp”."
        {...field('label')}
      />
      {kind !== 'deposit' && (
        <CheckboxField
          label="Taxable"
          hint="The taxes in the lease are charged on it too."
          {...field('taxable')}
        />
      )}
    </>
  )
}

/** Voids a charge: it is no longer owed, but stays in the list with the reason. */
export function VoidChargeDialog({ charge, onClose }: { charge: ChargeView; onClose: () => void }) {
  const voidCharge = api.charges.void.useMutation()
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
      <ReasonField {...fieldPropsOf(form)('reason')} />
    </FormDialog>
  )
}
