import type { CalendarDate } from '../../../domain/common/dates.ts'
import { dollarsToCents, formatCents } from '../../../domain/common/money.ts'
import type { PricedPeriod } from '../../../domain/money/rent-quote.ts'

type NightPrices = Pick<PricedPeriod, 'minStay' | 'nightly' | 'weekendNight'> & {
  endDate: CalendarDate | null
}

/**
 * The lowest nightly price from today on, such as `$85`, of the rates for stays of less than 28 nights if there are any;
 * undefined if no rate has one.
 */
export function lowestPrice(rates: readonly NightPrices[], today: CalendarDate): string | undefined {
  const prices = rates
    .filter(({ endDate }) => endDate === null || endDate >= today)
    .flatMap(({ minStay, nightly, weekendNight }) =>
      [nightly ?? 0, weekendNight ?? 0].map(dollars => ({ dollars, isShort: minStay < 28 })),
    )
    .filter(({ dollars }) => dollars > 0)
    .sort((a, b) => Number(b.isShort) - Number(a.isShort) || a.dollars - b.dollars)
  return prices[0] && formatCents(dollarsToCents(prices[0].dollars)).replace(/\.00$/, '')
}
