import { z } from 'zod'
import { emailText } from './account.ts'
import { calendarDate } from './date-input.ts'
import { isCalendarDate, nightsBetween } from './dates.ts'
import type { FieldErrors } from './errors.ts'
import { guestLimit, guestLimitMessage } from './guest-limit.ts'
import { dollars } from './money-input.ts'
import { phoneText } from './phone.ts'
import { printableText } from './printable.ts'
import { isUsState } from './us-states.ts'

/** What any edit may send: an application from before the limit on people keeps its guests. */
export const maxAdditionalGuests = 20
/** Three years: more is a typing error. */
export const maxStayNights = 1096
const maxNotesLength = 5000

/** One line of text, composed letters only, that a lease can print. */
const line = (max: number, requiredMessage = 'This value is not valid') =>
  z
    .string({ error: requiredMessage })
    .trim()
    .normalize('NFC')
    .max(max, `Please use at most ${max} characters`)
    .refine(...printableText)

const required = (max: number, message: string) => line(max, message).min(1, message)
const optionalName = line(100)
  .nullish()
  .transform(name => name ?? '')

const address = z.object({
  street: required(200, 'Street address is required'),
  city: required(100, 'City is required'),
  state: z
    .string({ error: 'State is required' })
    .min(1, 'State is required')
    .refine(code => code === '' || isUsState(code), 'Please select a state from the list'),
  zipCode: z
    .string({ error: 'ZIP code is required' })
    .trim()
    .min(1, 'ZIP code is required')
    .refine(zip => zip === '' || /^\d{5}(-\d{4})?$/.test(zip), 'Please enter a valid ZIP code'),
})

const guest = z
  .object({ firstName: optionalName, lastName: optionalName, isAdult: z.boolean().default(true) })
  .superRefine(...together(value => requireBothNames(value, 'additional guest', 'firstName', 'lastName')))

/** Guests without any name are dropped; the errors of the others keep the place that the form shows them at. */
const additionalGuests = z
  .array(guest)
  .max(maxAdditionalGuests, `Please name at most ${maxAdditionalGuests} additional guests`)
  .transform(guests => guests.filter(({ firstName, lastName }) => firstName !== '' || lastName !== ''))

const person = {
  firstName: required(100, 'First name is required'),
  lastName: required(100, 'Last name is required'),
  secondApplicantFirstName: optionalName,
  secondApplicantLastName: optionalName,
  phone: phoneText,
  address,
}

const dates = {
  requestedStartDate: calendarDate('Please select your desired lease start date'),
  requestedEndDate: calendarDate('Please select your desired lease end date'),
}

/** What a tenant applies with: the form, the procedure and the REST path alike. */
export const applicationForm = z
  .object({ ...person, ...dates, additionalGuests: additionalGuests.default([]) })
  .superRefine(
    ...together(value => [...secondApplicant(value), ...datesInOrder(value), ...tooManyPeople(value)]),
  )
/** The form's values. */
export type ApplicationFormValues = z.input<typeof applicationForm>
/** A checked application, as it is sent and stored. */
export type ApplicationInput = z.output<typeof applicationForm>

/** What a tenant may change of an application. */
export const applicationEditForm = z.object(person).superRefine(...together(secondApplicant))
export type ApplicationEditValues = z.input<typeof applicationEditForm>
export type ApplicationEdit = z.output<typeof applicationEditForm>

const name = line(100).optional()
/**
 * What the admin may change, each field by itself; money in dollars, null or missing leaves it as it is.
 * A rule over two fields is checked here where both are given, and by the service over the merged record.
 */
export const adminEditForm = z
  .object({
    firstName: person.firstName.optional(),
    lastName: person.lastName.optional(),
    email: emailText.optional(),
    secondApplicantFirstName: name,
    secondApplicantLastName: name,
    phone: phoneText.optional(),
    address: address.partial().optional(),
    requestedStartDate: dates.requestedStartDate.optional(),
    requestedEndDate: dates.requestedEndDate.optional(),
    rentalAmount: dollars().nullish(),
    depositAmount: dollars().nullish(),
    additionalGuests: additionalGuests.optional(),
    notes: z.string().max(maxNotesLength, `Please use at most ${maxNotesLength} characters`).optional(),
  })
  .superRefine(...together(value => [...secondApplicant(value), ...datesInOrder(value)]))
