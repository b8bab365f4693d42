import type { CalendarDate } from '../../../domain/common/dates.ts'
import { dollarsToCents, formatCents } from '../../../domain/common/money.ts'
import type { PricedPeriod } from '../../../domain/money/season.ts'

type NightPrices = Pick<PricedPeriod, 'nightly' | 'weekendNight'> & { endDate: CalendarDate | null }

/** The lowest nightly price from today on, such as `$85`; undefined if no rate has one. */
export function lowestPrice(rates: readonly NightPrices[], today: CalendarDate): string | undefined {
  const nightly = rates
    .filter(({ endDate }) => endDate === null || endDate >= today)
    .flatMap(({ nightly, weekendNight }) => [nightly ?? 0, weekendNight ?? 0])
    .filter(dollars => dollars > 0)
  if (nightly.length === 0) return undefined
  return formatCents(dollarsToCents(Math.min(...nightly))).replace(/\.00$/, '')
}
