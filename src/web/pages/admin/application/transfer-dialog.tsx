import { formatCents } from '../../../../domain/money.ts'

import { api } from '../../../api/api.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { MoneyField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Application, useInvalidateApplication } from './application-data.ts'
import { asCents } from './money-values.ts'
import { PrivateNotesField } from './private-notes-field.tsx'

/** Moves what was paid on this application to another one of the same tenant that has a balance to pay. */
export function TransferDialog({ application, onClose }: { application: Application; onClose: () => void }) {
  const { query, availableCents, availableOfKind, destinations } = useDestinations(application)
  const isPossible = destinations.length > 0 && availableCents > 0
  const transfer = api.payments.transfer.useMutation()
  const invalidate = useInvalidateApplication()
  const form = useZodForm(() => import('../../../../domain/payment-input.ts').then(m => m.transferInput), {
    fromApplicationId: application.id,
    toApplicationId: '',
    transferNotes: '',
  })
  const field = fieldPropsOf(form)
  const kind = form.watch('kind')
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
        {() => (
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
              hint={`Up to ${formatCents(kind ? availableOfKind[kind] : availableCents)} was paid on ${application.applicationNumber}${kind ? sharesOf[kind] : ''}.`}
              {...field('depositAmount', asCents)}
            />
            <PrivateNotesField {...field('transferNotes')} />
          </>
        )}
      </QueryView>
    </FormDialog>
  )
}

const sharesOf = { deposit: ' as deposit', other: ' besides the deposit' }

function useDestinations(application: Application) {
  const query = api.payments.availableDeposits.useQuery(
    { userId: application.userId.id },
    { staleTime: 0, gcTime: 0 },
  )
  const applications = query.data?.applications ?? []
  const isThis = ({ applicationId }: { applicationId: string }) => applicationId === application.id
  const available = applications.find(isThis)
  return {
    query,
    availableCents: available?.availableToTransfer ?? 0,
    availableOfKind: available?.availableOfKind ?? { deposit: 0, other: 0 },
    destinations: applications.filter(other => !isThis(other) && other.totalBalance > 0),
  }
}

const NotPossible = ({ availableCents }: { availableCents: number }) => (
  <Notice title="Nothing can be transferred">
    {availableCents > 0
      ? 'This tenant has no other application with a balance to pay.'
      : 'Nothing was paid on this application.'}
  </Notice>
)
