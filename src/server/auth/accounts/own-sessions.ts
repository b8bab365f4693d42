import type { z } from 'zod'
import type { Actor, SignedIn } from '../../../domain/accounts/access.ts'
import type { sessionView } from '../../../domain/accounts/account-safety-form.ts'
import { safetyAnswers, safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { describeBrowser } from '../../../domain/accounts/user-agent.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { requireStepUp } from '../factors/step-up.ts'
import { findLink, markLinkUsed, revokeLinks } from '../sessions/access-links.ts'
import { endSessionsWithNotice, endSessionWithNotice, liveSessionsOf } from '../sessions/sessions.ts'
import { findUser } from '../sessions/users.ts'
import { forcePasswordReset } from './password-service.ts'

type SessionView = z.infer<typeof sessionView>

/** The caller's own sessions, the last used first (SAFE-20). */
export function listOwnSessions(deps: Deps, actor: SignedIn): SessionView[] {
  const isCurrent = ({ id }: { id: string }) => id === actor.sessionId
  const live = liveSessionsOf(deps, deps.db, actor.userId)
  // The current use may not be stored yet.
  const current = live.filter(isCurrent).map(row => ({ ...row, lastUsedAt: nowIso(deps) }))
  return [...current, ...live.filter(row => !isCurrent(row))].map(row => ({
    id: row.publicId,
    browser: describeBrowser(row.userAgent ?? ''),
    address: row.address ?? '',
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
    current: isCurrent(row),
  }))
}

/**
 * Ends one of the caller's sessions at once. Ending the current session needs no step-up. Ending another one does, or a
 * thief of one session could end all others one by one.
 * @throws AppError not_found for a session that is not theirs or is over, forbidden without a fresh step-up
 */
export async function endOwnSession(deps: Deps, actor: SignedIn, publicId: string): Promise<void> {
  await deps.write(tx => {
    const session = liveSessionsOf(deps, tx, actor.userId).find(row => row.publicId === publicId)
    if (!session) throw new AppError('not_found', safetyAnswers.sessionNotFound)
    if (session.id !== actor.sessionId) requireStepUp(deps, tx, actor)
    const at = nowIso(deps)
    endSessionWithNotice(tx, at, session.id)
    recordEvent(tx, at, actor, 'account.session_ended', actor.userId, { ended: 1 })
  })
}

/** Ends the caller's other sessions and returns their number. @throws AppError forbidden without a fresh step-up */
export async function endOtherSessions(deps: Deps, actor: SignedIn): Promise<number> {
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const ended = liveSessionsOf(deps, tx, actor.userId).filter(({ id }) => id !== actor.sessionId).length
    const at = nowIso(deps)
    endSessionsWithNotice(tx, at, actor.userId, actor.sessionId)
    if (ended > 0) recordEvent(tx, at, actor, 'account.session_ended', actor.userId, { ended })
    return ended
  })
}

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
