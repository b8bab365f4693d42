import type { z } from 'zod'
import type { Admin } from '../../domain/access.ts'
import type { Deps } from '../kernel/deps.ts'
import type { restoredAnswer } from './presenter.ts'

/** Puts a version into the draft (SITE-25, SITE-27). */
export async function restoreVersion(
  _deps: Deps,
  _actor: Admin,
  _of: { version: number; replace: boolean },
): Promise<z.infer<typeof restoredAnswer>> {
  throw new Error('not built yet')
}
