import { api } from '../../api/api.ts'
import { Page } from '../../ui/page.tsx'
import { BookingRulesCard } from './setup/booking-rules-card.tsx'
import { BookingsElsewhereCard } from './setup/bookings-elsewhere-card.tsx'
import { FeesCard } from './setup/fees-card.tsx'
import { TaxesCard } from './setup/taxes-card.tsx'

/** The property's settings, a card for each section. */
export function SetupPage() {
  const rules = api.setup.bookingRules.get.useQuery()
  return (
    <Page title="Setup" subtitle="What guests can ask for, and what a stay costs" width="narrow">
      <div className="grid gap-6">
        <FeesCard />
        <TaxesCard />
        <BookingRulesCard />
        {/* Not before the cards above it have their height, or it would be pushed down. */}
        {!rules.isPending && <BookingsElsewhereCard />}
      </div>
    </Page>
  )
}
