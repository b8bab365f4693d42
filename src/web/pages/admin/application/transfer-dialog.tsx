import { useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { formatCents } from '../../../../domain/common/money.ts'
import { transferInput } from '../../../../domain/money/payment-input.ts'
import { api } from '../../../api/api.ts'
import { asCents } from '../../../features/payments/dollar-amount.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm, type ZodForm } from '../../../forms/zod-form.ts'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { MoneyField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Application, useCurrentTransfer, useInvalidateApplication } from './application-data.ts'
import { PrivateNotesField } from './dialog-fields.tsx'

type TransferDialogProps = { application: Application; onClose: () => void }

/** Moves money paid on this application to another application of the same tenant that has a balance due. */
export function TransferDialog({ application, onClose }: TransferDialogProps) {
  const available = useCurrentTransfer(application)
  const { query, availableCents, isPossible } = available
  const transfer = api.payments.transfer.useMutation()
  const invalidate = useInvalidateApplication()
  const form = useZodForm(transferInput, {
    fromApplicationId: application.id,
    toApplicationId: '',
    transferNotes: '',
  })
  const submission = useSubmit(form, 'Transfer failed', async input => {
    await transfer.mutateAsync(input)
    toast.success('Transfer completed successfully!')
    await invalidate()
    onClose()
  })
  return (
    <FormDialog
      {...submission}
      title="Transfer Amount"
      submitLabel={isPossible ? 'Transfer' : undefined}
      busyLabel="Transferring..."
      cancelLabel={query.data && !isPossible ? 'Close' : 'Cancel'}
      onClose={onClose}
    >
      <QueryView
        query={query}
        loading="Loading applications..."
        error="Failed to fetch available applications"
        empty={() => !isPossible && <NotPossible availableCents={availableCents} />}
      >
        {() => <TransferFields form={form} number={application.applicationNumber} available={available} />}
      </QueryView>
    </FormDialog>
  )
}

type TransferFieldsProps<Output> = {
  form: ZodForm<z.input<typeof transferInput>, Output>
  /** The number of the application that currently has the money. */
  number: string
  available: ReturnType<typeof useCurrentTransfer>
}

function TransferFields<Output>({ form, number, available }: TransferFieldsProps<Output>) {
  const { availableCents, availableOfKind, destinations } = available
  const field = fieldPropsOf(form)
  const kind = useWatch({ control: form.control, name: 'kind' })
  return (
    <>
      <SelectField label="Destination application" required {...field('toApplicationId')}>
        <option value="">Select an application</option>
        {destinations.map(({ applicationId, applicationNumber, totalBalance }) => (
          <option key={applicationId} value={applicationId}>
            {applicationNumber}, {formatCents(totalBalance)} owed
          </option>
        ))}
      </SelectField>
      {availableOfKind.deposit > 0 && availableOfKind.other > 0 && (
        <SelectField
          label="What to move"
          hint={kind ? undefined : 'The deposit goes last.'}
          {...field('kind', { setValueAs: text => text || undefined, deps: 'depositAmount' })}
        >
          <option value="">Deposit and other payments</option>
          <option value="deposit">The deposit</option>
          <option value="other">Other payments</option>
        </SelectField>
      )}
      <MoneyField
        label="Amount"
        required
        hint={`Up to ${formatCents(kind ? availableOfKind[kind] : availableCents)} was paid on ${number}${kind ? sharesOf[kind] : ''}.`}
        {...field('depositAmount', asCents)}
      />
      <PrivateNotesField {...field('transferNotes')} />
    </>
  )
}

const sharesOf = { deposit: ' as deposit', other: ' besides the deposit' }

const NotPossible = ({ availableCents }: { availableCents: number }) => (
  <Notice title="Nothing can be transferred">
    {availableCents > 0
      ? 'This tenant has no other application with a balance to pay.'
      : 'Nothing was paid on this application.'}
  </Notice>
)
