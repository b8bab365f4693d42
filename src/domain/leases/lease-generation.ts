import { z } from 'zod'
import { nightsBetween } from '../common/dates.ts'
import {
  type CalendarOverride,
  calendarDate,
  calendarOverride,
  dollars,
  positiveCents,
  requiredLine,
} from '../common/inputs.ts'
import { recordId } from '../common/record-ids.ts'
import { maxStayNights } from '../common/stay.ts'
import { feeKinds } from '../money/charge.ts'
import { type PlanChoice, planChoices } from '../money/payment-plan.ts'

/** The terms are validated only for the admin (`leaseTermsForm`); a tenant's are ignored. */
export const generateLeaseInput = z.object({
  applicationId: recordId,
  leaseStartDate: z.custom<string | null>().optional(),
  leaseEndDate: z.custom<string | null>().optional(),
  rentalAmount: z.custom<number | null>().optional(),
  depositAmount: z.custom<number | null>().optional(),
  feeIds: z.custom<string[] | null>().optional(),
  extraLines: z.custom<ExtraLineInput[] | null>().optional(),
  plan: z.custom<PlanChoice | null>().optional(),
  overrideCalendar: z.custom<CalendarOverride | null>().optional(),
})
export type GenerateLeaseInput = z.output<typeof generateLeaseInput>

const date = calendarDate().nullish()
export const maxExtraLines = 10

/** A fee or discount of only this lease; cents above zero. */
export const extraLine = z.object({
  kind: z.enum(feeKinds, 'Please choose fee or discount'),
  label: requiredLine(120, 'A label is required'),
  amountCents: positiveCents(),
  taxable: z.boolean().default(false),
})
export type ExtraLine = z.output<typeof extraLine>
export type ExtraLineInput = z.input<typeof extraLine>

/** Input of the query for lease terms; with dates, it returns the terms for these dates. */
export const leaseTermsInput = z.object({ id: recordId, leaseStartDate: date, leaseEndDate: date })

const terms = {
  leaseStartDate: date,
  leaseEndDate: date,
  rentalAmount: dollars().nullish(),
  depositAmount: dollars().nullish(),
  /** The complete selection of fees and discounts; if missing, the selection stays unchanged. */
  feeIds: z.array(z.string().max(100)).max(100).nullish(),
  /** The payment plan of this lease; if missing, it stays unchanged. */
  plan: z.enum(planChoices, 'Please choose a payment plan from the list').nullish(),
  overrideCalendar: calendarOverride.nullish(),
}
type Dates = { leaseStartDate?: string | null | undefined; leaseEndDate?: string | null | undefined }

/** Lease terms that the admin enters, in dollars, with the given schema for extra lines. */
export const leaseTermsWith = <Line extends z.ZodType>(line: Line) =>
  z
    .object({
      ...terms,
      extraLines: z.array(line).max(maxExtraLines, `At most ${maxExtraLines} lines can be added`).nullish(),
    })
    .refine(
      ({ leaseStartDate: start, leaseEndDate: end }: Dates) =>
        !start || !end || nightsBetween(start, end) > 0,
      { path: ['leaseEndDate'], error: 'End date must be after start date' },
    )
    .refine(
      ({ leaseStartDate: start, leaseEndDate: end }: Dates) =>
        !start || !end || nightsBetween(start, end) <= maxStayNights,
      { path: ['leaseEndDate'], error: 'A stay can be at most three years long' },
    )

/** Missing terms take their defaults. */
export const leaseTermsForm = leaseTermsWith(extraLine)
export type LeaseTermsInput = z.output<typeof leaseTermsForm>
