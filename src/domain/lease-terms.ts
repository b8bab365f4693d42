import { addMonths, type CalendarDate, nightsBetween } from './dates.ts'
import { AppError } from './errors.ts'
import { formatCents } from './money.ts'
import { plural } from './plural.ts'

/** A term of up to this many nights costs one month's rent. */
const nightsOfOneMonth = 31

/** The rent of a term with its parts. All amounts are integer cents. */
type TermRent = {
  nights: number
  /** Whole calendar months from the start; 1 for a term of up to 31 nights. */
  months: number
  /** Days left over after the whole months; 0 for a term of up to 31 nights. */
  days: number
  monthlyCents: number
  /** A thirtieth of the monthly rent, rounded half up; for display only. */
  dailyCents: number
  /** `days` thirtieths of the monthly rent, rounded half up once, so that it never exceeds a month's rent. */
  daysCents: number
  totalCents: number
}

/**
 * The rent of the half-open term [start, end): the monthly rent for up to 31 nights; beyond that the monthly
 * rent per calendar month plus a thirtieth of it per day left over.
 * @throws AppError bad_request when the term has no night
 */
export function termRent(start: CalendarDate, end: CalendarDate, monthlyRentCents: number): TermRent {
  const nights = nightsBetween(start, end)
  if (nights < 1) throw new AppError('bad_request', 'The lease must end after it starts.')
  const months = nights <= nightsOfOneMonth ? 1 : wholeMonths(start, end)
  const days = nights <= nightsOfOneMonth ? 0 : nightsBetween(addMonths(start, months), end)
  const daysCents = thirtieths(monthlyRentCents, days)
  return {
    nights,
    months,
    days,
    monthlyCents: monthlyRentCents,
    dailyCents: thirtieths(monthlyRentCents, 1),
    daysCents,
    totalCents: months * monthlyRentCents + daysCents,
  }
}

/** How a term's rent adds up: `3 months × $2,500.00 + 12 days × 1/30 × …`. */
export function describeTermRent(rent: TermRent): string {
  const monthly = formatCents(rent.monthlyCents)
  const total = formatCents(rent.totalCents)
  if (rent.nights <= nightsOfOneMonth) return `${plural(rent.nights, 'night')} for one month’s rent, ${total}`
  const monthsSum = `${plural(rent.months, 'month')} × ${monthly}`
  if (rent.days === 0) return `${monthsSum} = ${total}`
  const parts = `${formatCents(rent.months * rent.monthlyCents)} + ${formatCents(rent.daysCents)}`
  return `${monthsSum} + ${plural(rent.days, 'day')} × 1/30 × ${monthly} = ${parts} = ${total}`
}

/** Deposit plus the rent of the term, in cents. */
export function owedCents(rent: TermRent, depositCents: number): number {
  return depositCents + rent.totalCents
}

/** Counted from the start each time, so that January 31 comes back to the 31st after a shorter month. */
function wholeMonths(start: CalendarDate, end: CalendarDate): number {
  let months = 1
  while (addMonths(start, months + 1) <= end) months++
  return months
}

const thirtieths = (cents: number, days: number): number => Math.floor((cents * days + 15) / 30)
