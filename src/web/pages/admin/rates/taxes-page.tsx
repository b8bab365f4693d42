import { AreaPage } from '../area.tsx'
import { TaxesCard } from '../settings/taxes-card.tsx'

export function TaxesPage() {
  return (
    <AreaPage area="rates" subtitle="Taxes that a stay owes to state and county">
      <div className="grid max-w-3xl gap-6">
        <TaxesCard />
      </div>
    </AreaPage>
  )
}
