import { bankSection } from '../../../../domain/money/payment-plan-form.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { SectionForm, SettingsCard, type SettingsFormProps, useSectionForm } from './settings-card.tsx'

/** Whether tenants can pay from a bank account, and what has to be set up at the provider for that. */
export function BankPaymentsCard() {
  return (
    <SettingsCard<Outputs['setup']['bank']['get']>
      title="Bank Payments"
      subtitle="Payments from a US bank account (ACH Direct Debit), without the card fee"
      query={api.setup.bank.get.useQuery()}
      error="Failed to load the bank payment settings"
      itemsOf={({ body }) => [
        { label: 'Payments from a bank account', value: body.enabled ? 'Offered' : 'Not offered' },
      ]}
      form={props => <BankPaymentsForm {...props} />}
    />
  )
}

type Saved = Outputs['setup']['bank']['get']

const valuesOf = ({ enabled }: Saved['body']) => ({ enabled })

function BankPaymentsForm(props: SettingsFormProps<Saved>) {
  const utils = api.useUtils()
  const save = api.setup.bank.save.useMutation()
  const form = useZodForm(bankSection.body, valuesOf(props.saved.body))
  const section = useSectionForm({
    ...props,
    form,
    valuesOf,
    savedText: 'Bank payments saved',
    failedText: 'Failed to save the bank payment settings',
    save: async change => {
      const now = await save.mutateAsync(change)
      utils.setup.bank.get.setData(undefined, now)
      // Saving clears the provider's last refusal of a bank payment.
      void utils.notices.invalidate()
      void utils.plans.invalidate()
      return now
    },
  })
  return (
    <SectionForm {...section}>
      <p>
        First turn on <strong>ACH Direct Debit</strong> at the provider: Stripe Dashboard, Settings, Payment
        methods. If the provider refuses a bank payment, tenants pay by card until you save here again.
      </p>
      <CheckboxField
        role="switch"
        label="Offer payments from a bank account"
        hint="The money takes up to 4 business days. It can fail on the way, and the bank can take it back weeks later; you get a notice of either."
        {...fieldPropsOf(form)('enabled')}
      />
    </SectionForm>
  )
}
