import { api } from '../../../api/api.ts'
import { AreaPage, cardColumns } from '../area.tsx'
import { DepositCard, ReturningCard } from '../settings/deposit-card.tsx'
import { FeesCard } from '../settings/fees-card.tsx'

export function FeesPage() {
  const deposit = api.settings.deposit.get.useQuery()
  const rules = api.deposits.rules.useQuery()
  const isLoading = deposit.isPending || rules.isPending
  return (
    <AreaPage area="rates" subtitle="What a stay costs besides the rent">
      {/* Hidden while one of them loads, which would push the others down. */}
      <div className={isLoading ? 'invisible' : cardColumns}>
        <div>
          <FeesCard />
          <DepositCard />
        </div>
        <div>
          <ReturningCard rules={rules.data?.rules ?? []} />
        </div>
      </div>
    </AreaPage>
  )
}
