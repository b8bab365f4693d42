import { addMonths, type CalendarDate, isCalendarDate, monthsApart, nightsBetween } from '../common/dates.ts'
import { AppError } from '../common/errors.ts'
import { formatCents } from '../common/money.ts'
import { plural } from '../common/plural.ts'

/** A term of up to this many nights costs one month's rent. */
const nightsOfOneMonth = 31
/** From this many nights on a stay is priced by the month. */
export const nightsOfMonthly = 28

/** The rent of a term with its parts. All amounts are integer cents. */
type TermRent = {
  nights: number
  /** Whole calendar months from the start; 1 for a term of up to 31 nights. */
  months: number
  /** Days left after the whole months; 0 for a term of up to 31 nights. */
  days: number
  monthlyCents: number
  /** A thirtieth of the monthly rent, rounded half up; for display only. */
  dailyCents: number
  /** `days` thirtieths of the monthly rent, rounded half up once, so that it never exceeds a month's rent. */
  daysCents: number
  totalCents: number
}

/**
 * The rent of the half-open term [start, end): the monthly rent for up to 31 nights; for longer terms the monthly rent
 * per calendar month plus a thirtieth of it per remaining day.
 * @throws AppError bad_request if the term has no night
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

/** Whether the rent of a term is one amount for all of its nights, and no monthly rent (LOOK-60). */
export function isRentForStay(start: string | null | undefined, end: string | null | undefined): boolean {
  if (!start || !end || !isCalendarDate(start) || !isCalendarDate(end)) return false
  return nightsBetween(start, end) <= nightsOfOneMonth
}

/** The label of a rent with these dates, which may be missing: `Rent for the stay` or `Monthly rent`. */
export const rentLabel = (...dates: Parameters<typeof isRentForStay>): string =>
  isRentForStay(...dates) ? 'Rent for the stay' : 'Monthly rent'

/**
 * The parts of a term's rent: `14 nights`, `30 nights: one month’s rent`,
 * `3 months × $2,500.00 + 12 days × 1/30 × $2,500.00`.
 */
export function termRentParts(rent: TermRent): string {
  const monthly = formatCents(rent.monthlyCents)
  if (rent.nights <= nightsOfOneMonth)
    return `${plural(rent.nights, 'night')}${rent.nights < nightsOfMonthly ? '' : ': one month’s rent'}`
  const monthsSum = `${plural(rent.months, 'month')} × ${monthly}`
  return rent.days === 0 ? monthsSum : `${monthsSum} + ${plural(rent.days, 'day')} × 1/30 × ${monthly}`
}

/** How a term's rent adds up, on screens and in leases: `20 nights: one month’s rent, $1,800.00` (LOOK-78). */
export function termRentSum(rent: TermRent): string {
  const total = formatCents(rent.totalCents)
  if (rent.nights <= nightsOfOneMonth) return `${termRentParts(rent)}, ${total}`
  if (rent.days === 0) return `${termRentParts(rent)} = ${total}`
  const parts = `${formatCents(rent.months * rent.monthlyCents)} + ${formatCents(rent.daysCents)}`
  return `${termRentParts(rent)} = ${parts} = ${total}`
}

/** Deposit plus the rent of the term, in cents. */
export function rentPlusDepositCents(rent: TermRent, depositCents: number): number {
  return depositCents + rent.totalCents
}

/** Always counts from the start, so that a term from January 31 returns to the 31st after a shorter month. */
function wholeMonths(start: CalendarDate, end: CalendarDate): number {
  const months = monthsApart(start, end)
  return addMonths(start, months) <= end ? months : months - 1
}

const thirtieths = (cents: number, days: number): number => Math.floor((cents * days + 15) / 30)
