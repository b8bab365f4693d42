import type { CalendarDate } from '../../../domain/dates.ts'
import { dollarsToCents, formatCents } from '../../../domain/money.ts'
import type { RateRow } from './rates-table.tsx'

/** `$85`: the lowest price of a night that still comes; undefined where no rate has one. */
export function lowestPrice(rates: readonly RateRow[], today: CalendarDate): string | undefined {
  const nightly = rates
    .filter(({ endDate }) => endDate === null || endDate >= today)
    .flatMap(({ nightly, weekendNight }) => [nightly ?? 0, weekendNight ?? 0])
    .filter(dollars => dollars > 0)
  if (nightly.length === 0) return undefined
  return formatCents(dollarsToCents(Math.min(...nightly))).replace(/\.00$/, '')
}
