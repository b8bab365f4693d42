import type { z } from 'zod'
import type { factorView } from '../../domain/account-safety-form.ts'
import type { FactorRow } from './protection.ts'

/** What its person sees of a factor: no secret, no key. */
export function toFactorView({
  createdAt,
  id,
  kind,
  label,
  lastUsedAt,
}: FactorRow): z.infer<typeof factorView> {
  return { id, kind, label, createdAt, lastUsedAt }
}
