import { api } from '../../api/api.ts'
import { Page } from '../../ui/page.tsx'
import { BookingRulesCard } from './setup/booking-rules-card.tsx'
import { BookingsElsewhereCard } from './setup/bookings-elsewhere-card.tsx'
import { CalendarsCard } from './setup/calendars-card.tsx'
import { FeesCard } from './setup/fees-card.tsx'
import { TaxesCard } from './setup/taxes-card.tsx'

/** The property's settings, a card for each section. */
export function SetupPage() {
  const fees = api.charges.listFees.useQuery()
  const taxes = api.charges.listTaxes.useQuery()
  const rules = api.setup.bookingRules.get.useQuery()
  const calendar = api.setup.calendar.get.useQuery()
  // None before the one above it has its height, or it would be pushed down.
  const pending = [fees, taxes, rules, calendar].findIndex(({ isPending }) => isPending)
  const shown = pending === -1 ? Number.POSITIVE_INFINITY : pending
  return (
    <Page title="Setup" subtitle="What guests can ask for, and what a stay costs" width="narrow">
      <div className="grid gap-6">
        <FeesCard />
        {shown >= 1 && <TaxesCard />}
        {shown >= 2 && <BookingRulesCard />}
        {shown >= 3 && <CalendarsCard />}
        {shown >= 4 && <BookingsElsewhereCard />}
      </div>
    </Page>
  )
}
