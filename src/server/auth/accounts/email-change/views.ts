import type { z } from 'zod'
import type { emailChangeView } from '../../../../domain/accounts/account-safety-form.ts'
import { emailChangeTtlMs } from '../../../../domain/accounts/email-change.ts'
import type { EmailChangeRow } from './changes.ts'

/** A pending change as its person sees it. Must not reveal whether the new address already has an account (SAFE-26). */
export function toEmailChangeView(change: EmailChangeRow): z.infer<typeof emailChangeView> {
  const { confirmedNewAt, confirmedOldAt, createdAt, newEmail, oldEmail } = change
  return {
    newEmail,
    oldEmail,
    createdAt,
    expiresAt: new Date(Date.parse(createdAt) + emailChangeTtlMs).toISOString(),
    confirmedOld: confirmedOldAt !== null,
    confirmedNew: confirmedNewAt !== null,
  }
}
