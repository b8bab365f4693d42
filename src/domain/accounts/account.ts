import { z } from 'zod'
import { isPhone } from '../common/phone.ts'
import { recordIds, wireMoment } from '../common/wire.ts'
import {
  adminPasswordError,
  invalidResetLink,
  isMissingEmail,
  maxPasswordLength,
  minChangedPasswordLength,
  passwordTooLong,
  roles,
} from './account-rules.ts'

export const emailRequired = 'Email is required'
const emailMalformed = 'Please enter a valid email address'

/** An e-mail as typed; never the one that stands for none. */
export const emailText = z
  .string({ error: emailRequired })
  .trim()
  .min(1, emailRequired)
  .max(254, emailMalformed)
  .pipe(z.email(emailMalformed).refine(email => !isMissingEmail(email), emailMalformed))

/** For login, registration and reset; a password change requires more. */
const minPasswordLength = 6

const filled = (required: string) => z.string({ error: required }).min(1, required)
/** A password as typed: spaces count. */
const typedPassword = (required: string) => filled(required).max(maxPasswordLength, passwordTooLong)
const newPassword = (required: string, tooShort: string, minLength = minPasswordLength) =>
  typedPassword(required).min(minLength, tooShort)

const controlCharacters = /\p{C}/u
const nameText = (required: string) =>
  z
    .string({ error: required })
    .trim()
    .min(1, required)
    .max(100, 'Please use at most 100 characters')
    .refine(text => !controlCharacters.test(text), 'Please use letters only')

/** Login. */
export const loginForm = z.object({
  email: emailText,
  password: newPassword('Password is required', 'Password must be at least 6 characters'),
})
export type LoginValues = z.input<typeof loginForm>

/** The admin login screen; calls the same login. */
export const adminLoginForm = z.object({
  email: filled('Please fill in all fields').trim().min(1, 'Please fill in all fields'),
  password: filled('Please fill in all fields'),
})

const tooShortPassword = 'Password must be at least 6 characters long'
const confirmationMissing = 'Please confirm your password'

/** Input of a registration. */
export const registration = z.object({
  firstName: nameText('First name is required'),
  lastName: nameText('Last name is required'),
  email: emailText,
  password: newPassword('Password is required', tooShortPassword),
})

/** The register screen. */
export const registerForm = registration
  .extend({ confirmPassword: filled(confirmationMissing) })
  .refine(form => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    error: 'Passwords do not match',
  })

export const forgotForm = z.object({ email: emailText })

/** Input of a password reset. */
export const passwordReset = z.object({
  token: z.string({ error: invalidResetLink }).min(1, invalidResetLink).max(200, invalidResetLink),
  newPassword: newPassword('New password is required', tooShortPassword),
})
/** The reset screen. */
export const resetForm = passwordReset
  .omit({ token: true })
  .extend({ confirmPassword: filled(confirmationMissing) })
  .refine(form => form.newPassword === form.confirmPassword, {
    path: ['confirmPassword'],
    error: 'Passwords do not match',
  })

const changedPasswords = z.object({
  currentPassword: typedPassword('Current password is required'),
  newPassword: newPassword(
    'New password is required',
    'Must be at least 8 characters long',
    minChangedPasswordLength,
  ),
  confirmPassword: filled(confirmationMissing),
})
const changesMatch = (form: { newPassword: string; confirmPassword?: string | undefined }) =>
  form.confirmPassword === undefined || form.newPassword === form.confirmPassword
const changesDiffer = { path: ['confirmPassword'], error: 'New passwords do not match' }

/** The tenant's change-password dialog. */
export const changePasswordForm = changedPasswords.refine(changesMatch, changesDiffer)
/** The same for the API, where the older of two documented calls has no confirmation. */
export const passwordChange = changedPasswords
  .partial({ confirmPassword: true })
  .refine(changesMatch, changesDiffer)
export type PasswordChange = z.infer<typeof passwordChange>

const allRequired = 'All fields are required'

/** The admin's change-password dialog. */
export const adminChangePasswordForm = z
  .object({
    currentPassword: typedPassword(allRequired),
    newPassword: typedPassword(allRequired),
    confirmPassword: filled(allRequired),
  })
  .refine(changesMatch, changesDiffer)
  .superRefine((form, ctx) => {
    const problem = form.newPassword && adminPasswordError(form.newPassword, form.currentPassword)
    if (problem) ctx.addIssue({ code: 'custom', path: ['newPassword'], message: problem })
  })

/** The fields of an account that its user may change. */
export const profileForm = z.object({
  firstName: nameText('First name is required'),
  lastName: nameText('Last name is required'),
  phone: z
    .string({ error: 'Please enter a valid phone number' })
    .trim()
    .max(40, 'Please enter a valid phone number')
    .refine(text => text === '' || isPhone(text), 'Please enter a valid phone number'),
})
/** The same for the API: missing fields stay unchanged. */
export const profileChange = profileForm.partial()
export type ProfileChange = z.infer<typeof profileChange>

/** An account as sent to the browser. */
export const userView = z
  .strictObject({
    ...recordIds,
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    phone: z.string(),
    role: z.enum(roles),
    createdAt: wireMoment,
  })
  .meta({ id: 'User' })
export type UserView = z.infer<typeof userView>

/** Activity of an account, shown to an admin who resets its password. */
export const accountHistory = z
  .strictObject({
    createdAt: wireMoment,
    lastLoginAt: wireMoment.nullable(),
    profileChangedAt: wireMoment.nullable(),
    passwordChangedAt: wireMoment.nullable(),
    /** Without deleted applications, oldest first. */
    applicationNumbers: z.array(z.string()),
    signedLeases: z.int(),
    /** Received, including those refunded later. */
    payments: z.int(),
  })
  .meta({ id: 'AccountHistory' })
export type AccountHistory = z.infer<typeof accountHistory>
