import { and, eq, gt, isNull, lte } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '../../../db/open.ts'
import { passwordResets, users } from '../../../db/schema.ts'
import type { Actor, SignedIn, System } from '../../domain/access.ts'
import {
  type AccountHistory,
  adminPasswordProblem,
  emailKey,
  type forgotForm,
  invalidResetLink,
  nameFromEmail,
  type PasswordChange,
  type passwordReset,
} from '../../domain/account.ts'
import { AppError, fieldError } from '../../domain/errors.ts'
import { endChallengesOf } from '../factors/challenges.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { sha256 } from '../lib/sha256.ts'
import { newToken } from '../lib/token.ts'
import { enqueueMail, withdrawMail } from '../mail/outbox.ts'
import { revokeLinks } from '../sessions/access-links.ts'
import { forgiveNetwork } from '../sessions/login-throttle.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { findUser, findUserByEmail, type UserRow } from '../sessions/users.ts'
import { accountHistory } from './account-history.ts'
import { endInvitationsOf } from './invitations.ts'

const resetTtlMs = 60 * 60_000

/**
 * Replaces the caller's password. It ends every other session of theirs and keeps this one.
 * @throws AppError bad_request for a wrong current password or one that an admin may not have, too_many
 */
export async function changePassword(
  deps: Deps,
  actor: SignedIn,
  sessionId: string | undefined,
  input: PasswordChange,
): Promise<void> {
  await deps.limits.consume('changePasswordByUser', actor.userId)
  const user = findUser(deps.db, actor.userId)
  if (!user || !(await deps.passwords.verify(user.passwordHash, input.currentPassword)))
    throw fieldError('currentPassword', 'Current password is incorrect')
  refuseWeak(user, input.newPassword, input.currentPassword)
  const passwordHash = await deps.passwords.hash(input.newPassword)
  await deps.write(tx => {
    // Of two changes at once only the first still knows the current password.
    if (findUser(tx, user.id)?.passwordHash !== user.passwordHash)
      throw fieldError('currentPassword', 'Current password is incorrect')
    // Anybody can register with another person's e-mail: a tenant's change leaves the owner of the mailbox a way in.
    const keepLinks = user.role === 'tenant'
    replacePassword(tx, nowIso(deps), actor, user.id, { passwordHash, keepSessionId: sessionId, keepLinks })
  })
}

/**
 * Mails a link to set a new password, where the e-mail has an account. Known or not, the answer, the counting and the
 * work are the same; the link goes by mail alone, under the configured origin.
 * @throws AppError unavailable without a mail service, too_many
 */
export async function requestPasswordReset(
  deps: Deps,
  actor: Actor,
  { email }: z.infer<typeof forgotForm>,
): Promise<void> {
  if (!deps.mail) throw new AppError('unavailable', 'Email service not configured. Please contact support.')
  await deps.limits.consume('forgotByAccount', emailKey(email))
  const token = newToken()
  const id = sha256(token)
  const dedupeKey = `password-reset:${id}`
  const now = deps.clock.now()
  const at = now.toISOString()
  await deps.write(tx => {
    const user = findUserByEmail(tx, email)
    const to = user?.email ?? email
    tx.delete(passwordResets).where(lte(passwordResets.expiresAt, at)).run()
    recordEvent(tx, at, actor, 'account.reset_requested', user?.id ?? 'nobody')
    enqueueMail(tx, at, {
      kind: 'password-reset',
      props: {
        email: to,
        displayName: nameFromEmail(to),
        link: `${deps.config.origin}/reset-password?token=${token}`,
      },
      to,
      dedupeKey,
    })
    if (user) {
      const expiresAt = new Date(now.getTime() + resetTtlMs).toISOString()
      tx.insert(passwordResets).values({ id, userId: user.id, createdAt: at, expiresAt }).run()
    } else {
      // Written and taken back: an unknown address costs what a known one does.
      withdrawMail(tx, dedupeKey)
    }
  })
}

/**
 * Sets a new password by the token of a link: once, within an hour. It ends all sessions and makes all other links
 * of that account worthless. Answers what was done in the account before, as somebody else may have made it.
 * @throws AppError bad_request for a token that is unknown, used or too old, or a password that an admin may not have
 */
export async function resetPassword(
  deps: Deps,
  actor: Actor,
  { token, newPassword }: z.infer<typeof passwordReset>,
): Promise<AccountHistory> {
  const id = sha256(token)
  const user = userOfReset(deps.db, id, nowIso(deps))
  refuseWeak(user, newPassword)
  const passwordHash = await deps.passwords.hash(newPassword)
  const before = await deps.write(tx => {
    const at = nowIso(deps)
    userOfReset(tx, id, at)
    const history = accountHistory(tx, user)
    replacePassword(tx, at, actor, user.id, { passwordHash })
    return history
  })
  await forgiveNetwork(deps, actor, user.emailKey)
  return before
}

/** A new password with all that follows from it: sessions end, and links in mails become worthless unless kept. */
export function replacePassword(
  tx: Tx,
  at: string,
  actor: Actor | System,
  userId: string,
  {
    passwordHash,
    keepSessionId,
    keepLinks = false,
  }: { passwordHash: string; keepSessionId?: string | undefined; keepLinks?: boolean },
): void {
  tx.update(users).set({ passwordHash, updatedAt: at }).where(eq(users.id, userId)).run()
  if (!keepLinks)
    tx.update(passwordResets)
      .set({ usedAt: at })
      .where(and(eq(passwordResets.userId, userId), isNull(passwordResets.usedAt)))
      .run()
  endInvitationsOf(tx, at, userId)
  revokeLinks(tx, at, 'site_preview', { personId: userId })
  endSessionsOf(tx, userId, keepSessionId)
  endChallengesOf(tx, at, userId)
  recordEvent(tx, at, actor, 'account.password_changed', userId)
}

function userOfReset(db: Pick<Db, 'select'>, id: string, at: string): UserRow {
  const found = db
    .select({ user: users })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(and(eq(passwordResets.id, id), isNull(passwordResets.usedAt), gt(passwordResets.expiresAt, at)))
    .get()
  if (!found) throw new AppError('bad_request', invalidResetLink)
  return found.user
}

/** An admin's password obeys the admin's rules by whatever way it comes. */
function refuseWeak(user: UserRow, password: string, currentPassword?: string): void {
  const problem = user.role === 'admin' ? adminPasswordProblem(password, currentPassword) : undefined
  if (problem) throw fieldError('newPassword', problem)
}
