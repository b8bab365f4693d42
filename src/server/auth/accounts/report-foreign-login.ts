import type { Actor } from '../../../domain/accounts/access.ts'
import { safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { findLink, markLinkUsed, revokeLinks } from '../sessions/access-links.ts'
import { findUser } from '../sessions/users.ts'
import { forcePasswordReset } from './password-service.ts'

/**
 * Reports by the link of a login mail that the login was somebody else's. All sessions end, the password stops working,
 * and a link to set a new one is mailed. All browsers and networks count as unrecognized again (SAFE-22).
 * @throws AppError not_found for a link that is unknown, used, revoked or expired
 */
export async function reportForeignLogin(
  deps: Deps,
  actor: Actor,
  { token }: { token: string },
): Promise<void> {
  await deps.write(tx => {
    const at = nowIso(deps)
    const link = findLink(tx, at, 'not_me', token)
    const user = link && findUser(tx, link.personId)
    if (!link || !user) throw new AppError('not_found', safetyMessages.invalidLink)
    markLinkUsed(tx, at, link.id)
    revokeLinks(tx, at, 'not_me', { personId: user.id })
    forcePasswordReset(deps, tx, actor, user)
    recordEvent(tx, at, actor, 'account.login_disowned', user.id)
  })
}
