import type { z } from 'zod'
import type { factorView } from '../../../domain/accounts/account-safety-form.ts'
import type { FactorRow } from './factor-status.ts'

/** A factor as its person sees it, without the secret. */
export function toFactorView({
  id,
  kind,
  label,
  createdAt,
  lastUsedAt,
}: FactorRow): z.infer<typeof factorView> {
  return { id, kind, label, createdAt, lastUsedAt }
}
