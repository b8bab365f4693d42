import { z } from 'zod'
import { maxGuestLimit, maxTurnoverNights } from '../common/guest-limit.ts'
import { optionalWhole } from '../common/inputs.ts'
import { section } from '../content/settings-section.ts'

export const maxLeadDays = 365
export const maxWindowDays = 1095

const whole = (min: number, max: number) =>
  optionalWhole(min, max, `Please enter a whole number from ${min} to ${max}, or leave it empty`)
const weekdaysMessage = 'Please choose at least one weekday, each once'

/** The owner's booking rules with the property's guest limit (SITE-14); null and false mean no rule. */
export const bookingRulesFormFor = (guestLimit: number) =>
  z
    .object({
      stayLength: z.boolean().default(false),
      leadDays: whole(0, maxLeadDays),
      windowDays: whole(1, maxWindowDays),
      /** 0 = Sunday … 6 = Saturday. */
      arrivalWeekdays: z
        .array(z.number(weekdaysMessage), weekdaysMessage)
        .min(1, weekdaysMessage)
        .max(7, weekdaysMessage)
        .refine(days => days.every(day => Number.isInteger(day) && day >= 0 && day <= 6), weekdaysMessage)
        .refine(days => new Set(days).size === days.length, weekdaysMessage)
        .nullable()
        .default(null),
      maxGuests: whole(1, guestLimit),
    })
    .refine(
      ({ leadDays, windowDays }) => leadDays === null || windowDays === null || leadDays <= windowDays,
      {
        path: ['windowDays'],
        error: 'This cannot be less than the days of notice',
      },
    )
export const bookingRulesForm = bookingRulesFormFor(maxGuestLimit)
export type BookingRulesValues = z.input<typeof bookingRulesForm>
export type BookingRules = z.output<typeof bookingRulesForm>

export const bookingRulesSection = section('booking-rules', bookingRulesForm)

/** The booking rules as the public API returns them. */
export const publicBookingRules = z
  .strictObject({
    stayLength: z.boolean(),
    leadDays: z.int().nullable(),
    windowDays: z.int().nullable(),
    arrivalWeekdays: z.array(z.int()).nullable(),
    maxGuests: z.int().nullable(),
    turnoverNights: z.int().min(0).max(maxTurnoverNights),
  })
  .meta({ id: 'BookingRules' })
export type PublicBookingRules = z.infer<typeof publicBookingRules>
