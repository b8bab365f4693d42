import { z } from 'zod'
import { maxStayNights } from './application.ts'
import { feeKinds } from './charge.ts'
import { calendarDate } from './date-input.ts'
import { nightsBetween } from './dates.ts'
import { dollars, positiveCents } from './money-input.ts'
import { requiredLine } from './text-input.ts'

const date = calendarDate().nullish()
const maxExtraLines = 10

/** A fee or discount of one lease alone; cents above zero. */
const extraLine = z.object({
  kind: z.enum(feeKinds, 'Please choose fee or discount'),
  label: requiredLine(120, 'A name is required'),
  amountCents: positiveCents(),
  taxable: z.boolean().default(false),
})
export type ExtraLine = z.output<typeof extraLine>
export type ExtraLineInput = z.input<typeof extraLine>

/** Lease terms that the admin enters, in dollars; missing ones take their defaults. */
export const leaseTermsForm = z
  .object({
    leaseStartDate: date,
    leaseEndDate: date,
    rentalAmount: dollars().nullish(),
    depositAmount: dollars().nullish(),
    /** Exactly the wanted fees and discounts; missing ones stay as they are. */
    feeIds: z.array(z.string().max(100)).max(100).nullish(),
    extraLines: z
      .array(extraLine)
      .max(maxExtraLines, `At most ${maxExtraLines} lines can be added`)
      .nullish(),
  })
  .refine(({ leaseStartDate: start, leaseEndDate: end }) => !start || !end || nightsBetween(start, end) > 0, {
    path: ['leaseEndDate'],
    error: 'End date must be after start date',
  })
  .refine(
    ({ leaseStartDate: start, leaseEndDate: end }) =>
      !start || !end || nightsBetween(start, end) <= maxStayNights,
    { path: ['leaseEndDate'], error: 'A stay can be at most three years long' },
  )
export type LeaseTermsInput = z.output<typeof leaseTermsForm>
