import { plural } from '../../../../domain/common/plural.ts'
import { formatBasisPoints } from '../../../../domain/money/charge.ts'
import type { TaxRule } from '../../../../domain/money/charge-rule.ts'
import { api } from '../../../api/api.ts'
import { describeValidity, RuleListCard } from './rule-list-card.tsx'
import { TaxDialog } from './tax-dialog.tsx'

export function TaxesCard() {
  const query = api.charges.listTaxes.useQuery(undefined, { select: ({ taxes }) => taxes })
  const remove = api.charges.removeTax.useMutation()
  return (
    <RuleListCard
      title="Taxes"
      subtitle="Never on the deposit. Changes apply to new estimates and leases."
      noun="Tax"
      nouns="taxes"
      query={query}
      emptyHint="Ask your state and county which taxes apply to a stay."
      detailsOf={describeTax}
      remove={({ id }) => remove.mutateAsync({ id })}
      dialog={props => <TaxDialog {...props} />}
    />
  )
}

function describeTax(rule: TaxRule): string[] {
  const { authority, basisPoints, maxMonths, maxNights, onFees, onRent } = rule
  const base = onRent && onFees ? 'rent and taxable fees' : onRent ? 'rent' : 'taxable fees'
  return [
    `${formatBasisPoints(basisPoints)} of ${base}`,
    authority,
    ...(maxMonths ? [`Stays up to ${plural(maxMonths, 'month')}`] : []),
    ...(maxNights ? [`Stays up to ${plural(maxNights, 'night')}`] : []),
    ...describeValidity(rule),
  ]
}
