import { z } from 'zod'
import { addDays, type CalendarDate, isCalendarDate, nightsBetween } from '../../../../domain/common/dates.ts'
import { centsToDollars, defaultDepositCents, defaultRentCents } from '../../../../domain/common/money.ts'
import {
  type ExtraLine,
  extraLine,
  leaseTermsForm,
  leaseTermsWith,
} from '../../../../domain/leases/lease-generation.ts'
import { parseDollars, toDollarText } from '../../../features/payments/dollar-amount.ts'

/** An extra line as typed: its amount is in dollars. */
const typedLine = z.object({
  ...extraLine.shape,
  amountCents: z
    .string()
    .transform(text => parseDollars(text) ?? Number.NaN)
    .pipe(extraLine.shape.amountCents),
})
type TypedLine = z.input<typeof typedLine>

/** The form that generates a lease: the server's terms, with extra lines as typed. */
export const leaseForm = leaseTermsWith(typedLine)
export type LeaseFormValues = z.input<typeof leaseForm>

export const typedLineOf = ({ amountCents, ...line }: ExtraLine): TypedLine => ({
  ...line,
  amountCents: toDollarText(amountCents),
})

/** The lines that are complete so far, for the running total. */
export function completeLines(lines: readonly TypedLine[]): ExtraLine[] {
  return lines.flatMap(line => typedLine.safeParse(line).data ?? [])
}

type TypedTerms = Pick<LeaseFormValues, 'leaseStartDate' | 'leaseEndDate' | 'rentalAmount' | 'depositAmount'>
export type CompleteTerms = { [Term in keyof TypedTerms]-?: NonNullable<TypedTerms[Term]> }

/** The dates and amounts, if they are complete and valid for a lease. */
export function completeTerms({
  depositAmount,
  leaseEndDate: end,
  leaseStartDate: start,
  rentalAmount,
}: TypedTerms) {
  if (!start || !end || !isCalendarDate(start) || !isCalendarDate(end) || nightsBetween(start, end) < 1)
    return undefined
  if (typeof rentalAmount !== 'number' || typeof depositAmount !== 'number') return undefined
  const terms: CompleteTerms = { leaseStartDate: start, leaseEndDate: end, rentalAmount, depositAmount }
  return leaseTermsForm.safeParse(terms).success ? terms : undefined
}

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
