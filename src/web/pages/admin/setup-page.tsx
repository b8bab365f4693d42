import { Page } from '../../ui/page.tsx'
import { BookingRulesCard } from './setup/booking-rules-card.tsx'
import { BookingsElsewhereCard } from './setup/bookings-elsewhere-card.tsx'

/** The property's settings, a card for each section. */
export function SetupPage() {
  return (
    <Page title="Setup" subtitle="What guests can ask for, and what a stay costs" width="narrow">
      <div className="grid gap-6">
        <BookingRulesCard />
        <BookingsElsewhereCard />
      </div>
    </Page>
  )
}
