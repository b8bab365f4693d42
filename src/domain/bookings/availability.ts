import { z } from 'zod'
import { isCalendarDate, nightsBetween } from '../common/dates.ts'
import { anyDate, isTooFar, tooFarMessage } from '../common/inputs.ts'
import { wireDate, wireMoment } from '../common/wire.ts'
import { maxReasonLength } from './availability-reason.ts'

/** A day with a record or a booking. Days without an entry are available. */
export const availabilityEntry = z
  .strictObject({ date: wireDate, isAvailable: z.boolean(), reason: z.string() })
  .meta({ id: 'AvailabilityEntry' })
export type AvailabilityEntry = z.infer<typeof availabilityEntry>
/** The same for the admin, with the booking of the night. Only imported nights have a feed, only held ones a claim. */
export const adminAvailabilityEntry = z
  .strictObject({
    ...availabilityEntry.shape,
    applicationId: z.string().nullable(),
    applicationNumber: z.string().nullable(),
    feedId: z.string().optional(),
    feedName: z.string().optional(),
    claimId: z.string().optional(),
    /** Whom the night is held for. */
    claimName: z.string().optional(),
    claimUntil: wireMoment.optional(),
  })
  .meta({ id: 'AdminAvailabilityEntry' })
export type AdminAvailabilityEntry = z.infer<typeof adminAvailabilityEntry>

/** A booked stay, half-open from arrival to departure; only for the owner. */
export const bookedStay = z
  .strictObject({
    applicationId: z.string(),
    applicationNumber: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    start: wireDate,
    end: wireDate,
  })
  .meta({ id: 'BookedStay' })
export type BookedStay = z.infer<typeof bookedStay>

const maxDatesAtOnce = 366
/** Longest range of one request. */
const maxRangeDays = 800

/** A calendar date, or a timestamp that is truncated to its UTC date. */
const dateOrMoment = z
  .string({ error: 'Please enter a valid date' })
  .refine(
    text =>
      isCalendarDate(text) || (z.iso.datetime({ offset: true }).safeParse(text).success && isMoment(text)),
    'Please enter a valid date',
  )
  .transform(text => (isCalendarDate(text) ? text : new Date(text).toISOString().slice(0, 10)))

/** A requested range of days, both ends inclusive. */
export const availabilityRange = z
  .object({ startDate: dateOrMoment, endDate: dateOrMoment })
  .refine(({ startDate, endDate }) => startDate <= endDate, {
    path: ['endDate'],
    error: 'End date must be on or after start date',
  })
  .refine(({ startDate, endDate }) => nightsBetween(startDate, endDate) <= maxRangeDays, {
    path: ['endDate'],
    error: `Please ask for at most ${maxRangeDays} days`,
  })
export type AvailabilityRange = z.output<typeof availabilityRange>

const change = {
  isAvailable: z.boolean({ error: 'Please choose available or unavailable' }),
  reason: z
    .string()
    .trim()
    .max(maxReasonLength, `Please use at most ${maxReasonLength} characters`)
    .nullish()
    .transform(reason => reason ?? ''),
}

export const dateChange = z
  .object({ date: anyDate(), ...change })
  .refine(({ date, isAvailable }) => isAvailable || !isTooFar(date), { path: ['date'], error: tooFarMessage })
export const datesChange = z
  .object({
    dates: z
      .array(anyDate(), { error: 'Please select dates to update' })
      .min(1, 'Please select dates to update')
      .max(maxDatesAtOnce, `Please select at most ${maxDatesAtOnce} dates`),
    ...change,
  })
  .refine(({ dates, isAvailable }) => isAvailable || !dates.some(isTooFar), {
    path: ['dates'],
    error: tooFarMessage,
  })
export type DateChange = z.output<typeof dateChange>
export type DatesChange = z.output<typeof datesChange>

function isMoment(text: string): boolean {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && isCalendarDate(new Date(ms).toISOString().slice(0, 10))
}

/** Nights that are promised to somebody, for the owner. */
export const promisedStay = z.strictObject({
  claimId: z.string(),
  name: z.string(),
  startDate: wireDate,
  endDate: wireDate,
  until: wireMoment,
  state: z.enum(['open', 'asked']),
})
export type PromisedStay = z.infer<typeof promisedStay>
