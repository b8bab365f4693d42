import { useFormContext, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { formatCents } from '../../../../domain/common/money.ts'
import { depositSection } from '../../../../domain/money/deposit.ts'
import { api } from '../../../api/api.ts'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { RadioGroupField } from '../../../ui/choice-fields.tsx'
import { MoneyField } from '../../../ui/text-field.tsx'
import { hundredths, hundredthsText } from './rule-values.ts'
import { SettingsCard } from './settings-card.tsx'

/** The security deposit of new leases (LOOK-56). */
export function DepositCard() {
  const utils = api.useUtils()
  return (
    <SettingsCard
      title="Security deposit"
      subtitle="For new estimates and leases. A lease that exists keeps its deposit."
      query={api.settings.deposit.get.useQuery()}
      schema={depositForm}
      valuesOf={valuesOf}
      itemsOf={({ amountCents }) => [
        { label: 'Deposit', value: amountCents === null ? 'A month’s rent' : formatCents(amountCents) },
      ]}
      save={api.settings.deposit.save.useMutation()}
      onSaved={now => {
        utils.settings.deposit.get.setData(undefined, now)
        // The public page shows it in the estimate.
        void utils.site.get.invalidate()
      }}
      texts={{
        loadFailed: 'Failed to load the deposit',
        saved: 'Deposit saved',
        failed: 'Failed to save the deposit',
      }}
    >
      {() => <DepositFields />}
    </SettingsCard>
  )
}

const kinds = ['amount', 'month'] as const

/** The deposit as typed, in dollars. */
const depositForm = z
  .object({ kind: z.enum(kinds), amountCents: z.string() })
  .transform(
    ({ amountCents, kind }): z.input<typeof depositSection.body> => ({
      amountCents: kind === 'month' ? null : (hundredths(amountCents) ?? Number.NaN),
    }),
  )
  .pipe(depositSection.body)
type DepositValues = z.input<typeof depositForm>

const valuesOf = ({ amountCents }: z.output<typeof depositForm>): DepositValues => ({
  kind: amountCents === null ? 'month' : 'amount',
  amountCents: hundredthsText(amountCents),
})

function DepositFields() {
  const form = useFormContext<DepositValues>()
  const field = fieldPropsOf(form)
  const kind = useWatch({ control: form.control, name: 'kind' })
  return (
    <>
      <RadioGroupField
        label="Deposit"
        cards
        options={[
          { value: 'amount', label: 'An amount' },
          { value: 'month', label: 'A month’s rent', hint: 'For less than a month, the rent of the stay.' },
        ]}
        {...field('kind')}
      />
      {kind === 'amount' && (
        <MoneyField label="Amount" required className="max-w-52" {...field('amountCents')} />
      )}
    </>
  )
}
