import { api, type Outputs } from '../../../api/api.ts'
import { BankPaymentsForm } from './bank-payments-form.tsx'
import { SettingsCard } from './settings-card.tsx'

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
