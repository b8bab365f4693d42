import { z } from 'zod'
import { isCalendarDate, nightsBetween } from '../../../../domain/dates.ts'
import {
  type ExtraLine,
  extraLine,
  leaseTermsForm,
  leaseTermsWith,
} from '../../../../domain/lease-generation.ts'
import { parseDollars, toDollarText } from '../../../features/payments/dollar-amount.ts'

/** A line as it is typed: its amount in dollars. */
const typedLine = z.object({
  ...extraLine.shape,
  amountCents: z
    .string()
    .transform(text => parseDollars(text) ?? Number.NaN)
    .pipe(extraLine.shape.amountCents),
})
export type TypedLine = z.input<typeof typedLine>

/** The form that generates a lease: terms as the server takes them, with extra lines as they are typed. */
export const leaseForm = leaseTermsWith(typedLine)
export type LeaseFormValues = z.input<typeof leaseForm>

export const typedLineOf = ({ amountCents, ...line }: ExtraLine): TypedLine => ({
  ...line,
  amountCents: toDollarText(amountCents),
})

/** The lines that are complete so far, for the running sum. */
export function completeLines(lines: readonly TypedLine[]): ExtraLine[] {
  return lines.flatMap(line => typedLine.safeParse(line).data ?? [])
}

type TypedTerms = Pick<LeaseFormValues, 'leaseStartDate' | 'leaseEndDate' | 'rentalAmount' | 'depositAmount'>
export type CompleteTerms = { [Term in keyof TypedTerms]-?: NonNullable<TypedTerms[Term]> }

/** Dates and amounts once they are complete and could be a lease's. */
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
