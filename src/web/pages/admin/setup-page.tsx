import { api } from '../../api/api.ts'
import { Page } from '../../ui/page.tsx'
import { BankPaymentsCard } from './setup/bank-payments-card.tsx'
import { BookingRulesCard } from './setup/booking-rules-card.tsx'
import { BookingsElsewhereCard } from './setup/bookings-elsewhere-card.tsx'
import { CalendarsCard } from './setup/calendars-card.tsx'
import { FeesCard } from './setup/fees-card.tsx'
import { PaymentPlanCard } from './setup/payment-plan-card.tsx'
import { TaxesCard } from './setup/taxes-card.tsx'

/** The property's settings, with one card per section. */
export function SetupPage() {
  const fees = api.chargeRules.listFees.useQuery()
  const taxes = api.chargeRules.listTaxes.useQuery()
  const plan = api.settings.plan.get.useQuery()
  const bank = api.settings.bank.get.useQuery()
  const rules = api.settings.bookingRules.get.useQuery()
  const calendar = api.settings.calendar.get.useQuery()
  // Cards are shown from the top down, so that a card that loads late does not push others down.
  const pending = [fees, taxes, plan, bank, rules, calendar].findIndex(({ isPending }) => isPending)
  const shown = pending === -1 ? Number.POSITIVE_INFINITY : pending
  return (
    <Page
      title="Setup"
      subtitle="What guests can ask for, what a stay costs, and how it is paid"
      width="narrow"
    >
      <div className="grid gap-6">
        <FeesCard />
        {shown >= 1 && <TaxesCard />}
        {shown >= 2 && <PaymentPlanCard />}
        {shown >= 3 && <BankPaymentsCard />}
        {shown >= 4 && <BookingRulesCard />}
        {shown >= 5 && <CalendarsCard />}
        {shown >= 6 && <BookingsElsewhereCard />}
      </div>
    </Page>
  )
}
