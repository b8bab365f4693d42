import { addDays, type CalendarDate } from '../../../../domain/dates.ts'
import { centsToDollars, defaultDepositCents, defaultRentCents } from '../../../../domain/money.ts'

/** Rent and deposit in dollars. */
export type Terms = {
  leaseStartDate: CalendarDate
  leaseEndDate: CalendarDate
  rentalAmount: number
  depositAmount: number
}
type Known = { [Term in keyof Terms]?: Terms[Term] | null }

/** A year. */
const yearDays = 365

/** What the form to generate a lease starts with: what is known wins, in the order given, over the fixed values. */
export function startingTerms(today: CalendarDate, ...known: readonly (Known | undefined)[]): Terms {
  const find = <Term extends keyof Terms>(term: Term, otherwise: Terms[Term]): Terms[Term] => {
    for (const terms of known) {
      const value = terms?.[term]
      if (value !== undefined && value !== null) return value
    }
    return otherwise
  }
  return {
    leaseStartDate: find('leaseStartDate', today),
    leaseEndDate: find('leaseEndDate', addDays(today, yearDays)),
    rentalAmount: find('rentalAmount', centsToDollars(defaultRentCents)),
    depositAmount: find('depositAmount', centsToDollars(defaultDepositCents)),
  }
}
