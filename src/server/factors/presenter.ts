import type { z } from 'zod'
import type { factorView } from '../../domain/account-safety-form.ts'
import type { FactorRow } from './protection.ts'

/** What its person sees of a factor: never its secret. */
export function toFactorView({
  id,
  kind,
  label,
  createdAt,
  lastUsedAt,
}: FactorRow): z.infer<typeof factorView> {
  return { id, kind, label, createdAt, lastUsedAt }
}
