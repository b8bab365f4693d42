import { plural } from '../../../../domain/common/plural.ts'
import type { FeeRule } from '../../../../domain/money/charge-rule.ts'
import { api } from '../../../api/api.ts'
import { describeFeePrice } from '../price-labels.ts'
import { FeeDialog } from './fee-dialog.tsx'
import { describeValidity, RuleListCard } from './rule-list-card.tsx'

export function FeesCard() {
  const query = api.charges.listFees.useQuery(undefined, { select: ({ fees }) => fees })
  const remove = api.charges.removeFee.useMutation()
  return (
    <RuleListCard
      title="Fees and Discounts"
      subtitle="What a stay costs besides the rent. Changes apply to new estimates and leases."
      noun="Fee"
      nouns="fees"
      query={query}
      emptyHint="A stay costs only the rent."
      detailsOf={describeFee}
      remove={({ id }) => remove.mutateAsync({ id })}
      dialog={props => <FeeDialog {...props} />}
    />
  )
}

function describeFee(rule: FeeRule): string[] {
  const { maxNights, minNights, refundable, required, taxable } = rule
  return [
    describeFeePrice(rule),
    required ? 'In every estimate' : 'Optional',
    ...(taxable ? ['Taxable'] : []),
    ...(refundable ? ['Refundable'] : []),
    ...(minNights ? [`From ${plural(minNights, 'night')}`] : []),
    ...(maxNights ? [`Up to ${plural(maxNights, 'night')}`] : []),
    ...describeValidity(rule),
  ]
}
