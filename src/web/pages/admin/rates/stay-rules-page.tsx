import { api } from '../../../api/api.ts'
import { AreaPage, cardColumns } from '../area.tsx'
import { BookingRulesCard } from '../settings/booking-rules-card.tsx'
import { CancellationCard } from '../settings/cancellation-card.tsx'
import { OffersCard } from '../settings/offers-card.tsx'

/** What guests can ask for, and what goes back when they cancel. */
export function StayRulesPage() {
  const { isPending } = api.settings.bookingRules.get.useQuery()
  return (
    <AreaPage area="rates" subtitle="Which stays guests can ask for">
      <div className={cardColumns}>
        <div>
          <BookingRulesCard />
        </div>
        <div>
          {/* One that loads late would push it down. */}
          {!isPending && <CancellationCard />}
          {!isPending && <OffersCard />}
        </div>
      </div>
    </AreaPage>
  )
}
