import { addDays, type CalendarDate } from '../../../../domain/common/dates.ts'
import { centsToDollars, defaultDepositCents, defaultRentCents } from '../../../../domain/common/money.ts'

/** Rent and deposit in dollars. */
type Terms = {
  leaseStartDate: CalendarDate
  leaseEndDate: CalendarDate
  rentalAmount: number
  depositAmount: number
}
type PartialTerms = { [Term in keyof Terms]?: Terms[Term] | null | undefined }

const oneYearDays = 365

/**
 * The initial terms for generating a lease: each term comes from the first source that has it, else from its default.
 */
export function startingTerms(today: CalendarDate, ...sources: readonly (PartialTerms | undefined)[]): Terms {
  const find = <Term extends keyof Terms>(term: Term, otherwise: Terms[Term]): Terms[Term] =>
    sources.map(terms => terms?.[term]).find(value => value !== undefined && value !== null) ?? otherwise
  return {
    leaseStartDate: find('leaseStartDate', today),
    leaseEndDate: find('leaseEndDate', addDays(today, oneYearDays)),
    rentalAmount: find('rentalAmount', centsToDollars(defaultRentCents)),
    depositAmount: find('depositAmount', centsToDollars(defaultDepositCents)),
  }
}
