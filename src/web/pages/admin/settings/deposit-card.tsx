import { useFormContext, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { formatCents } from '../../../../domain/common/money.ts'
import { depositSection } from '../../../../domain/money/deposit.ts'
import { depositMessages } from '../../../../domain/money/deposit-case.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { CheckboxField, RadioGroupField, SelectField } from '../../../ui/choice-fields.tsx'
import { MoneyField } from '../../../ui/text-field.tsx'
import { hundredths, hundredthsText } from './rule-values.ts'
import { SettingsCard } from './settings-card.tsx'

/** The security deposit of new leases (LOOK-56). */
export function DepositCard() {
  return (
    <SettingsCard
      {...useDepositSettings()}
      title="Security deposit"
      subtitle="For new estimates and leases. A lease that exists keeps its deposit."
      schema={depositForm}
      valuesOf={valuesOf}
      itemsOf={({ amountCents }) => [
        { label: 'Deposit', value: amountCents === null ? 'A month’s rent' : formatCents(amountCents) },
      ]}
    >
      {() => <DepositFields />}
    </SettingsCard>
  )
}

/** Both cards save the whole section. */
function useDepositSettings() {
  const utils = api.useUtils()
  return {
    query: api.settings.deposit.get.useQuery(),
    save: api.settings.deposit.save.useMutation(),
    onSaved: (now: Outputs['settings']['deposit']['save']) => {
      utils.settings.deposit.get.setData(undefined, now)
      // The public page shows it in the estimate.
      void utils.site.get.invalidate()
      void utils.deposits.invalidate()
    },
    texts: {
      loadFailed: 'Failed to load the deposit',
      saved: 'Deposit saved',
      failed: 'Failed to save the deposit',
    },
  }
}

const kinds = ['amount', 'month'] as const

/** The deposit as typed, in dollars, and the rest of the section as it is. */
const depositForm = z
  .object({ ...depositSection.body.shape, kind: z.enum(kinds), amountCents: z.string() })
  .transform(
    ({ amountCents, kind, ...rest }): z.input<typeof depositSection.body> => ({
      ...rest,
      amountCents: kind === 'month' ? null : (hundredths(amountCents) ?? Number.NaN),
    }),
  )
  .pipe(depositSection.body)
type DepositValues = z.input<typeof depositForm>

const valuesOf = ({ amountCents, ...rest }: z.output<typeof depositForm>): DepositValues => ({
  ...rest,
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

type Rules = Outputs['deposits']['rules']['rules']

/** Whether deposits that were paid are watched until they are back, and by which rule. */
export function DepositWatchCard({ rules }: { rules: Rules }) {
  const nameOf = (ruleId: string) => rules.find(({ id }) => id === ruleId)?.name
  return (
    <SettingsCard
      {...useDepositSettings()}
      title="Deposits that were paid"
      subtitle="Until when each must be returned or claimed, with reminders, items and statements."
      schema={depositSection.body}
      valuesOf={body => body}
      itemsOf={({ enabled, ruleId }) => [
        { label: 'Watched', value: enabled ? 'Yes' : 'No' },
        ...(enabled ? [{ label: 'Usual rule', value: nameOf(ruleId) }] : []),
      ]}
    >
      {() => <WatchFields rules={rules} />}
    </SettingsCard>
  )
}

function WatchFields({ rules }: { rules: Rules }) {
  const form = useFormContext<z.input<typeof depositSection.body>>()
  const field = fieldPropsOf(form)
  const [enabled, ruleId, since] = useWatch({
    control: form.control,
    name: ['enabled', 'ruleId', 'since'],
  })
  return (
    <>
      <CheckboxField
        label="Watch deposits and their dates"
        hint={
          since === null && 'Stays that ended before today have no dates until you enter the day of leaving.'
        }
        {...field('enabled')}
      />
      {enabled && (
        <SelectField
          label="Usual rule"
          hint={rules.find(({ id }) => id === ruleId)?.preset && depositMessages.presetHint}
          {...field('ruleId')}
        >
          {rules.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
    </>
  )
}
