import { Page } from '../../ui/page.tsx'
import { BookingRulesCard } from './setup/booking-rules-card.tsx'
import { BookingsElsewhereCard } from './setup/bookings-elsewhere-card.tsx'
import { FeesCard } from './setup/fees-card.tsx'
import { TaxesCard } from './setup/taxes-card.tsx'

/** The property's settings, a card for each section. */
export function SetupPage() {
  return (
    <Page title="Setup" subtitle="What guests can ask for, and what a stay costs" width="narrow">
      <div className="grid gap-6">
        <FeesCard />
        <TaxesCard />
        <BookingRulesCard />
        <BookingsElsewhereCard />
      </div>
    </Page>
  )
}
