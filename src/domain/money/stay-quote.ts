import { z } from 'zod'
import { type DateRange, nightsBetween } from '../common/dates.ts'
import { maxGuestLimit } from '../common/guest-limit.ts'
import { calendarDate } from '../common/inputs.ts'
import { apiCents, wireDate } from '../common/wire.ts'
import {
  type BookedCounts,
  type ChargeLine,
  chargeKinds,
  chargesOf,
  countsOf,
  sumOf,
  visibleLines,
} from './charge.ts'
import { type FeeRule, feeApplies, feeTermOf, type TaxRule, taxApplies, taxTermOf } from './charge-rule.ts'
import { type PricedPeriod, quoteStay } from './rent-quote.ts'

/** The longest stay that is quoted, in nights. */
const maxQuotedNights = 1096
/** A stay to be priced, with the property's guest limit (SITE-14). */
export const stayQuoteQueryFor = (guestLimit: number) => {
  const guestsMessage = `Please enter a whole number of guests from 1 to ${guestLimit}`
  return z
    .object({
      startDate: calendarDate(),
      endDate: calendarDate(),
      guests: z
        .number(guestsMessage)
        .int(guestsMessage)
        .min(1, guestsMessage)
        .max(guestLimit, guestsMessage)
        .default(1),
    })
    .refine(({ endDate, startDate }) => startDate < endDate, {
      path: ['endDate'],
      error: 'The departure must be after the arrival',
    })
    .refine(({ endDate, startDate }) => nightsBetween(startDate, endDate) <= maxQuotedNights, {
      path: ['endDate'],
      error: `Please choose at most ${maxQuotedNights.toLocaleString('en-US')} nights`,
    })
}
/** The same without the property's guest limit. */
export const stayQuoteQuery = stayQuoteQueryFor(maxGuestLimit)

/** A line of a quote. */
export const quoteLine = z
  .strictObject({
    kind: z.enum(chargeKinds),
    label: z.string(),
    amountCents: apiCents,
    feeRuleId: z.string().nullable(),
    taxRuleId: z.string().nullable(),
  })
  .meta({ id: 'QuoteLine' })
export type QuoteLine = z.infer<typeof quoteLine>

/** The price of a stay by today's rates and rules; the deposit and the optional fees are not part of the total. */
export const stayQuoteView = z
  .strictObject({
    startDate: wireDate,
    endDate: wireDate,
    nights: z.int(),
    guests: z.int(),
    rentCents: apiCents,
    rentParts: z.array(z.strictObject({ label: z.string(), amountCents: apiCents })),
    lines: z.array(quoteLine),
    optional: z.array(z.strictObject({ feeRuleId: z.string(), label: z.string(), amountCents: apiCents })),
    totalCents: apiCents,
    depositCents: apiCents,
    problems: z.array(
      z.strictObject({ field: z.enum(['startDate', 'endDate', 'guests']), message: z.string() }),
    ),
  })
  .meta({ id: 'StayQuote' })
export type StayQuote = z.infer<typeof stayQuoteView>

/** Converts a charge to a line of a quote. */
export const quoteLineOf = ({ amountCents, feeRuleId, kind, label, taxRuleId }: ChargeLine): QuoteLine => ({
  kind,
  label,
  amountCents,
  feeRuleId,
  taxRuleId,
})

type QuoteTerms = BookedCounts & {
  rates: readonly PricedPeriod[]
  fees: readonly FeeRule[]
  taxes: readonly TaxRule[]
  /** Null if the deposit is as much as the lease's rent. */
  depositCents: number | null
}

/**
 * The price of a stay with the required fees, discounts and taxes that apply to it, and the optional fees (CHG-17).
 * Cents. Undefined if a night has no rate.
 */
export function quoteCharges(
  stay: DateRange,
  { depositCents, fees, rates, taxes, ...counts }: QuoteTerms,
): Omit<StayQuote, 'problems'> | undefined {
  const rent = quoteStay(rates, stay)
  if (!rent) return undefined
  const rentCents = rent.totalCents
  const applying = fees.filter(rule => feeApplies(rule, stay))
  const terms = { ...countsOf(stay, counts), rentCents }
  const charges = chargesOf({
    ...terms,
    fees: applying.filter(({ required }) => required).map(feeTermOf),
    taxes: taxes.filter(rule => taxApplies(rule, stay)).map(taxTermOf),
  })
  const optional = chargesOf({
    ...terms,
    fees: applying.filter(({ kind, required }) => kind === 'fee' && !required).map(feeTermOf),
    taxes: [],
  })
  return {
    startDate: stay.start,
    endDate: stay.end,
    nights: rent.nights,
    ...counts,
    rentCents,
    rentParts: rent.parts.map(({ cents, label }) => ({ label, amountCents: cents })),
    lines: visibleLines(charges.filter(({ kind }) => kind !== 'rent')).map(quoteLineOf),
    optional: visibleLines(optional).flatMap(({ amountCents, feeRuleId, label }) =>
      feeRuleId ? [{ feeRuleId, label, amountCents }] : [],
    ),
    totalCents: sumOf(charges),
    depositCents: depositCents ?? rent.rentCents,
  }
}
