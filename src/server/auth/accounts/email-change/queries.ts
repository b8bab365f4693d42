import type { z } from 'zod'
import type { SignedIn } from '../../../../domain/accounts/access.ts'
import type { emailChangeResponse } from '../../../../domain/accounts/account-safety-form.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { pendingEmailChange } from './changes.ts'
import { toEmailChangeView } from './views.ts'

/** The caller's pending change, or null. */
export function currentEmailChange(deps: Deps, actor: SignedIn): z.infer<typeof emailChangeResponse> {
  const change = pendingEmailChange(deps.db, nowIso(deps), actor.userId)
  return { change: change ? toEmailChangeView(change) : null }
}
