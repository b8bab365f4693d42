import { api } from '../../../api/api.ts'
import { AreaPage, cardColumns } from '../area.tsx'
import { DepositCard, DepositRulesCard, DepositWatchCard } from '../settings/deposit-card.tsx'
import { FeesCard } from '../settings/fees-card.tsx'

export function FeesPage() {
  const deposit = api.settings.deposit.get.useQuery()
  const rules = api.deposits.rules.useQuery()
  const isLoading = deposit.isPending || rules.isPending
  const { enabled, ruleId, since } = deposit.data?.body ?? {}
  return (
    <AreaPage area="rates" subtitle="What a stay costs besides the rent">
      <div className={cardColumns}>
        <div>
          <DepositCard />
          {/* Hidden while what is above loads, which would push it down. */}
          <div className={isLoading ? 'invisible' : 'grid gap-6'}>
            <DepositWatchCard rules={rules.data?.rules ?? []} />
            {enabled && ruleId && rules.data && (
              <DepositRulesCard rules={rules.data.rules} usualId={ruleId} since={since ?? null} />
            )}
          </div>
        </div>
        <div className={isLoading ? 'invisible' : ''}>
          <FeesCard />
        </div>
      </div>
    </AreaPage>
  )
}
