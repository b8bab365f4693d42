import type { CalendarDate } from '../../../domain/common/dates.ts'
import { dollarsToCents, formatCents } from '../../../domain/common/money.ts'
import type { PricedPeriod } from '../../../domain/money/rent-quote.ts'

type NightPrices = Pick<PricedPeriod, 'minStay' | 'nightly' | 'weekendNight'> & {
  endDate: CalendarDate | null
}

/**
 * The lowest nightly price from today on, such as `$85`; undefined if no rate has one. Where shorter stays are refused, a
 * rate for 28 nights or more has no price of a night.
 */
export function lowestPrice(
  rates: readonly NightPrices[],
  today: CalendarDate,
  hasStayLength: boolean,
): string | undefined {
  const prices = rates
    .filter(({ endDate, minStay }) => (endDate ?? today) >= today && !(hasStayLength && minStay >= 28))
    .flatMap(({ nightly, weekendNight }) => [nightly ?? 0, weekendNight ?? 0])
    .filter(dollars => dollars > 0)
  return prices.length > 0 ? formatCents(dollarsToCents(Math.min(...prices))).replace(/\.00$/, '') : undefined
}
