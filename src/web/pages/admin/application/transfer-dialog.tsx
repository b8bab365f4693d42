import { useId, useState } from 'react'
import { formatCents } from '../../../../domain/money.ts'
import { transferInput } from '../../../../domain/payment.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { useZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { MoneyField, TextAreaField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { asCents } from './amount-input.ts'
import { type Application, useInvalidateApplication } from './application-data.ts'

type Known = Outputs['payments']['availableDeposits']['applications'][number]

/** Moves what was paid on this application to another one of the same tenant that is still owed money. */
export function TransferDialog({ application, onClose }: { application: Application; onClose: () => void }) {
  const formId = useId()
  const known = api.payments.availableDeposits.useQuery(
    { userId: application.userId.id },
    { staleTime: 0, gcTime: 0 },
  )
  const [busy, setBusy] = useState(false)
  const all = known.data?.applications ?? []
  const available =
    all.find(({ applicationId }) => applicationId === application.id)?.availableToTransfer ?? 0
  const destinations = all.filter(
    ({ applicationId, totalBalance }) => applicationId !== application.id && totalBalance > 0,
  )
  const isPossible = destinations.length > 0 && available > 0
  return (
    <Dialog
      open
      onOpenChange={next => !next && !busy && onClose()}
      title="Transfer Amount"
      footer={
        <>
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            {known.data && !isPossible ? 'Close' : 'Cancel'}
          </Button>
          {isPossible && (
            <Button type="submit" form={formId} busy={busy} busyLabel="Transferring...">
              Transfer
            </Button>
          )}
        </>
      }
    >
      <QueryView
        query={known}
        loading="Loading applications..."
        error="Failed to fetch available applications"
        empty={() => !isPossible && <NotPossible available={available} />}
      >
        {() => (
          <TransferForm
            formId={formId}
            application={application}
            available={available}
            destinations={destinations}
            onBusy={setBusy}
            onClose={onClose}
          />
        )}
      </QueryView>
    </Dialog>
  )
}

const NotPossible = ({ available }: { available: number }) => (
  <Notice title="Nothing can be transferred">
    {available > 0
      ? 'This tenant has no other application with a balance to pay.'
      : 'Nothing was paid on this application.'}
  </Notice>
)

type TransferFormProps = {
  formId: string
  application: Application
  available: number
  destinations: readonly Known[]
  onBusy: (busy: boolean) => void
  onClose: () => void
}

function TransferForm({ formId, application, available, destinations, onBusy, onClose }: TransferFormProps) {
  const transfer = api.payments.transfer.useMutation()
  const invalidate = useInvalidateApplication()
  const form = useZodForm(transferInput, {
    fromApplicationId: application.id,
    toApplicationId: '',
    transferNotes: '',
  })
  const { register, formState } = form
  const { errors } = formState

  const failed = 'Transfer failed'
  const { submit, refusal } = useSubmit(form, { failed, threw: failed }, async input => {
    onBusy(true)
    try {
      await transfer.mutateAsync(input)
      toast.success('Transfer completed successfully!')
      await invalidate()
      onClose()
    } finally {
      onBusy(false)
    }
  })

  return (
    <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
      <FormError>{refusal}</FormError>
      <SelectField
        label="Destination application"
        required
        error={errors.toApplicationId?.message}
        {...register('toApplicationId')}
      >
        <option value="">Select an application</option>
        {destinations.map(({ applicationId, applicationNumber, totalBalance }) => (
          <option key={applicationId} value={applicationId}>
            {applicationNumber}, {formatCents(totalBalance)} owed
          </option>
        ))}
      </SelectField>
      <MoneyField
        label="Amount"
        required
        hint={`Up to ${formatCents(available)} was paid on ${application.applicationNumber}.`}
        error={errors.depositAmount?.message}
        {...register('depositAmount', asCents)}
      />
      <TextAreaField
        label="Notes"
        rows={3}
        hint="For you alone; the tenant does not see them."
        error={errors.transferNotes?.message}
        {...register('transferNotes')}
      />
    </form>
  )
}
