import { bankSection } from '../../../../domain/money/payment-plan-form.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { SectionForm, useSectionForm } from './section-form.tsx'
import type { SettingsFormProps } from './settings-card.tsx'

type Saved = Outputs['setup']['bank']['get']

const valuesOf = ({ enabled }: Saved['body']) => ({ enabled })

export function BankPaymentsForm(props: SettingsFormProps<Saved>) {
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
