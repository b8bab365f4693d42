import { and, asc, eq, gt, lte } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { events } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { emailRequired } from '../../../domain/accounts/account.ts'
import { isMissingEmail } from '../../../domain/accounts/account-rules.ts'
import { hasPasswordMessage, registeredMessage } from '../../../domain/bookings/booking-entry.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { correctContactEmail } from '../../auth/accounts/email-change/set-email.ts'
import { correctEmail, endInvitationsOf } from '../../auth/accounts/invitations.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { findUser } from '../../auth/sessions/users.ts'
import { applicationNotFound, getSubmittedApplication } from '../../bookings/records.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { inviteTo } from './enter-booking.ts'

const maxInvitations = 5
const windowMs = dayMs
const invitedAgain = 'account.invited_again'

/**
 * Invites the guest of a booking again and revokes the older links. With `email`, first corrects the email of the
 * account.
 * @throws AppError not_found; conflict if the booking is open to the guest, for another account's email, and for a
 * correction of an account that somebody registered; bad_request for a guest without an email; forbidden for a
 * correction without a step-up, because the booking opens to that address (FIX-32); too_many
 */
export async function inviteGuest(
  deps: Deps,
  actor: Admin,
  applicationId: string,
  email: string | undefined,
): Promise<{ message: string }> {
  const at = nowIso(deps)
  await deps.write(tx => {
    const { application, isClosed } = getSubmittedApplication(tx, actor, applicationId)
    const known = findUser(tx, application.userId)
    if (!known) throw applicationNotFound()
    const isRegistered = known.passwordHash !== null
    if (isRegistered && isClosed === 0) throw new AppError('conflict', hasPasswordMessage)
    if (email !== undefined) requireStepUp(deps, tx, actor)
    if (isRegistered && email !== undefined) throw fieldError('email', registeredMessage, 'conflict')
    if (email === undefined && isMissingEmail(known.email)) throw fieldError('email', emailRequired)
    requireNotTooMany(tx, at, known.id)
    const guest = email === undefined ? known : correctEmail(tx, at, actor, known, email)
    if (guest !== known) correctContactEmail(tx, at, guest.id, { from: known.email, to: guest.email })
    endInvitationsOf(tx, at, guest.id)
    inviteTo(deps, tx, guest, getSubmittedApplication(tx, actor, applicationId))
    recordEvent(tx, at, actor, invitedAgain, guest.id, { applicationId })
  })
  return { message: 'Invitation sent' }
}

/** Counts by the audit log, which survives a restart. @throws AppError too_many */
function requireNotTooMany(tx: Tx, at: string, userId: string): void {
  const since = new Date(Date.parse(at) - windowMs).toISOString()
  const sent = tx
    .select({ at: events.at })
    .from(events)
    .where(
      and(
        eq(events.subjectId, userId),
        eq(events.kind, invitedAgain),
        gt(events.at, since),
        lte(events.at, at),
      ),
    )
    .orderBy(asc(events.id))
    .all()
  const [oldest] = sent
  if (sent.length < maxInvitations || !oldest) return
  const freeInMs = Date.parse(oldest.at) + windowMs - Date.parse(at)
  throw new AppError('too_many', 'This guest was invited five times today. Please try again tomorrow.', {
    retryAfterSeconds: Math.max(1, Math.ceil(freeInMs / 1000)),
  })
}
