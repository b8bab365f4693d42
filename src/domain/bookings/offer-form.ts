import { z } from 'zod'
import { emailText } from '../accounts/account.ts'
import type { CalendarDate } from '../common/dates.ts'
import { hourMs } from '../common/durations.ts'
import { fieldError } from '../common/errors.ts'
import { boundedText, calendarDate, calendarOverride, phoneText, requiredLine } from '../common/inputs.ts'
import { wireMoment } from '../common/wire.ts'
import { section } from '../content/settings-section.ts'
import { leaseTermsForm } from '../leases/lease-generation.ts'
import { secondApplicant, stayErrors } from './application.ts'
import {
  additionalGuests,
  address,
  applicantNames,
  crossFieldRule,
  optionalName,
} from './application-form.ts'
import { endOfDay, offerMessages, promisePlatforms, timeText } from './claim.ts'

const whole = (min: number, max: number) => {
  const message = `Please enter a whole number from ${min} to ${max}`
  return z.int(message).min(min, message).max(max, message)
}
const secureDays = whole(0, 14)
const answerDays = whole(1, 14)

/** How long offers and promises stand; for those that are made later. */
export const offersSection = section(
  'offers',
  z.object({
    offerHours: whole(1, 720).default(72),
    secureDays: secureDays.default(3),
    answerDays: answerDays.default(3),
  }),
)

const { depositAmount, extraLines, feeIds, rentalAmount } = leaseTermsForm.shape
/** As when a lease is generated; what is missing takes its default, or stays as it is. */
const price = { rentalAmount, depositAmount, feeIds, extraLines }
export type OfferPrice = z.output<z.ZodObject<typeof price>>

const longText = boundedText(2000)
const until = z.union([wireMoment, calendarDate()], 'Please enter a valid date')
const id = z.string().max(100)
const stay = {
  startDate: calendarDate('Please enter the day of arrival'),
  endDate: calendarDate('Please enter the day of departure'),
}
const guests = whole(1, 100)
const inOrder = crossFieldRule(({ endDate, startDate }) => stayErrors(startDate, endDate, 'endDate'))
const making = {
  ...price,
  message: longText.optional(),
  secureDays: secureDays.optional(),
  /** As they were seen in the preview. */
  totalCents: z.int().optional(),
  depositCents: z.int().optional(),
  overrideCalendar: calendarOverride.default(false),
  requestId: z.uuid().optional(),
}

/** With `mail`, also the mail that would go out; the tenant of a booked stay has their own email and name. */
export const offerPreviewForm = z
  .object({
    ...stay,
    guests,
    ...price,
    applicationId: id.optional(),
    mail: z
      .object({
        email: boundedText(254).optional(),
        firstName: boundedText(100),
        message: longText.optional(),
        secureDays: secureDays.optional(),
        until: until.optional(),
      })
      .optional(),
  })
  .superRefine(...inOrder)
export type OfferPreview = z.output<typeof offerPreviewForm>

/** With `applicationId`, the tenant of that booking is the person. */
export const offerForm = z
  .object({
    email: emailText,
    ...applicantNames,
    ...stay,
    guests,
    ...making,
    until: until.optional(),
    applicationId: id.optional(),
  })
  .superRefine(...inOrder)
export type OfferInput = z.output<typeof offerForm>

/** A missing date defaults to one year later. */
export const promiseForm = z.object({
  ...making,
  startDate: stay.startDate.optional(),
  endDate: stay.endDate.optional(),
  until: calendarDate().optional(),
  answerDays: answerDays.optional(),
  platforms: z.enum(promisePlatforms).default('closed'),
  applicationId: id,
})
export type PromiseInput = z.output<typeof promiseForm>

export const offerChangeForm = z.object({
  version: z.int().min(1),
  until: until.optional(),
  secureDays: secureDays.optional(),
  message: longText.optional(),
  ...price,
})
export type OfferChange = z.output<typeof offerChangeForm>

/** What the application form asks, as far as it is not known. */
export const offerPerson = z
  .object({
    phone: phoneText.optional(),
    address: address.optional(),
    additionalGuests: additionalGuests.default([]),
    secondApplicantFirstName: optionalName,
    secondApplicantLastName: optionalName,
  })
  .superRefine(...crossFieldRule(secondApplicant))
export type OfferPerson = z.output<typeof offerPerson>
export const personFields = ['phone', 'address', 'additionalGuests'] as const

/** The sums and days that the guest was shown; deposit and days are optional. */
export const acceptanceForm = z.object({
  totalCents: z.int(),
  depositCents: z.int().optional(),
  secureDays: z.int().optional(),
  person: offerPerson.optional(),
})
export const linkAcceptanceForm = acceptanceForm.extend({
  typedName: requiredLine(200, offerMessages.typedName),
})
const reasonMessage = 'Please write a few words.'
export const reasonText = boundedText(2000, reasonMessage).min(1, reasonMessage)

const longestMs = 30 * 24 * hourMs

/** A date runs to the end of its day. */
const momentOf = (until: string, timeZone: string) =>
  until.length > 10 ? new Date(until).toISOString() : endOfDay(until, timeZone)

/**
 * Until when an offer stands: 1 hour to 30 days ahead, at most until the end of the day of arrival (CLAIM-14).
 * @throws AppError bad_request
 */
export function offerUntil(
  wanted: string | undefined,
  { arrival, hours, now, timeZone }: { arrival: CalendarDate; hours: number; now: Date; timeZone: string },
): string {
  const after = (ms: number) => new Date(now.getTime() + ms).toISOString()
  const [earliest, latest] = [after(hourMs), [after(longestMs), endOfDay(arrival, timeZone)].sort()[0] ?? '']
  const until = wanted ? momentOf(wanted, timeZone) : ([after(hours * hourMs), latest].sort()[0] ?? '')
  if (earliest <= until && until <= latest) return until
  const [from, to] = [earliest, latest].map(at => timeText(new Date(at), timeZone))
  throw fieldError('until', `Please choose a time from ${from} to ${to}.`)
}
