import { isCalendarDate, nightsBetween } from '../common/dates.ts'
import type { FieldErrors } from '../common/errors.ts'
import { guestLimitMessage, maxGuestLimit } from '../common/guest-limit.ts'
import { maxStayNights } from '../common/stay.ts'
import { guestCount, type People } from './people.ts'

/** Guest rows of a form, independent of the property's guest limit, because older applications keep their guests. */
export const maxAdditionalGuests = maxGuestLimit - 1

/** Violations of cross-field rules by a stored record merged with changes. */
export function crossFieldErrors(record: Record<string, unknown>): FieldErrors {
  const fields: FieldErrors = {}
  for (const { path, message } of [...secondApplicant(record), ...datesInOrder(record)])
    fields[path] ??= message
  return fields
}

/** How many applications of one tenant may wait for the owner's answer. */
export const maxPendingApplications = 10
export const tooManyPendingMessage = `You have ${maxPendingApplications} applications that wait for an answer. Please withdraw one first.`

/** How many drafts a tenant may have, and how many applications that are not booked: their screens show all of them. */
export const maxDrafts = 10
export const maxUnbookedApplications = 100
export const tooManyDraftsMessage = `You have ${maxDrafts} drafts. Please submit or withdraw one first.`
export const tooManyUnbookedMessage = `You have ${maxUnbookedApplications} applications already. Please write to us instead.`

export const pastStartMessage = 'The start date cannot be in the past'

/**
 * Errors if an edit adds people beyond the limit. An application that already exceeds the limit may keep its people.
 */
export function guestLimitErrors(before: People, after: People, guestLimit: number): FieldErrors | undefined {
  const count = guestCount(after)
  if (count <= guestLimit || count <= guestCount(before)) return undefined
  const grown = after.additionalGuests.length > before.additionalGuests.length
  return { [grown ? 'additionalGuests' : 'secondApplicantFirstName']: guestLimitMessage(guestLimit) }
}

export type Problem = { path: string; message: string }
export type Values = Record<string, unknown>

/** Counts the people named so far in a form that may be incomplete. */
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

export function secondApplicant(values: Values): Problem[] {
  return requireBothNames(values, 'second applicant', 'secondApplicantFirstName', 'secondApplicantLastName')
}

export function requireBothNames(values: Values, who: string, first: string, last: string): Problem[] {
  const [firstName, lastName] = [values[first], values[last]]
  if (typeof firstName !== 'string' || typeof lastName !== 'string') return []
  if (firstName && !lastName) return [{ path: last, message: `Last name is required for ${who}` }]
  if (!firstName && lastName) return [{ path: first, message: `First name is required for ${who}` }]
  return []
}

export function datesInOrder({ requestedStartDate: start, requestedEndDate: end }: Values): Problem[] {
  return stayErrors(start, end, 'requestedEndDate')
}

/** Errors in the order or length of a stay, reported at `path`; none while a date is missing or invalid. */
export function stayErrors(start: unknown, end: unknown, path: string): Problem[] {
  if (typeof start !== 'string' || typeof end !== 'string' || !isCalendarDate(start) || !isCalendarDate(end))
    return []
  const nights = nightsBetween(start, end)
  if (nights < 1) return [{ path, message: 'End date must be after start date' }]
  if (nights > maxStayNights) return [{ path, message: 'A stay can be at most three years long' }]
  return []
}

const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
