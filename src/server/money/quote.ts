import type { z } from 'zod'
import { quoteRuleFields } from '../../domain/bookings/booking-rules.ts'
import { depositSection } from '../../domain/money/deposit-input.ts'
import { quoteCharges, type StayQuote, type stayQuoteQuery } from '../../domain/money/stay-quote.ts'
import { brokenRules } from '../bookings/booking-rules.ts'
import { listActiveRates } from '../bookings/rates.ts'
import type { Deps } from '../kernel/deps.ts'
import { readSection } from '../site/settings.ts'
import { activeFeeRules, activeTaxRules } from './charge-rules.ts'

/**
 * What a stay costs by today's rates, fees and taxes, and which booking rules it breaks. Cents. Null if a night has no
 * rate.
 */
export function quoteOf(deps: Deps, input: z.output<typeof stayQuoteQuery>): StayQuote | null {
  const { db } = deps
  const { endDate: end, guests, startDate: start } = input
  const quote = quoteCharges(
    { start, end },
    {
      rates: listActiveRates(db),
      fees: activeFeeRules(db),
      taxes: activeTaxRules(db),
      guests,
      depositCents: readSection(db, depositSection).body.amountCents,
    },
  )
  if (!quote) return null
  const problems = brokenRules(db, deps, { stay: { start, end }, people: guests })
  return {
    ...quote,
    problems: problems.map(({ about, message }) => ({ field: quoteRuleFields[about], message })),
  }
}
