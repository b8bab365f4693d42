import { plural } from '../../../domain/common/plural.ts'
import { useGuestLimit } from '../../api/site.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/choice-fields.tsx'
import { ChargeLines } from './charge-lines.tsx'
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