export type AdminEditValues = z.input<typeof adminEditForm>
export type AdminEdit = z.output<typeof adminEditForm>

/** The rules over two fields for a record that was put together from what is stored and what was sent. */
export function crossFieldErrors(record: Record<string, unknown>): FieldErrors {
  const fields: FieldErrors = {}
  for (const { path, message } of [...secondApplicant(record), ...datesInOrder(record)])
    fields[path] ??= message
  return fields
}

export const pastStartMessage = 'The start date cannot be in the past'

type People = {
  secondApplicantFirstName: string
  secondApplicantLastName: string
  additionalGuests: readonly unknown[]
}

/** Whether an edit names more people than the condo sleeps: who are too many already may stay, never grow. */
export function guestLimitErrors(before: People, after: People): FieldErrors | undefined {
  const count = guestCount(after)
  if (count <= guestLimit || count <= guestCount(before)) return undefined
  const grown = after.additionalGuests.length > before.additionalGuests.length
  return { [grown ? 'additionalGuests' : 'secondApplicantFirstName']: guestLimitMessage }
}

/** Everybody who stays: the applicant, a co-applicant whose name is given, and the additional guests. */
export function guestCount(application: People): number {
  return 1 + (coApplicantName(application) ? 1 : 0) + application.additionalGuests.length
}

/** The co-applicant's whole name, or undefined without one. */
export function coApplicantName(application: {
  secondApplicantFirstName: string
  secondApplicantLastName: string
}): string | undefined {
  const { secondApplicantFirstName: first, secondApplicantLastName: last } = application
  return first || last ? `${first} ${last}`.trim() : undefined
}

type Problem = { path: string; message: string }
type Values = Record<string, unknown>

/** Rules over several fields, also checked where others are wrong: the form marks all its faults at once. */
function together(find: (values: Values) => Problem[]) {
  return [
    (values: Values, ctx: z.RefinementCtx) => {
      for (const { path, message } of find(values)) ctx.addIssue({ code: 'custom', path: [path], message })
    },
    { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null },
  ] as const
}

function secondApplicant(values: Values): Problem[] {
  return requireBothNames(values, 'second applicant', 'secondApplicantFirstName', 'secondApplicantLastName')
}

function requireBothNames(values: Values, who: string, first: string, last: string): Problem[] {
  const [firstName, lastName] = [values[first], values[last]]
  if (typeof firstName !== 'string' || typeof lastName !== 'string') return []
  if (firstName && !lastName) return [{ path: last, message: `Last name is required for ${who}` }]
  if (!firstName && lastName) return [{ path: first, message: `First name is required for ${who}` }]
  return []
}

function datesInOrder({ requestedStartDate: start, requestedEndDate: end }: Values): Problem[] {
  if (typeof start !== 'string' || typeof end !== 'string' || !isCalendarDate(start) || !isCalendarDate(end))
    return []
  const nights = nightsBetween(start, end)
  if (nights < 1) return [{ path: 'requestedEndDate', message: 'End date must be after start date' }]
  if (nights > maxStayNights)
    return [{ path: 'requestedEndDate', message: 'A stay can be at most three years long' }]
  return []
}

function tooManyPeople({ additionalGuests: guests, ...values }: Values): Problem[] {
  if (!Array.isArray(guests)) return []
  const [first, last] = [values.secondApplicantFirstName, values.secondApplicantLastName].map(trimmed)
  const count = guestCount({
    secondApplicantFirstName: first ?? '',
    secondApplicantLastName: last ?? '',
    additionalGuests: guests.filter(guest => trimmed(guest?.firstName) || trimmed(guest?.lastName)),
  })
  return count > guestLimit ? [{ path: 'additionalGuests', message: guestLimitMessage }] : []
}

const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
