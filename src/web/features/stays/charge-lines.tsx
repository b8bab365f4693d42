import { formatCents } from '../../../domain/common/money.ts'
import type { StayQuote } from '../../../domain/money/stay-quote.ts'
import { EstimateLine, EstimateTotal } from './estimate-line.tsx'

/** Rent, fees, discounts and taxes with their total; the deposit and optional charges are listed separately. */
export function ChargeLines({ quote }: { quote: StayQuote }) {
  const rent = (
    <>
      Rent
      <span className="block text-sm">{quote.rentParts.map(({ label }) => label).join(' + ')}</span>
    </>
  )
  const optional = quote.optional.map(({ amountCents, label }) => `${label} ${formatCents(amountCents)}`)
  return (
    <>
      <dl className="grid gap-2">
        <EstimateLine label={rent} value={formatCents(quote.rentCents)} />
        {quote.lines.map(({ amountCents, feeRuleId, label, taxRuleId }) => (
          <EstimateLine key={feeRuleId ?? taxRuleId} label={label} value={formatCents(amountCents)} />
        ))}
        <EstimateTotal label="Estimated total" value={formatCents(quote.totalCents)} />
        <EstimateLine label="Plus security deposit" value={formatCents(quote.depositCents)} />
      </dl>
      {optional.length > 0 && <p className="mt-4 text-[0.9375rem]">Optional: {optional.join(', ')}</p>}
    </>
  )
}
