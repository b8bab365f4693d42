import { addMonths, type CalendarDate, type DateRange } from '../../../domain/common/dates.ts'
import type { RateInput } from '../../../domain/money/rate.ts'
import { quoteStay } from '../../../domain/money/rent-quote.ts'

type Prices = Pick<RateInput, 'monthly' | 'weekly' | 'nightly' | 'weekendNight' | 'minStay' | 'maxStay'>
/** `from` and `to` are MM-DD, both inclusive; a season may end in the next year. */
type Season = Prices & { name: string; from: string; to: string }

const seasons: readonly Season[] = [
  { name: 'Spring', from: '03-01', to: '05-24', ...prices(2650, 875, 145, 175, 7) },
  { name: 'Peak Summer', from: '05-25', to: '08-15', ...prices(3900, 1350, 225, 265, 7) },
  { name: 'Early Fall', from: '08-16', to: '10-31', ...prices(2450, 815, 135, 160, 5) },
  { name: 'Off Season', from: '11-01', to: '02-28', ...prices(1850, 610, 100, 120, 30) },
  { name: 'Holidays', from: '12-19', to: '01-03', ...prices(2900, 1100, 185, 215, 7) },
]

function prices(
  monthly: number,
  weekly: number,
  nightly: number,
  weekendNight: number,
  minStay: number,
): Prices {
  return { monthly, weekly, nightly, weekendNight, minStay, maxStay: null }
}

/** Rates for past stays of the demo's tenants; removed after those are seeded. */
export const pastRates = (today: CalendarDate): RateInput[] =>
  ratesAround(today).filter(rate => rate.endDate < today && rate.endDate >= addMonths(today, -4))

/** The periods of the next twelve months, and an inactive one. */
export function demoRates(today: CalendarDate): RateInput[] {
  const current = ratesAround(today).filter(
    rate => rate.endDate >= today && rate.startDate <= addMonths(today, 12),
  )
  const [first] = current
  const off = first && {
    ...first,
    period: 'Returning Guests (draft)',
    monthly: first.monthly - 250,
    isActive: false,
  }
  return off ? [...current, off] : current
}

/** The rent of a lease by the prices of the seasons, in dollars; also for past dates. */
export function seasonRent(stay: DateRange): number {
  const rates = ratesAround(stay.start).map((rate, i) => ({ ...rate, id: String(i) }))
  return (quoteStay(rates, stay)?.rentCents ?? 0) / 100
}

function ratesAround(date: CalendarDate): RateInput[] {
  const year = Number(date.slice(0, 4))
  const all = [-1, 0, 1].flatMap(offset => seasons.map(season => rateOf(season, year + offset)))
  return all.sort((a, b) => (a.startDate < b.startDate ? -1 : 1))
}

function rateOf({ from, name, to, ...rest }: Season, year: number): RateInput {
  const endYear = to < from ? year + 1 : year
  const years = endYear > year ? `${year}/${String(endYear).slice(2)}` : String(year)
  const endDate = to === '02-28' ? endOfFebruary(endYear) : `${endYear}-${to}`
  return { period: `${name} ${years}`, startDate: `${year}-${from}`, endDate, ...rest, isActive: true }
}

const endOfFebruary = (year: number): CalendarDate => addMonths(`${year}-01-31`, 1)
