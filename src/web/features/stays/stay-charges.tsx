import { formatCents } from '../../../domain/common/money.ts'
import { plural } from '../../../domain/common/plural.ts'
import type { StayQuote } from '../../../domain/money/stay-quote.ts'
import { useGuestLimit } from '../../api/site.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/choice-fields.tsx'
import { EstimateLine, EstimateTotal } from './estimate-line.tsx'
import type { useStayQuote } from './use-stay-quote.ts'

type StayChargesProps = {
  quoted: ReturnType<typeof useStayQuote>
  guests: number
  /** Omitted if the form counts the guests. */
  onGuestsChange?: (guests: number) => void
}

/** The fees and taxes of a stay, and the guest count they are based on. */
export function StayCharges({ guests, onGuestsChange, quoted }: StayChargesProps) {
  const guestCounts = Array.from({ length: useGuestLimit() }, (_, at) => at + 1)
  return (
    <div aria-live="polite" aria-busy={quoted.isLoading}>
      {onGuestsChange && quoted.asksGuests && (
        <SelectField
          label="Guests"
          className="mb-4 max-w-40"
          value={guests}
          onChange={event => onGuestsChange(Number(event.target.value))}
        >
          {guestCounts.map(count => (
            <option key={count} value={count}>
              {plural(count, 'guest')}
            </option>
          ))}
        </SelectField>
      )}
      {quoted.isLoading && <p className="text-muted">Loading fees and taxes...</p>}
      {quoted.hasFailed && (
        <>
          <p>The fees and taxes could not be loaded. You can still apply.</p>
          <Button variant="secondary" size="sm" className="mt-3" onClick={quoted.retry}>
            Try Again
          </Button>
        </>
      )}
      {quoted.listed && <ChargeLines quote={quoted.listed} />}
    </div>
  )
}

/** Rent, fees, discounts and taxes with their total; the deposit and optional charges are listed separately. */
function ChargeLines({ quote }: { quote: StayQuote }) {
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
