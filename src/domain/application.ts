import { z } from 'zod'
import { emailText } from './account.ts'
import { calendarDate } from './date-input.ts'
import { isCalendarDate, nightsBetween } from './dates.ts'
import type { FieldErrors } from './errors.ts'
import { guestLimitMessage, mostGuests } from './guest-limit.ts'
import { dollars } from './money-input.ts'
import { phoneText } from './phone.ts'
import { line, requiredLine } from './text-input.ts'
import { isUsState } from './us-states.ts'

/** Rows of guests that a form shows, whatever the property sleeps: older applications keep their guests. */
export const maxAdditionalGuests = mostGuests - 1
/** Three years; more is a typo. */
export const maxStayNights = 1096
const maxNotesLength = 5000

export const optionalName = line(100)
  .nullish()
  .transform(name => name ?? '')

export const address = z.object({
  street: requiredLine(200, 'Street address is required'),
  city: requiredLine(100, 'City is required'),
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
  .superRefine(
    ...crossFieldRule(value => requireBothNames(value, 'additional guest', 'firstName', 'lastName')),
  )

/**
 * Drops guests without a name after validation, so that errors keep the form's row index. How many there may be is what
 * the property sleeps, which no schema knows (SITE-14).
 */
export const additionalGuests = z
  .array(guest)
  .transform(guests => guests.filter(({ firstName, lastName }) => firstName !== '' || lastName !== ''))

export const applicantNames = {
  firstName: requiredLine(100, 'First name is required'),
  lastName: requiredLine(100, 'Last name is required'),
}

const person = {
  ...applicantNames,
  secondApplicantFirstName: optionalName,
  secondApplicantLastName: optionalName,
  phone: phoneText,
  address,
}

const dates = {
  requestedStartDate: calendarDate('Please select your desired lease start date'),
  requestedEndDate: calendarDate('Please select your desired lease end date'),
}

/** A tenant's application, however many the property sleeps. */
export const applicationForm = z
  .object({ ...person, ...dates, additionalGuests: additionalGuests.default([]) })
  .superRefine(...crossFieldRule(value => [...secondApplicant(value), ...datesInOrder(value)]))
/** The same for a property that sleeps so many: for the form, the procedure and the REST path (SITE-14). */
export const applicationFormFor = (guestLimit: number) =>
  applicationForm.superRefine(...withinGuestLimit(guestLimit))
/** The form's values. */
export type ApplicationFormValues = z.input<typeof applicationForm>
/** A validated application. */
export type ApplicationInput = z.output<typeof applicationForm>

/** What a tenant may change of an application. */
export const applicationEditForm = z.object(person).superRefine(...crossFieldRule(secondApplicant))
export type ApplicationEditValues = z.input<typeof applicationEditForm>
export type ApplicationEdit = z.output<typeof applicationEditForm>

const name = line(100).optional()
/**
 * What the admin may change; money in dollars, null or missing leaves it unchanged. Rules over two fields are checked
 * here if both are given, and by the service on the merged record.
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
  .superRefine(...crossFieldRule(value => [...secondApplicant(value), ...datesInOrder(value)]))
export type AdminEditValues = z.input<typeof adminEditForm>
export type AdminEdit = z.output<typeof adminEditForm>

/** Violations of the rules over two fields, for a stored record merged with changes. */
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

/** Errors if an edit adds people beyond the limit; an application that is above it already may stay so. */
export function guestLimitErrors(before: People, after: People, guestLimit: number): FieldErrors | undefined {
  const count = guestCount(after)
  if (count <= guestLimit || count <= guestCount(before)) return undefined
  const grown = after.additionalGuests.length > before.additionalGuests.length
  return { [grown ? 'additionalGuests' : 'secondApplicantFirstName']: guestLimitMessage(guestLimit) }
}

/** Applicant, named co-applicant and additional guests. */
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

export type Problem = { path: string; message: string }
type Values = Record<string, unknown>

/** Counts everybody named so far in a form that may be incomplete. */
export function namedPeople({ additionalGuests: guests, ...values }: Values): number {
  const [first, last] = [values.secondApplicantFirstName, values.secondApplicantLastName].map(trimmed)
  return guestCount({
    secondApplicantFirstName: first ?? '',
    secondApplicantLastName: last ?? '',
    additionalGuests: Array.isArray(guests)
      ? guests.filter(guest => trimmed(guest?.firstName) || trimmed(guest?.lastName))
      : [],
  })
}

/** Rules over several fields that run even if other fields are invalid, so that the form shows all errors at once. */
export function crossFieldRule(find: (values: Values) => Problem[]) {
  return [
    (values: Values, ctx: z.RefinementCtx) => {
      for (const { path, message } of find(values)) ctx.addIssue({ code: 'custom', path: [path], message })
    },
    { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null },
  ] as const
}

export function secondApplicant(values: Values): Problem[] {
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
  return stayProblems(start, end, 'requestedEndDate')
}

/** Errors in the order or length of a stay, reported at `path`; none while a date is missing or invalid. */
export function stayProblems(start: unknown, end: unknown, path: string): Problem[] {
  if (typeof start !== 'string' || typeof end !== 'string' || !isCalendarDate(start) || !isCalendarDate(end))
    return []
  const nights = nightsBetween(start, end)
  if (nights < 1) return [{ path, message: 'End date must be after start date' }]
  if (nights > maxStayNights) return [{ path, message: 'A stay can be at most three years long' }]
  return []
}

/** The rule that a form names no more people than the property sleeps. */
export function withinGuestLimit(guestLimit: number) {
  return crossFieldRule(values =>
    Array.isArray(values.additionalGuests) && namedPeople(values) > guestLimit
      ? [{ path: 'additionalGuests', message: guestLimitMessage(guestLimit) }]
      : [],
  )
}

const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
