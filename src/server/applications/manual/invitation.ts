import { and, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../../db/open.ts'
import { applications } from '../../../../db/schema.ts'
import type { Actor } from '../../../domain/accounts/access.ts'
import {
  type acceptanceInput,
  deadInvitationMessage,
  type InvitationView,
  usedInvitationMessage,
} from '../../../domain/bookings/booking-entry.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { takeOver } from '../../auth/accounts/password-service.ts'
import { completePasswordStep } from '../../auth/factors/second-step.ts'
import { endedWithProof, findLink, markLinkUsed } from '../../auth/sessions/access-links.ts'
import { resetNetworkFailures } from '../../auth/sessions/login-throttle.ts'
import { findUser, isMailboxProven } from '../../auth/sessions/users.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { currentSite } from '../../site/content/published.ts'
import type { AcceptedResponse } from './views.ts'

/** What an invited guest sees; changes nothing. @throws AppError not_found for an invalid link */
export function readInvitation(deps: Deps, _actor: Actor, token: string): InvitationView {
  const { application, link, user } = openInvitation(deps.db, nowIso(deps), token)
  return {
    firstName: application.firstName,
    email: user.email,
    propertyName: currentSite(deps).propertyName,
    applicationNumber: application.number,
    startDate: application.stayStartDate,
    endDate: application.stayEndDate,
    expiresAt: link.expiresAt,
    isRegistered: user.passwordHash !== null,
  }
}

/**
 * Sets the password of an invited guest, like `takeOver`, and logs them in, or requires the second step of an account
 * that keeps its factors. Ends all their invitations. Of two simultaneous calls one succeeds. `before` is what was done
 * in an account that somebody had registered.
 * @throws AppError not_found for an invalid link
 */
export async function acceptInvitation(
  deps: Deps,
  actor: Actor,
  { newPassword, token }: z.output<typeof acceptanceInput>,
): Promise<AcceptedResponse> {
  // Checked early to save the expensive hash, and again in the transaction of the update, where it counts.
  const { user } = openInvitation(deps.db, nowIso(deps), token)
  const passwordHash = await deps.passwords.hash(newPassword)
  const answer = await deps.write(tx => {
    const at = nowIso(deps)
    const { link, user } = openInvitation(tx, at, token)
    markLinkUsed(tx, at, link.id)
    const history = takeOver(deps, tx, actor, user, passwordHash)
    const self = { role: user.role, userId: user.id, requestOrigin: actor.requestOrigin }
    recordEvent(tx, at, self, 'account.invitation_accepted', user.id, { applicationId: link.subjectId })
    const before = user.passwordHash === null ? null : history
    return { ...completePasswordStep(deps, tx, actor, user, 'invitation'), before }
  })
  await resetNetworkFailures(deps, actor, user.emailKey)
  return answer
}

/**
 * The link, guest and booking of a token.
 * @throws AppError conflict if the link ended because the guest's mailbox was proven; not_found, with the same message
 * for every other reason
 */
function openInvitation(db: Db, at: string, token: string) {
  const link = findLink(db, at, 'invitation', token)
  const application =
    link &&
    db
      .select()
      .from(applications)
      .where(and(eq(applications.id, link.subjectId), isNull(applications.deletedAt)))
      .get()
  const user = link && findUser(db, link.personId)
  if (!link && endedWithProof(db, 'invitation', token)) throw new AppError('conflict', usedInvitationMessage)
  if (!link || !application || !user || isMailboxProven(user))
    throw new AppError('not_found', deadInvitationMessage)
  return { link, application, user }
}
