import { api } from '../../api/api.ts'
import { AreaPage } from './area.tsx'
import { DepositCard } from './settings/deposit-card.tsx'
import { FeesCard } from './settings/fees-card.tsx'

export function FeesPage() {
  const deposit = api.settings.deposit.get.useQuery()
  return (
    <AreaPage area="rates" subtitle="What a stay costs besides the rent">
      <div className="grid max-w-3xl gap-6">
        <DepositCard />
        {/* Hidden while the deposit loads, which would push it down. */}
        <div className={deposit.isPending ? 'invisible' : undefined}>
          <FeesCard />
        </div>
      </div>
    </AreaPage>
  )
}
