import { z } from 'zod'
import { isPhone } from './phone.ts'
import { recordIds, wireMoment } from './wire.ts'

export const roles = ['tenant', 'admin'] as const
export type Role = (typeof roles)[number]

const emailRequired = 'Email is required'
const emailMalformed = 'Please enter a valid email address'

export const emailText = z
  .string({ error: emailRequired })
  .trim()
  .min(1, emailRequired)
  .max(254, emailMalformed)
  .pipe(z.email(emailMalformed))

/** What makes an e-mail address one account: letter case does not count. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}

/** A name to greet somebody of whom only the e-mail is at hand: `maya.rivers@…` is 'Maya Rivers'. */
export function nameFromEmail(email: string): string {
  const words = (email.split('@')[0] ?? '').replace(/\+.*$/, '').split(/[._-]+/)
  return words
    .filter(Boolean)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}

/** A longer one never reaches the hash. */
const maxPasswordLength = 200
/** For login, register and reset; a change asks for more. */
const minPasswordLength = 6
const minChangedPasswordLength = 8
const passwordTooLong = `Password must be at most ${maxPasswordLength} characters long`

/** The rules that an administrator's password meets, each with its label for the live checklist. */
export const adminPasswordRules = [
  { label: 'At least 8 characters', met: (password: string) => password.length >= minChangedPasswordLength },
  { label: 'An uppercase letter', met: (password: string) => /[A-Z]/.test(password) },
  { label: 'A lowercase letter', met: (password: string) => /[a-z]/.test(password) },
  { label: 'A number', met: (password: string) => /[0-9]/.test(password) },
  { label: 'A special character', met: (password: string) => /[!@#$%^&*(),.?":{}|<>]/.test(password) },
] as const

/**
 * The sentence for a password that an administrator may not have, or undefined. `currentPassword` is the one that it
 * replaces, where it is known.
 */
export function adminPasswordProblem(password: string, currentPassword?: string): string | undefined {
  if (password.length > maxPasswordLength) return passwordTooLong
  if (!adminPasswordRules.every(rule => rule.met(password)))
    return 'New password must be at least 8 characters with uppercase, lowercase, numbers, and special characters'
  if (password === currentPassword) return 'New password must be different from current password'
  return undefined
}

const filled = (required: string) => z.string({ error: required }).min(1, required)
/** A password as it was typed: spaces count. */
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

/** The admin login's screen; it is sent as a login. */
export const adminLoginForm = z.object({
  email: filled('Please fill in all fields').trim().min(1, 'Please fill in all fields'),
  password: filled('Please fill in all fields'),
})

const tooShortPassword = 'Password must be at least 6 characters long'
const confirmationMissing = 'Please confirm your password'

/** What a registration sends. */
export const registration = z.object({
  firstName: nameText('First name is required'),
  lastName: nameText('Last name is required'),
  email: emailText,
  password: newPassword('Password is required', tooShortPassword),
})

/** The register screen. */
export const registerForm = registration
  .extend({ confirmPassword: z.string() })
  .refine(form => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    error: 'Passwords do not match',
  })

export const forgotForm = z.object({ email: emailText })

export const forgotAnswer = 'If an account with that email exists, a password reset link has been sent.'
export const invalidResetLink =
  'This password reset link is invalid or has expired. Please request a new one.'

/** What a reset sends. */
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
/** The same as it may be sent: the older of the two documented calls knows no confirmation. */
export const passwordChange = changedPasswords
  .partial({ confirmPassword: true })
  .refine(changesMatch, changesDiffer)
export type PasswordChange = z.infer<typeof passwordChange>

const allRequired = 'All fields are required'

/** The admin's change-password dialog: first that all is there, then that it matches, then the rules. */
export const adminChangePasswordForm = z
  .object({
    currentPassword: typedPassword(allRequired),
    newPassword: typedPassword(allRequired),
    confirmPassword: filled(allRequired),
  })
  .refine(changesMatch, changesDiffer)
  .superRefine((form, ctx) => {
    const problem = form.newPassword && adminPasswordProblem(form.newPassword, form.currentPassword)
    if (problem) ctx.addIssue({ code: 'custom', path: ['newPassword'], message: problem })
  })

/** What a person may change about their account; e-mail and role are not among it. */
export const profileForm = z.object({
  firstName: nameText('First name is required'),
  lastName: nameText('Last name is required'),
  phone: z
    .string({ error: 'Please enter a valid phone number' })
    .trim()
    .max(40, 'Please enter a valid phone number')
    .refine(text => text === '' || isPhone(text), 'Please enter a valid phone number'),
})
/** The same as it may be sent: what is missing stays. */
export const profileChange = profileForm.partial()
export type ProfileChange = z.infer<typeof profileChange>

/** An account as the browser knows it. */
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

/** What was done in an account, for whoever takes it over by a reset. */
export const accountHistory = z
  .strictObject({
    createdAt: wireMoment,
    lastLoginAt: wireMoment.nullable(),
    profileChangedAt: wireMoment.nullable(),
    passwordChangedAt: wireMoment.nullable(),
    /** Of the applications that are there, oldest first. */
    applicationNumbers: z.array(z.string()),
    signedLeases: z.int(),
    /** Received, whether given back later or not. */
    payments: z.int(),
  })
  .meta({ id: 'AccountHistory' })
export type AccountHistory = z.infer<typeof accountHistory>
