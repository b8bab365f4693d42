import type { z } from 'zod'
import { quoteRuleFields } from '../../domain/booking-rules.ts'
import { quoteCharges, type StayQuote, type stayQuoteQuery } from '../../domain/stay-quote.ts'
import { brokenRules } from '../bookings/booking-rules.ts'
import type { Deps } from '../kernel/deps.ts'
import { listActiveRates } from '../rates/service.ts'
import { activeFeeRules } from './fee-rules.ts'
import { activeTaxRules } from './tax-rules.ts'

/**
 * What a stay costs by today's rates, fees and taxes, and which booking rules it breaks. Cents. Null where a night has
 * no rate.
 */
export function quoteOf(deps: Deps, input: z.output<typeof stayQuoteQuery>): StayQuote | null {
  const { db } = deps
  const { endDate: end, guests, startDate: start } = input
  const stay = { start, end }
  const quote = quoteCharges(stay, {
    rates: listActiveRates(db),
    fees: activeFeeRules(db),
    taxes: activeTaxRules(db),
    guests,
  })
  if (!quote) return null
  const problems = brokenRules(db, deps, { stay, people: guests }).map(({ about, message }) => ({
    field: quoteRuleFields[about],
    message,
  }))
  return { ...quote, problems }
}
