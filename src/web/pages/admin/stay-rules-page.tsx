import { AreaPage } from './area.tsx'
import { BookingRulesCard } from './settings/booking-rules-card.tsx'

export function StayRulesPage() {
  return (
    <AreaPage area="rates" subtitle="Which stays guests can ask for">
      <div className="grid max-w-3xl gap-6">
        <BookingRulesCard />
      </div>
    </AreaPage>
  )
}
