import { z } from 'zod'
import { emailRequired, emailText, passwordReset } from '../accounts/account.ts'
import { calendarOverride, dollars, pastDate } from '../common/inputs.ts'
import { isPhone } from '../common/phone.ts'
import { wireDate, wireMoment } from '../common/wire.ts'
import { leaseTermsForm } from '../leases/lease-generation.ts'
import { manualPaymentInput } from '../money/payment-input.ts'
import { secondApplicant, stayErrors } from './application.ts'
import {
  additionalGuests,
  address,
  applicantNames,
  crossFieldRule,
  optionalName,
  withinGuestLimit,
} from './application-form.ts'

export const maxEntryPayments = 20
export const unprovenApplicantMessage =
  'Nobody has confirmed its email yet, so make sure that you know who applied.'
export const adminEmailMessage = 'This is an administrator’s email.'
export const hasPasswordMessage = 'This guest has a password already.'
export const noMailMessage =
  'No mail server is set up, so nobody can be invited yet. Save without an invitation, and invite the guest later.'
export const registeredMessage =
  'Somebody registered this email. To correct it, delete the booking and enter it again.'
export const deadInvitationMessage =
  'This invitation is no longer valid. Please ask the owner for a new one, or use “Forgot password”.'
export const usedInvitationMessage = 'Your password is set already. Please log in.'

const maxNoteLength = 5000

const optionalPhone = z
  .string({ error: 'Please enter a valid phone number' })
  .trim()
  .max(40, 'Please enter a valid phone number')
  .refine(phone => phone === '' || isPhone(phone), 'Please enter a valid phone number')
  .nullish()
  .transform(phone => phone ?? '')

const blankAddress = { street: '', city: '', state: '', zipCode: '' }
const addressParts = z.object({
  street: z.string().nullish(),
  city: z.string().nullish(),
  state: z.string().nullish(),
  zipCode: z.string().nullish(),
})

/** A complete address, or none if all its fields are blank. */
const optionalAddress = addressParts.nullish().transform((parts, ctx) => {
  const filled = Object.fromEntries(Object.entries(parts ?? {}).map(([name, text]) => [name, text ?? '']))
  const given = { ...blankAddress, ...filled }
  if (Object.values(given).every(text => text.trim() === '')) return blankAddress
  const { data, error } = address.safeParse(given)
  for (const { path, message } of error?.issues ?? []) ctx.addIssue({ code: 'custom', path, message })
  return data ?? z.NEVER
})

/** A booking that the owner enters, without a guest limit. Monthly rent and deposit in dollars, payments in cents. */
export const bookingEntry = z
  .object({
    ...applicantNames,
    /** Needed only to invite the guest. */
    email: z.literal('').or(emailText).default(''),
    startDate: pastDate('Please enter the day of arrival'),
    endDate: pastDate('Please enter the day of departure'),
    phone: optionalPhone,
    address: optionalAddress,
    secondApplicantFirstName: optionalName,
    secondApplicantLastName: optionalName,
    additionalGuests: additionalGuests.default([]),
    rentalAmount: dollars().nullish(),
    depositAmount: dollars().nullish(),
    generateLease: z.boolean().default(true),
    /** Fees and extra lines of its lease, as when a lease is generated. */
    feeIds: leaseTermsForm.shape.feeIds,
    extraLines: leaseTermsForm.shape.extraLines,
    payments: z
      .array(manualPaymentInput.omit({ applicationId: true }))
      .max(maxEntryPayments, `Please enter at most ${maxEntryPayments} payments`)
      .default([]),
    invite: z.boolean().default(true),
    /** Visible only to the owner. */
    note: z
      .string()
      .trim()
      .max(maxNoteLength, `Please use at most ${maxNoteLength} characters`)
      .nullish()
      .transform(note => note ?? ''),
    overrideCalendar: calendarOverride.default(false),
  })
  .superRefine(
    ...crossFieldRule(values => [
      ...(values.invite && values.email === '' ? [{ path: 'email', message: emailRequired }] : []),
      ...secondApplicant(values),
      ...stayErrors(values.startDate, values.endDate, 'endDate'),
    ]),
  )
/** The same with the property's guest limit (SITE-14). */
export const bookingEntryFor = (guestLimit: number) =>
  bookingEntry.superRefine(...withinGuestLimit(guestLimit))
export type BookingEntryValues = z.input<typeof bookingEntry>
export type BookingEntry = z.output<typeof bookingEntry>

/** Sends an invitation again, to a corrected email if given. */
export const invitationForm = z.object({ email: emailText.optional() })

/** Accepts any text: an invalid token gets the same error as an expired link. */
const invitationToken = z.string({ error: deadInvitationMessage })
export const invitationInput = z.object({ token: invitationToken })
export const acceptanceInput = z.object({
  token: invitationToken,
  newPassword: passwordReset.shape.newPassword,
})

/** What an invited guest sees before setting a password. */
export const invitationView = z
  .strictObject({
    firstName: z.string(),
    email: z.string(),
    propertyName: z.string(),
    applicationNumber: z.string(),
    startDate: wireDate,
    endDate: wireDate,
    expiresAt: wireMoment,
    /** Whether somebody registered the email, without proving that it is theirs. */
    isRegistered: z.boolean(),
  })
  .meta({ id: 'Invitation' })
export type InvitationView = z.infer<typeof invitationView>
