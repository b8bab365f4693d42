import { z } from 'zod'
import { emailText } from '../accounts/account.ts'
import { guestLimitMessage } from '../common/guest-limit.ts'
import { boundedText, calendarDate, dollars, line, phoneText, requiredLine } from '../common/inputs.ts'
import { isUsState } from '../common/us-states.ts'
import {
  datesInOrder,
  namedPeople,
  type Problem,
  requireBothNames,
  secondApplicant,
  type Values,
} from './application.ts'

const maxNotesLength = 5000
const maxGuestNoteLength = 1000
/** Blank rows do not count as guests. */
const maxGuestRows = 100

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
 * Drops guests without a name after validation, so that errors keep the form's row index. The schema cannot check the
 * guest limit, which depends on the property (SITE-14).
 */
export const additionalGuests = z
  .array(guest)
  .max(maxGuestRows, `Please name at most ${maxGuestRows} guests`)
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

/** Left out if it is empty. */
const guestNote = boundedText(maxGuestNoteLength)
  .optional()
  .transform(text => text || undefined)

/** A tenant's application, without a guest limit. */
export const applicationForm = z
  .object({ ...person, ...dates, additionalGuests: additionalGuests.default([]), guestNote })
  .superRefine(...crossFieldRule(value => [...secondApplicant(value), ...datesInOrder(value)]))
/** The same with the property's guest limit, for the form, the procedure and the REST path (SITE-14). */
export const applicationFormFor = (guestLimit: number) =>
  applicationForm.superRefine(...withinGuestLimit(guestLimit))
export type ApplicationFormValues = z.input<typeof applicationForm>
export type ApplicationInput = z.output<typeof applicationForm>

/** The fields of an application that its tenant may change. */
export const applicationEditForm = z.object(person).superRefine(...crossFieldRule(secondApplicant))
export type ApplicationEditValues = z.input<typeof applicationEditForm>
export type ApplicationEdit = z.output<typeof applicationEditForm>

const name = line(100).optional()
/**
 * The fields that the admin may change. Money in dollars; null or missing leaves a field unchanged. Cross-field rules
 * are checked here if all their fields are given, and by the service on the merged record.
 */
export const adminEditForm = z
  .object({
    firstName: person.firstName.optional(),
    lastName: person.lastName.optional(),
    /** Empty for a guest who has none. */
    email: z.literal('').or(emailText).optional(),
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

/** Cross-field rules that run even if other fields are invalid, so that the form shows all errors at once. */
export function crossFieldRule(find: (values: Values) => Problem[]) {
  return [
    (values: Values, ctx: z.RefinementCtx) => {
      for (const { path, message } of find(values)) ctx.addIssue({ code: 'custom', path: [path], message })
    },
    { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null },
  ] as const
}

/** The rule that a form names no more people than the property's guest limit. */
export function withinGuestLimit(guestLimit: number) {
  return crossFieldRule(values =>
    Array.isArray(values.additionalGuests) && namedPeople(values) > guestLimit
      ? [{ path: 'additionalGuests', message: guestLimitMessage(guestLimit) }]
      : [],
  )
}
