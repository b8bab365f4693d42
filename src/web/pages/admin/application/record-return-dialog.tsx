import { returnableCents } from '../../../../domain/ledger.ts'
import { formatCents } from '../../../../domain/money.ts'
import { giveBackInput, moneyReturnKinds } from '../../../../domain/payment.ts'
import { api } from '../../../api/api.ts'
import { toDollarText } from '../../../features/payments/dollar-amount.ts'
import { toLedgerRow } from '../../../features/payments/payment-view.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { useZodForm } from '../../../forms/zod-form.ts'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { asCents } from './amount-input.ts'
import { type Application, useInvalidateApplication, usePayments } from './application-data.ts'
import { FormDialog } from './form-dialog.tsx'

type GiveBackDialogProps = {
  application: Application
  today: string
  /** What is suggested, in cents. */
  amountCents: number | undefined
  onClose: () => void
}

const kindLabels: Record<(typeof moneyReturnKinds)[number], string> = {
  refund: 'Refund of a payment',
  deposit_return: 'Deposit returned',
  deduction: 'Kept from the deposit',
}

/** Notes in the ledger what went back by check, cash or bank, or what is kept from the deposit. */
export function RecordReturnDialog({ application, today, amountCents, onClose }: GiveBackDialogProps) {
  const give = api.payments.giveBack.useMutation()
  const invalidate = useInvalidateApplication()
  const form = useZodForm(giveBackInput, {
    applicationId: application.id,
    kind: 'refund',
    date: today,
    checkNumber: '',
    reason: '',
  })
  const { register, formState, watch } = form
  const { errors, isSubmitting } = formState
  const kind = watch('kind')
  const isDeduction = kind === 'deduction'
  const rows = usePayments(application).data?.payments.map(toLedgerRow)
  const left = rows && formatCents(returnableCents(kind, rows))

  const failed = 'Failed to note the money given back'
  const { submit, refusal } = useSubmit(form, { failed, threw: failed }, async input => {
    await give.mutateAsync(input)
    toast.success(isDeduction ? 'Deduction noted' : 'Money given back was noted')
    await invalidate()
    onClose()
  })

  return (
    <FormDialog
      title="Give Money Back"
      description="Notes what you paid back by check, cash or bank. A card payment is refunded from its own row."
      submitLabel="Save"
      busy={isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <SelectField label="What it is" required error={errors.kind?.message} {...register('kind')}>
          {moneyReturnKinds.map(kind => (
            <option key={kind} value={kind}>
              {kindLabels[kind]}
            </option>
          ))}
        </SelectField>
        <MoneyField
          label="Amount"
          required
          defaultValue={amountCents === undefined ? undefined : toDollarText(amountCents)}
          hint={left && (kind === 'refund' ? `${left} was paid.` : `${left} is left of the deposit.`)}
          error={errors.amount?.message}
          {...register('amount', asCents)}
        />
        <TextField
          label="Date"
          type="date"
          max={today}
          error={errors.date?.message}
          {...register('date', { setValueAs: text => text || undefined })}
        />
        {!isDeduction && (
          <TextField
            label="Check number"
            autoComplete="off"
            error={errors.checkNumber?.message}
            {...register('checkNumber', { shouldUnregister: true })}
          />
        )}
      </div>
      <TextField
        label={isDeduction ? 'What the deduction is for' : 'Reason'}
        required={isDeduction}
        autoComplete="off"
        hint="The tenant sees this."
        error={errors.reason?.message}
        {...register('reason')}
      />
    </FormDialog>
  )
}
