import {
  addDays,
  type CalendarDate,
  type DateRange,
  formatShortDate,
  formatWeekdays,
  nightsBetween,
  weekday,
} from '../common/dates.ts'
import { maxGuestsMessage } from '../common/guest-limit.ts'
import { plural } from '../common/plural.ts'
import { type PricedPeriod, seasonOf } from '../money/rent-quote.ts'
import type { BookingRules } from './booking-rules-form.ts'

/** The part of a stay that a rule is about; each form and request maps it to its own field name. */
type RuledPart = 'start' | 'end' | 'guests'
export type BrokenRule = { about: RuledPart; message: string }

/** Field names in an application and in a quote. */
export const applicationRuleFields: Record<RuledPart, string> = {
  start: 'requestedStartDate',
  end: 'requestedEndDate',
  guests: 'additionalGuests',
}
export const quoteRuleFields = {
  start: 'startDate',
  end: 'endDate',
  guests: 'guests',
} as const satisfies Record<RuledPart, string>

/** The stay to check; rules about missing values are skipped. */
type RuledStay = Partial<DateRange> & { people?: number | undefined }
type RuledPeriod = PricedPeriod & { maxStay: number | null }

/**
 * Every rule that a stay breaks, in the order of the rules. `today` is the property's; `people` includes the
 * applicants; `rates` are the active rate periods, needed only for the length of a stay.
 */
export function findBrokenRules(
  rules: BookingRules,
  { start, end, people }: RuledStay,
  today: CalendarDate,
  rates: readonly RuledPeriod[],
): BrokenRule[] {
  const broken = (about: RuledPart, message: string | undefined) => (message ? [{ about, message }] : [])
  return [
    ...(start
      ? arrivalErrors(rules, start, today).map(message => ({ about: 'start', message }) as const)
      : []),
    ...broken('end', start && end && rules.stayLength ? lengthProblem({ start, end }, rates) : undefined),
    ...broken('guests', people === undefined ? undefined : guestsProblem(rules, people)),
  ]
}

/** Why nobody can arrive on a day, in the order of the rules. */
export function arrivalErrors(
  { leadDays, windowDays, arrivalWeekdays }: Omit<BookingRules, 'stayLength' | 'maxGuests'>,
  start: CalendarDate,
  today: CalendarDate,
): string[] {
  const earliest = leadDays === null ? undefined : addDays(today, leadDays)
  const latest = windowDays === null ? undefined : addDays(today, windowDays)
  return [
    ...(earliest && start < earliest
      ? [`Please choose an arrival on ${formatShortDate(earliest)} or later.`]
      : []),
    ...(latest && start > latest
      ? [`Please choose an arrival on ${formatShortDate(latest)} or earlier.`]
      : []),
    ...(arrivalWeekdays && !arrivalWeekdays.includes(weekday(start))
      ? [`Arrivals are possible on ${formatWeekdays(arrivalWeekdays)}.`]
      : []),
  ]
}

function lengthProblem(stay: DateRange, rates: readonly RuledPeriod[]): string | undefined {
  const season = seasonOf(rates, stay)
  if (!season) return undefined
  const nights = nightsBetween(stay.start, stay.end)
  const { minStay, maxStay, period } = season
  if (nights < minStay) return lengthMessage('minimum', period, minStay)
  return maxStay !== null && nights > maxStay ? lengthMessage('maximum', period, maxStay) : undefined
}

const lengthMessage = (limit: 'minimum' | 'maximum', period: string, nights: number) =>
  `The ${limit} stay in ${period} is ${plural(nights, 'night')}.`

function guestsProblem({ maxGuests }: BookingRules, people: number): string | undefined {
  return maxGuests !== null && people > maxGuests ? maxGuestsMessage(maxGuests) : undefined
}
