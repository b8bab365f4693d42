import { api } from '../../../api/api.ts'
import { AreaPage, cardColumns } from '../area.tsx'
import { BankPaymentsCard } from '../settings/bank-payments-card.tsx'
import { CardFeeCard } from '../settings/card-fee-card.tsx'
import { PaymentPlanCard } from '../settings/payment-plan-card.tsx'
import { SectionEditor } from '../site/content-editor.tsx'
import { WaysToPayForm } from '../site/sections/owner-forms.tsx'

/** Card fee, bank payments, other ways to pay, and the payment plan. */
export function HowGuestsPayPage() {
  const bank = api.settings.bank.get.useQuery()
  const fee = api.settings.cardFee.get.useQuery()
  const plan = api.settings.plan.get.useQuery()
  return (
    <AreaPage area="revenue" subtitle="Ways to pay, and when the rent of a stay is due">
      <div className={cardColumns}>
        <div>
          <CardFeeCard />
          {/* The upper card comes first, so that one that loads late does not push the other down. */}
          {!fee.isPending && <BankPaymentsCard />}
          {!fee.isPending && !bank.isPending && <PaymentPlanCard />}
        </div>
        <div>
          {!fee.isPending && !bank.isPending && !plan.isPending && (
            <SectionEditor name="waysToPay" Form={WaysToPayForm} />
          )}
        </div>
      </div>
    </AreaPage>
  )
}
