import { useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { formatCents } from '../../../../domain/common/money.ts'
import { paymentTypeLabels, returnableCents } from '../../../../domain/money/ledger.ts'
import { manualTypes, moneyReturnKinds } from '../../../../domain/money/payment.ts'
import { manualPaymentInput, recordReturnInput } from '../../../../domain/money/payment-input.ts'
import { api } from '../../../api/api.ts'
import { asCents, toDollarText } from '../../../features/payments/dollar-amount.ts'
import { toLedgerRow } from '../../../features/payments/payment-view.ts'
import { useToday } from '../../../features/stays/today.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm, type ZodForm } from '../../../forms/zod-form.ts'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Application, useCharges, useInvalidateApplication, usePayments } from './application-data.ts'
import { PrivateNotesField } from './dialog-fields.tsx'

type RecordReturnDialogProps = {
  application: Application
  /** The initial amount. */
  suggestedCents?: number | undefined
  /** Whether the initial type is 'deposit return'. */
  isDeposit?: boolean | undefined
  onClose: () => void
}

const kindLabels: Record<(typeof moneyReturnKinds)[number], string> = {
  refund: 'Refund of a payment',
  deposit_return: 'Deposit returned',
  deduction: 'Kept from the deposit',
}

/** Records money that was returned by check, cash or bank transfer, or kept from the deposit. */
export function RecordReturnDialog({
  application,
  isDeposit = false,
  suggestedCents,
  onClose,
}: RecordReturnDialogProps) {
  const today = useToday()
  const recordReturn = api.payments.recordReturn.useMutation()
  const invalidate = useInvalidateApplication()
  const form = useZodForm(recordReturnInput, {
    applicationId: application.id,
    kind: isDeposit ? 'deposit_return' : 'refund',
    date: today,
    checkNumber: '',
    reason: '',
  })
  const isDeduction = useWatch({ control: form.control, name: 'kind' }) === 'deduction'
  const submission = useSubmit(form, 'Failed to record the money given back', async input => {
    await recordReturn.mutateAsync(input)
    toast.success(isDeduction ? 'Deduction recorded' : 'Money given back was recorded')
    // The dialog that opens next shows the remaining amount.
    await invalidate()
    onClose()
  })
  return (
    <FormDialog
      {...submission}
      title="Give Money Back"
      description="Records what you paid back by check, cash or bank transfer. Refund a card payment from its own row."
      submitLabel="Save"
      onClose={onClose}
    >
      <ReturnFields form={form} application={application} suggestedCents={suggestedCents} />
    </FormDialog>
  )
}

type ReturnFieldsProps<Output> = Omit<RecordReturnDialogProps, 'isDeposit' | 'onClose'> & {
  form: ZodForm<z.input<typeof recordReturnInput>, Output>
}

function ReturnFields<Output>({ form, application, suggestedCents }: ReturnFieldsProps<Output>) {
  const today = useToday()
  const field = fieldPropsOf(form)
  const kind = useWatch({ control: form.control, name: 'kind' })
  const isDeduction = kind === 'deduction'
  const rows = usePayments(application).data?.payments.map(toLedgerRow)
  const left = rows && formatCents(returnableCents(kind, rows))
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <SelectField
          label="What it is"
          required
          {...field('kind', {
            onChange: ({ target }) => target.value === 'deduction' && form.setValue('checkNumber', ''),
          })}
        >
          {moneyReturnKinds.map(kind => (
            <option key={kind} value={kind}>
              {kindLabels[kind]}
            </option>
          ))}
        </SelectField>
        <MoneyField
          label="Amount"
          required
          defaultValue={suggestedCents === undefined ? undefined : toDollarText(suggestedCents)}
          hint={left && (kind === 'refund' ? `${left} was paid.` : `${left} is left of the deposit.`)}
          {...field('amount', asCents)}
        />
        <TextField
          label="Date"
          type="date"
          max={today}
          {...field('date', { setValueAs: text => text || undefined })}
        />
        {!isDeduction && <TextField label="Check number" autoComplete="off" {...field('checkNumber')} />}
      </div>
      <TextField
        label={isDeduction ? 'What the deduction is for' : 'Reason'}
        required={isDeduction}
        autoComplete="off"
        hint="The tenant sees this."
        {...field('reason')}
      />
    </>
  )
}

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
