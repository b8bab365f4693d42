import { and, count, eq, gt, isNull, lte } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { events, users } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { safetyAnswers, safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { maxMailboxCodes } from '../../../domain/accounts/login-challenge.ts'
import { describeBrowser } from '../../../domain/accounts/user-agent.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { openMailboxChallenge, tryMailboxCode } from '../factors/mailbox-code.ts'
import { isMailboxProvenForFactors, mailboxProvenEvent } from '../factors/step-up.ts'
import { findUser, type UserRow } from '../sessions/users.ts'
import { endInvitationsOf } from './invitations.ts'

const requested = 'account.mailbox_code_requested'

/** Records that a mailed link or code was used, which proves the account's mailbox. */
export function proveMailbox(tx: Tx, at: string, userId: string): void {
  tx.update(users)
    .set({ mailboxProvenAt: at })
    .where(and(eq(users.id, userId), isNull(users.mailboxProvenAt)))
    .run()
}

/**
 * Mails the caller a six-digit code that proves their mailbox; it replaces an earlier one.
 * @throws AppError unavailable if mail is not set up or the site's key is damaged; conflict if no proof is needed;
 * too_many after five codes in 24 hours
 */
export async function sendMailboxCode(deps: Deps, actor: SignedIn): Promise<{ expiresAt: string }> {
  if (!deps.mail) throw new AppError('unavailable', safetyAnswers.noMail)
  if (deps.key.state !== 'ready') throw new AppError('unavailable', safetyAnswers.noCodes)
  return deps.write(tx => {
    const at = nowIso(deps)
    const user = requireUnproven(deps, tx, actor)
    requireNotTooMany(tx, at, user.id)
    const { expiresAt, id } = openMailboxChallenge(tx, at, user.id)
    const { address, userAgent } = actor.requestOrigin
    enqueueMail(tx, at, {
      kind: 'mailbox-code',
      to: user.email,
      dedupeKey: `mailbox-code:${id}`,
      validUntil: expiresAt,
      props: { challengeId: id, expiresAt, at, browser: describeBrowser(userAgent), address },
    })
    recordEvent(tx, at, actor, requested, user.id)
    return { expiresAt }
  })
}

/**
 * Proves the caller's mailbox by the mailed code: invitations end, and bookings that waited for the proof open.
 * @throws AppError bad_request for a wrong code; gone when the code is over; conflict if no proof is needed
 */
export async function confirmMailboxCode(
  deps: Deps,
  actor: SignedIn,
  { code }: { code: string },
): Promise<void> {
  const outcome = await deps.write(tx => {
    const at = nowIso(deps)
    const user = requireUnproven(deps, tx, actor)
    const outcome = tryMailboxCode(deps, tx, user.id, code)
    if (outcome !== 'passed') return outcome
    proveMailbox(tx, at, user.id)
    endInvitationsOf(tx, at, user.id)
    recordEvent(tx, at, actor, mailboxProvenEvent, user.id)
    return outcome
  })
  // Not thrown inside the transaction, which would roll the count of tries back.
  if (outcome === 'over') throw new AppError('gone', safetyAnswers.mailboxCodeOver)
  if (outcome === 'wrong') throw fieldError('code', safetyAnswers.wrongMailboxCode)
}

function requireUnproven(deps: Deps, tx: Tx, actor: SignedIn): UserRow {
  const user = findUser(tx, actor.userId)
  if (!user) throw new AppError('unauthorized', safetyMessages.loginAgain)
  if (isMailboxProvenForFactors(deps, tx, user)) throw new AppError('conflict', safetyAnswers.mailboxProven)
  return user
}

/** Counts by the audit log, which survives a restart: more codes would let somebody guess one in the end. */
function requireNotTooMany(tx: Tx, at: string, userId: string): void {
  const since = new Date(Date.parse(at) - dayMs).toISOString()
  const isRecent = and(
    eq(events.subjectId, userId),
    eq(events.kind, requested),
    gt(events.at, since),
    lte(events.at, at),
  )
  const sent = tx.select({ codes: count() }).from(events).where(isRecent).get()?.codes ?? 0
  if (sent < maxMailboxCodes) return
  throw new AppError('too_many', safetyAnswers.tooManyMailboxCodes, { retryAfterSeconds: dayMs / 1000 })
}
