import { z } from 'zod'

export const roles = ['tenant', 'admin'] as const
export type Role = (typeof roles)[number]

export const emailText = z
  .string({ error: 'Email is required' })
  .trim()
  .min(1, 'Email is required')
  .max(254, 'Please enter a valid email address')
  .pipe(z.email('Please enter a valid email address'))

/** What makes an e-mail address one account: letter case does not count (decisions, Accounts). */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}

/** A longer one never reaches the hash. */
export const maxPasswordLength = 200

/** The rules that an administrator's password meets, each with its label for the live checklist (spec §5). */
export const adminPasswordRules = [
  { label: 'At least 8 characters', met: (password: string) => password.length >= 8 },
  { label: 'An uppercase letter', met: (password: string) => /[A-Z]/.test(password) },
  { label: 'A lowercase letter', met: (password: string) => /[a-z]/.test(password) },
  { label: 'A number', met: (password: string) => /[0-9]/.test(password) },
  { label: 'A special character', met: (password: string) => /[!@#$%^&*(),.?":{}|<>]/.test(password) },
] as const

/** The sentence for a password that an administrator may not have, or undefined (spec §5, Change password admin). */
export function adminPasswordProblem(password: string): string | undefined {
  if (password.length <= maxPasswordLength && adminPasswordRules.every(rule => rule.met(password)))
    return undefined
  return 'New password must be at least 8 characters with uppercase, lowercase, numbers, and special characters'
}
