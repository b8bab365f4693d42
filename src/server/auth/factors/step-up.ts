import { and, eq, gt, lte } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { events } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { safetyAnswers, safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { hasSecondFactor } from '../../../domain/accounts/factor.ts'
import { missingStepUp, stepUpMethods } from '../../../domain/accounts/step-up.ts'
import { hourMs } from '../../../domain/common/durations.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { findProof } from '../sessions/session-proof.ts'
import { findUser, isMailboxProven, type UserRow } from '../sessions/users.ts'
import { factorStatusOf } from './factor-status.ts'

/**
 * Requires a step-up of the session in the last ten minutes (SAFE-16). Call it before changing anything or calling a
 * provider.
 * @throws AppError forbidden with the possible methods
 */
export function requireStepUp(deps: Deps, db: Db, actor: SignedIn): void {
  const factorStatus = factorStatusOf(deps, db, actor.userId)
  const session = findProof(db, actor.sessionId)
  const stepUp = session ? missingStepUp(factorStatus, session, nowIso(deps)) : stepUpMethods(factorStatus)
  if (stepUp) throw new AppError('forbidden', safetyMessages.stepUp, { stepUp })
}

/** The audit log's event for a mailed code that was entered correctly. */
export const mailboxProvenEvent = 'account.mailbox_proven'
/** How recent a mailbox proof must be to add the first factor. */
const mailboxProofMs = hourMs

/**
 * Whether a factor can be added without a mailed code. The first one requires a mailbox proof from the last hour:
 * otherwise somebody who has only the password could add a passkey and lock the owner out (SAFE-22). If mail is not set
 * up, any earlier proof is enough.
 */
export function isMailboxProvenForFactors(deps: Deps, db: Db, user: UserRow): boolean {
  if (!isMailboxProven(user)) return false
  if (!deps.mail || hasSecondFactor(factorStatusOf(deps, db, user.id))) return true
  const now = nowIso(deps)
  const since = new Date(Date.parse(now) - mailboxProofMs).toISOString()
  if (user.mailboxProvenAt !== null && user.mailboxProvenAt > since && user.mailboxProvenAt <= now)
    return true
  const isProof = and(
    eq(events.subjectId, user.id),
    eq(events.kind, mailboxProvenEvent),
    gt(events.at, since),
    lte(events.at, now),
  )
  return db.select({ id: events.id }).from(events).where(isProof).limit(1).get() !== undefined
}

/**
 * Requires a proven mailbox before a factor is set up: otherwise the mailbox alone could remove it by a password reset
 * (FIX-29).
 * @throws AppError forbidden; unavailable if no code can be mailed
 */
export function requireMailboxForFactors(deps: Deps, db: Db, { userId }: SignedIn): void {
  const user = findUser(db, userId)
  if (!user || !isMailboxProvenForFactors(deps, db, user)) throw mailboxNotProven(deps)
}

/** Requires that the mailbox was ever proven. @throws AppError forbidden; unavailable if no code can be mailed */
export function requireProvenMailbox(deps: Deps, db: Db, { userId }: SignedIn): void {
  const user = findUser(db, userId)
  if (!user || !isMailboxProven(user)) throw mailboxNotProven(deps)
}

const mailboxNotProven = ({ mail }: Deps) =>
  mail
    ? new AppError('forbidden', safetyAnswers.confirmMailbox)
    : new AppError('unavailable', safetyAnswers.noMail)

/**
 * Like `requireStepUp`, for a form that has a field for the current password, which is enough without a factor.
 * @throws AppError forbidden with the possible methods
 */
export function requireStepUpIfProtected(...[deps, db, actor]: Parameters<typeof requireStepUp>): void {
  if (hasSecondFactor(factorStatusOf(deps, db, actor.userId))) requireStepUp(deps, db, actor)
}
