export const roles = ['tenant', 'admin'] as const
export type Role = (typeof roles)[number]

/** The key that makes an account's email unique, regardless of case. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}

const missingEmailDomain = '@no-email.invalid'

/** The unique email of an account whose guest has none; nothing is mailed to it (LOOK-84). */
export const missingEmail = (id: string) => `${id}${missingEmailDomain}`

export const isMissingEmail = (email: string) => email.toLowerCase().endsWith(missingEmailDomain)

/** An account's email to read; empty if the guest has none. */
export const shownEmail = (email: string) => (isMissingEmail(email) ? '' : email)

/** Derives a name from an email address: `maya.rivers@…` becomes 'Maya Rivers'. */
export function nameFromEmail(email: string): string {
  const words = (email.split('@')[0] ?? '').replace(/\+.*$/, '').split(/[._-]+/)
  return words
    .filter(Boolean)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}

/** Longer passwords are rejected before hashing. */
export const maxPasswordLength = 200
export const minChangedPasswordLength = 8
export const passwordTooLong = `Password must be at most ${maxPasswordLength} characters long`

/** Rules for an administrator's password, each with its label in the live checklist. */
export const adminPasswordRules = [
  { label: 'At least 8 characters', met: (password: string) => password.length >= minChangedPasswordLength },
  { label: 'An uppercase letter', met: (password: string) => /[A-Z]/.test(password) },
  { label: 'A lowercase letter', met: (password: string) => /[a-z]/.test(password) },
  { label: 'A number', met: (password: string) => /[0-9]/.test(password) },
  {
    label: 'A special character: ! ? . # and others, but not - or _',
    met: (password: string) => /[!@#$%^&*(),.?":{}|<>]/.test(password),
  },
] as const

/** Why an administrator's new password is rejected, or undefined. */
export function adminPasswordError(password: string, currentPassword?: string): string | undefined {
  if (password.length > maxPasswordLength) return passwordTooLong
  if (!adminPasswordRules.every(rule => rule.met(password)))
    return 'New password must be at least 8 characters with uppercase, lowercase, numbers, and special characters'
  if (password === currentPassword) return 'New password must be different from current password'
  return undefined
}

export const forgotResponse = 'If an account with that email exists, a password reset link has been sent.'
export const invalidResetLink =
  'This password reset link is invalid or has expired. Please request a new one.'
