import { useFormContext } from 'react-hook-form'
import { bankSection } from '../../../../domain/money/payment-plan-form.ts'
import { api } from '../../../api/api.ts'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { SettingsCard } from './settings-card.tsx'

/** Whether tenants can pay from a bank account, and what has to be set up at the provider for that. */
export function BankPaymentsCard() {
  return (
    <SettingsCard
      title="Bank payments"
      subtitle="Payments from a US bank account (ACH Direct Debit), without the card fee"
      settings={api.settings.bank}
      schema={bankSection.body}
      valuesOf={valuesOf}
      itemsOf={({ enabled }) => [
        { label: 'Payments from a bank account', value: enabled ? 'Offered' : 'Not offered' },
      ]}
      what="the bank payment settings"
      saved="Bank payments saved"
    >
      {() => <BankFields />}
    </SettingsCard>
  )
}

type Values = { enabled: boolean }

const valuesOf = ({ enabled }: Values): Values => ({ enabled })

function BankFields() {
  return (
    <>
      <p>
        First turn on <strong>ACH Direct Debit</strong> at the provider: Stripe Dashboard, Settings, Payment
        methods. If the provider refuses a bank payment, tenants pay by card until you save here again.
      </p>
      <CheckboxField
        role="switch"
        label="Offer payments from a bank account"
        hint="The money takes up to 4 business days. It can fail on the way, and the bank can take it back weeks later; you get a notice of either."
        {...fieldPropsOf(useFormContext<Values>())('enabled')}
      />
    </>
  )
}
