import type { SignedIn } from '../../../../domain/accounts/access.ts'
import { safetyMessages } from '../../../../domain/accounts/account-safety-messages.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { cancelPendingEmailChange } from './changes.ts'

/** Cancels the caller's pending change, if there is one. */
export async function cancelOwnEmailChange(deps: Deps, actor: SignedIn): Promise<{ message: string }> {
  await deps.write(tx => cancelPendingEmailChange(tx, nowIso(deps), actor.userId))
  return { message: safetyMessages.emailChangeCanceled }
}
