import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { addDays, addMonths, formatShortDate, isCalendarDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { chargeKindLabels } from '../../../../domain/money/charge.ts'
import {
  type LaterChargeFormValues,
  laterChargeForm,
  laterKinds,
  voidForm,
} from '../../../../domain/money/later-charge.ts'
import { planMessages } from '../../../../domain/money/payment-plan.ts'
import { lateFeeCharge, postponeForm, waiveForm } from '../../../../domain/money/payment-plan-form.ts'
import { ownOpenCents } from '../../../../domain/money/payment-plan-state.ts'
import { api, newId } from '../../../api/api.ts'
import type { ChargeView } from '../../../features/payments/charge-view.ts'
import {
  asCents,
  asNeededCents,
  asSignedCents,
  toDollarText,
} from '../../../features/payments/dollar-amount.ts'
import { useToday } from '../../../features/stays/today.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm, type ZodForm } from '../../../forms/zod-form.ts'
import { CheckboxField, SelectField } from '../../../ui/choice-fields.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import type { Application, Installment } from './application-data.ts'
import { ReasonField, TenantEmailPreview } from './dialog-fields.tsx'

type AddChargeDialogProps = { application: Application; onClose: () => void }

const amountHints = {
  adjustment: 'A negative amount lowers what is owed.',
  discount: 'Lowers what is owed by this amount.',
} as const

/** Adds a charge to an application whose lease is signed. */
export function AddChargeDialog({ application, onClose }: AddChargeDialogProps) {
  const add = api.charges.add.useMutation()
  // One idempotency key per dialog, so that a retry does not add the charge twice.
  const [requestId] = useState(newId)
  const form = useZodForm(laterChargeForm, {
    label: '',
    taxable: false,
  })
  const submission = useDialogSubmit(form, 'Failed to add charge', onClose, async charge => {
    await add.mutateAsync({ ...charge, applicationId: application.id, requestId })
    return 'Charge added'
  })
  return (
    <FormDialog
      {...submission}
      title="Add charge"
      description="The tenant gets an email."
      submitLabel="Add charge"
      busyLabel="Adding..."
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
  const form = useZodForm(voidForm, {
    reason: '',
  })
  const submission = useDialogSubmit(form, 'Failed to void charge', onClose, async ({ reason }) => {
    await voidCharge.mutateAsync({ chargeId: charge.id, reason })
    return 'Charge voided'
  })
  return (
    <FormDialog
      {...submission}
      title="Void this charge?"
      description={`${charge.label}, ${formatCents(charge.amountCents)}. It is no longer owed, and stays in your list with the reason.`}
      submitLabel="Void"
      busyLabel="Voiding..."
      danger
    >
      <ReasonField {...fieldPropsOf(form)('reason')} />
    </FormDialog>
  )
}

type InstallmentDialogProps = {
  application: Application
  installment: Installment
  onClose: () => void
}

/** Moves the open amount of an installment, or a part of it, to a later date. */
export function PostponeDialog({ installment, onClose }: InstallmentDialogProps) {
  const { dueDate, id, label } = installment
  const openCents = ownOpenCents(installment)
  const today = useToday()
  const postpone = api.plans.postpone.useMutation()
  const form = useZodForm(postponeForm, {
    dueDate: '',
    reason: '',
  })
  const field = fieldPropsOf(form)
  const [newDate = '', typedCents] = useWatch({ control: form.control, name: ['dueDate', 'amountCents'] })
  const submission = useDialogSubmit(form, 'Failed to postpone the payment', onClose, async input => {
    await postpone.mutateAsync({ id, ...input, seenCents: openCents })
    return 'Payment postponed'
  })
  const movedCents = typedCents ?? openCents
  const isLater = isCalendarDate(newDate) && newDate > (dueDate ?? '')
  const isComplete = isLater && movedCents > 0 && movedCents <= openCents
  return (
    <FormDialog
      {...submission}
      title={`Postpone “${label}”`}
      description={`${formatCents(openCents)} is open, due ${dueDate === null ? 'at signing' : `on ${formatShortDate(dueDate)}`}.`}
      submitLabel="Postpone"
      busyLabel="Postponing..."
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
      <ReasonField {...field('reason')} />
      <TenantEmailPreview subject="Your payment plan has changed">
        {isComplete
          ? planMessages.nowDue(label, movedCents, newDate)
          : 'It appears here once the date and the amount are valid.'}
      </TenantEmailPreview>
    </FormDialog>
  )
}

/** Waives the open amount of an installment: it is no longer owed. */
export function WaiveDialog({ installment, onClose }: InstallmentDialogProps) {
  const { id, label } = installment
  const openCents = ownOpenCents(installment)
  const waive = api.plans.waive.useMutation()
  const form = useZodForm(waiveForm, {
    reason: '',
  })
  const submission = useDialogSubmit(form, 'Failed to waive the payment', onClose, async input => {
    await waive.mutateAsync({ id, ...input, seenCents: openCents })
    return 'Payment waived'
  })
  return (
    <FormDialog
      {...submission}
      title={`Waive “${label}”?`}
      description={`${formatCents(openCents)} is open. It comes off what the tenant owes for good, with a charge “${planMessages.waived(label)}”.`}
      submitLabel="Waive"
      busyLabel="Waiving..."
      danger
    >
      <ReasonField {...fieldPropsOf(form)('reason')} />
      <TenantEmailPreview subject="Your payment plan has changed">
        {planMessages.notOwed(label, openCents)}
      </TenantEmailPreview>
    </FormDialog>
  )
}

/** Charges the late fee proposed for an installment, or a lower fee. */
export function ChargeLateFeeDialog({ application, installment, onClose }: InstallmentDialogProps) {
  const { daysOverdue, id, label } = installment
  const proposedCents = installment.lateFee?.amountCents ?? 0
  const charge = api.plans.chargeLateFee.useMutation()
  const form = useZodForm(lateFeeCharge, {})
  const amountCents = useWatch({ control: form.control, name: 'amountCents' }) ?? proposedCents
  const submission = useDialogSubmit(form, 'Failed to charge the late fee', onClose, async input => {
    await charge.mutateAsync({ id, ...input, seenCents: proposedCents })
    return 'Late fee charged'
  })
  return (
    <FormDialog
      {...submission}
      title={`Charge a late fee for “${label}”?`}
      description={`It is ${plural(daysOverdue, 'day')} overdue. The late fee is due in 7 days. There can be one for each payment.`}
      submitLabel="Charge late fee"
      busyLabel="Charging..."
    >
      <MoneyField
        label="Amount"
        required
        className="*:[div]:max-w-60"
        hint={`${formatCents(proposedCents)} under the lease. You can charge less.`}
        defaultValue={toDollarText(proposedCents)}
        {...fieldPropsOf(form)('amountCents', asNeededCents)}
      />
      <TenantEmailPreview subject={`A charge was added to ${application.applicationNumber}`}>
        {amountCents > 0
          ? `${planMessages.lateFee(label)}: ${formatCents(amountCents)}`
          : 'It appears here once the amount is valid.'}
      </TenantEmailPreview>
    </FormDialog>
  )
}

/** Dismisses the proposed late fee. */
export function DismissLateFeeDialog({ installment, onClose }: InstallmentDialogProps) {
  const { id, label } = installment
  const dismiss = api.plans.dismissLateFee.useMutation()
  return (
    <ConfirmAction
      title={`No late fee for “${label}”?`}
      body="No late fee can be charged for this payment later. The tenant gets no email and still owes the payment itself."
      confirmLabel="No late fee"
      action={async () => {
        await dismiss.mutateAsync({ id })
        return 'No late fee for this payment'
      }}
      failedText="Failed to save the decision about the late fee"
      onClose={onClose}
    />
  )
}
