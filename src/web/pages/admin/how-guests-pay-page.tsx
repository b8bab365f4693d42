import { api } from '../../api/api.ts'
import { AreaPage } from './area.tsx'
import { BankPaymentsCard } from './settings/bank-payments-card.tsx'
import { PaymentPlanCard } from './settings/payment-plan-card.tsx'
import { SectionEditor } from './site/content-editor.tsx'
import { WaysToPayForm } from './site/sections/owner-forms.tsx'

/** Bank payments, other ways to pay, and the payment plan. */
export function HowGuestsPayPage() {
  const bank = api.settings.bank.get.useQuery()
  const plan = api.settings.plan.get.useQuery()
  return (
    <AreaPage area="revenue" subtitle="Ways to pay, and when the rent of a stay is due">
      <div className="grid max-w-3xl grid-cols-1 gap-6">
        <BankPaymentsCard />
        {/* The upper card comes first, so that one that loads late does not push the other down. */}
        {!bank.isPending && <PaymentPlanCard />}
        {!bank.isPending && !plan.isPending && <SectionEditor name="waysToPay" Form={WaysToPayForm} />}
      </div>
    </AreaPage>
  )
}
