import type { z } from 'zod'
import { quoteCharges, type StayQuote, type stayQuoteQuery } from '../../domain/stay-quote.ts'
import type { Deps } from '../kernel/deps.ts'
import { listActiveRates } from '../rates/service.ts'
import { activeFeeRules } from './fee-rules.ts'
import { activeTaxRules } from './tax-rules.ts'

/**
 * What a stay costs by today's rates, fees and taxes, and which booking rules it breaks. Cents. Null where a night has
 * no rate.
 */
export function quoteOf({ db }: Deps, input: z.output<typeof stayQuoteQuery>): StayQuote | null {
  const { endDate: end, guests, startDate: start } = input
  const quote = quoteCharges(
    { start, end },
    { rates: listActiveRates(db), fees: activeFeeRules(db), taxes: activeTaxRules(db), guests },
  )
  return quote ? { ...quote, problems: [] } : null
}
