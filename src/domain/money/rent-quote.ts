import { compare } from '../common/compare.ts'
import { type CalendarDate, type DateRange, datesInRange, nightsBetween, weekday } from '../common/dates.ts'
import { defaultRentCents, dollarsToCents, formatCents } from '../common/money.ts'
import { plural } from '../common/plural.ts'
import { nightsOfMonthly, termRent, termRentParts } from './lease-terms.ts'
import type { Rate } from './rate.ts'

/** The fields of a rate period that pricing uses. */
export type PricedPeriod = Pick<
  Rate,
  'id' | 'period' | 'startDate' | 'endDate' | 'monthly' | 'weekly' | 'nightly' | 'weekendNight' | 'minStay'
> & { isActive?: boolean }

/**
 * The rate period that prices a night: the shortest active one, then the one that starts later, then by name and id, so
 * that the order of the list does not matter.
 */
export function rateForNight<T extends PricedPeriod>(
  rates: readonly T[],
  night: CalendarDate,
): T | undefined {
  return rates
    .filter(rate => rate.isActive !== false && rate.startDate <= night && night <= rate.endDate)
    .sort(
      (a, b) =>
        nightsBetween(a.startDate, a.endDate) - nightsBetween(b.startDate, b.endDate) ||
        compare(b.startDate, a.startDate) ||
        compare(a.period, b.period) ||
        compare(a.id, b.id),
    )[0]
}

/** The rate period with the most nights of a stay, or the earlier of two; undefined if no night has one. */
export function seasonOf<T extends PricedPeriod>(rates: readonly T[], stay: DateRange): T | undefined {
  const seasons = datesInRange(stay).flatMap(night => rateForNight(rates, night) ?? [])
  return seasons.length > 0 ? mostFrequent(seasons) : undefined
}

/** In a tie, the first. */
export function mostFrequent<T>(items: readonly T[]): T {
  const counts = new Map<T, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0]
}

/** Minimum nights for weekly prices. */
const nightsOfWeekly = 7

/** A line of an estimate; the lines add up to its total. */
type QuotePart = { label: string; cents: number }
export type RentQuote = {
  nights: number
  basis: 'month' | 'week' | 'night'
  totalCents: number
  parts: QuotePart[]
  /** Name of the rate period with the most nights; in a tie, the earlier one. */
  period: string
  /** Its minimum stay in nights; for information only, never enforced. */
  minStay: number
  meetsMinStay: boolean
  /** The lease's rent: monthly from 28 nights on, else for the whole stay. */
  rentCents: number
}

/**
 * The price of a half-open stay in cents, or undefined if it is empty or a night has no active rate period:
 * - from 28 nights on: like the lease (`termRent`), at the average monthly price of the nights;
 * - from 7 nights on: by full weeks at the average weekly price of their nights, then by the night;
 * - else: by the night, Friday and Saturday at the weekend price.
 * A missing weekly or nightly price is a thirtieth of the monthly price per night; a missing weekend price is the
 * nightly price.
 */
export function quoteStay(rates: readonly PricedPeriod[], stay: DateRange): RentQuote | undefined {
  const dates = datesInRange(stay)
  const nights = dates.flatMap(date => {
    const rate = rateForNight(rates, date)
    return rate ? [{ date, rate }] : []
  })
  if (dates.length === 0 || nights.length < dates.length) return undefined

  const main = mostFrequent(nights.map(({ rate }) => rate))
  const basis =
    nights.length >= nightsOfMonthly ? 'month' : nights.length >= nightsOfWeekly ? 'week' : 'night'
  const monthlyCents = Math.round(sum(nights.map(({ rate }) => dollarsToCents(rate.monthly))) / nights.length)
  const parts = basis === 'month' ? monthParts(stay, monthlyCents) : weekAndNightParts(nights)
  const totalCents = sum(parts.map(part => part.cents))
  return {
    nights: nights.length,
    basis,
    totalCents,
    parts,
    period: main.period,
    minStay: main.minStay,
    meetsMinStay: nights.length >= main.minStay,
    rentCents: basis === 'month' ? monthlyCents : totalCents,
  }
}

/** A lease's default rent in cents: the quoted rent, else 2500 dollars. */
export function defaultLeaseRentCents(rates: readonly PricedPeriod[], stay: DateRange): number {
  return quoteStay(rates, stay)?.rentCents ?? defaultRentCents
}

type PricedNight = { date: CalendarDate; rate: PricedPeriod }
/** How a night is priced: `cents` for `unitNights` nights. */
type Tariff = {
  rate: PricedPeriod
  unit: 'week' | 'night' | 'weekend night'
  unitNights: number
  cents: number
}

/** Whole months and the days after them are two lines. */
function monthParts({ start, end }: DateRange, monthlyCents: number): QuotePart[] {
  const rent = termRent(start, end, monthlyCents)
  const months = {
    label: termRentParts({ ...rent, days: 0 }),
    cents: rent.totalCents - rent.daysCents,
  }
  if (rent.days === 0) return [months]
  return [months, { label: `${plural(rent.days, 'day')} at 1/30 of a month’s rent`, cents: rent.daysCents }]
}

function weekAndNightParts(nights: readonly PricedNight[]): QuotePart[] {
  const nightsInWeeks = nights.length - (nights.length % nightsOfWeekly)
  const groups = new Map<string, { tariff: Tariff; nights: number }>()
  nights.forEach(({ date, rate }, i) => {
    const tariff = i < nightsInWeeks ? weekTariff(rate) : nightTariff(rate, date)
    const key = `${rate.id} ${tariff.unit}`
    groups.set(key, { tariff, nights: (groups.get(key)?.nights ?? 0) + 1 })
  })
  const namePeriods = new Set(nights.map(({ rate }) => rate.id)).size > 1
  return [...groups.values()].map(({ tariff, nights }) => {
    const from = namePeriods ? `${tariff.rate.period}: ` : ''
    return {
      label: `${from}${unitCount(tariff, nights)} × ${formatCents(tariff.cents)}`,
      cents: Math.round((nights * tariff.cents) / tariff.unitNights),
    }
  })
}

/** Such as `2 weeks`, or `3/7 week` if a week continues into the next period. */
function unitCount({ unit, unitNights }: Tariff, nights: number): string {
  if (nights % unitNights > 0) return `${nights}/${unitNights} ${unit}`
  return plural(nights / unitNights, unit)
}

function weekTariff(rate: PricedPeriod): Tariff {
  const cents = rate.weekly === null ? thirtieths(rate, nightsOfWeekly) : dollarsToCents(rate.weekly)
  return { rate, unit: 'week', unitNights: nightsOfWeekly, cents }
}

function nightTariff(rate: PricedPeriod, date: CalendarDate): Tariff {
  const isWeekend = weekday(date) === 5 || weekday(date) === 6
  if (isWeekend && rate.weekendNight !== null)
    return { rate, unit: 'weekend night', unitNights: 1, cents: dollarsToCents(rate.weekendNight) }
  const cents = rate.nightly === null ? thirtieths(rate, 1) : dollarsToCents(rate.nightly)
  return { rate, unit: 'night', unitNights: 1, cents }
}

const thirtieths = (rate: PricedPeriod, nights: number) =>
  Math.round((dollarsToCents(rate.monthly) * nights) / 30)

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
