import { z } from 'zod'
import { maxStayNights } from './application.ts'
import { calendarDate } from './date-input.ts'
import { nightsBetween } from './dates.ts'
import { dollars } from './money-input.ts'

const date = calendarDate().nullish()

/** Lease terms that the admin enters, in dollars; missing ones take their defaults. */
export const leaseTermsForm = z
  .object({
    leaseStartDate: date,
    leaseEndDate: date,
    rentalAmount: dollars().nullish(),
    depositAmount: dollars().nullish(),
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
