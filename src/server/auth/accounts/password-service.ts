import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '../../../../db/open.ts'
import { users } from '../../../../db/schema.ts'
import type { Actor, SignedIn, System } from '../../../domain/accounts/access.ts'
import type {
  AccountHistory,
  forgotForm,
  PasswordChange,
  passwordReset,
} from '../../../domain/accounts/account.ts'
import {
  adminPasswordError,
  emailKey,
  invalidResetLink,
  nameFromEmail,
} from '../../../domain/accounts/account-rules.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { eraseEvents, recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { unmatchedHash } from '../../kernel/passwords.ts'
import { cancelUnsentMail, enqueueMail } from '../../mail/outbox.ts'
import { endChallengesOf } from '../factors/challenges.ts'
import { rejectProof } from '../factors/confirm-step-up.ts'
import { removeAllFactors } from '../factors/remove-factor.ts'
import { requireStepUpIfProtected } from '../factors/step-up.ts'
import { createLink, findLink, revokeLinks } from '../sessions/access-links.ts'
import { resetNetworkFailures } from '../sessions/login-throttle.ts'
import { endSessionsOf, endSessionsWithNotice } from '../sessions/sessions.ts'
import { findUser, findUserByEmail, isMailboxProven, type UserRow } from '../sessions/users.ts'
import { accountHistory } from './account-history.ts'
import { cancelPendingEmailChange } from './email-change/changes.ts'
import { endInvitationsOf } from './invitations.ts'
import { proveMailbox } from './prove-mailbox.ts'
import { endResetLinksOf, resetMailKey } from './reset-links.ts'

/**
 * Replaces the caller's password and ends all their sessions except the current one.
 * @throws AppError forbidden for an account with a factor, without a step-up; bad_request for a wrong current password,
 * or a new one that breaks the admin's rules; unauthorized with the fifth wrong password, which ends the session;
 * too_many
 */
export async function changePassword(
  deps: Deps,
  actor: SignedIn,
  sessionId: string | undefined,
  input: PasswordChange,
): Promise<void> {
  requireStepUpIfProtected(deps, deps.db, actor)
  await deps.limits.consume('changePasswordByUser', actor.userId)
  const user = findUser(deps.db, actor.userId)
  if (!user || !(await deps.passwords.verify(user.passwordHash, input.currentPassword)))
    throw await deps.write(tx => rejectProof(tx, nowIso(deps), actor, 'password') ?? wrongCurrentPassword())
  assertStrongPassword(user, input.newPassword, input.currentPassword)
  const passwordHash = await deps.passwords.hash(input.newPassword)
  await deps.write(tx => {
    requireStepUpIfProtected(deps, tx, actor)
    // Of two simultaneous changes only the first finds the password that it has verified.
    if (findUser(tx, user.id)?.passwordHash !== user.passwordHash) throw wrongCurrentPassword()
    // Anybody can register with another person's email: keeping the links leaves the mailbox's owner a way in.
    const keepLinks = user.role === 'tenant'
    replacePassword(tx, nowIso(deps), actor, user.id, { passwordHash, keepSessionId: sessionId, keepLinks })
  })
}

const wrongCurrentPassword = () => fieldError('currentPassword', 'Current password is incorrect')

/**
 * Mails a link to set a new password if the email has an account. Response, rate limits and work are the same for
 * known and unknown emails. The link is only ever mailed, and uses the configured origin.
 * @throws AppError unavailable without a mail service, too_many
 */
export async function requestPasswordReset(
  deps: Deps,
  actor: Actor,
  { email }: z.infer<typeof forgotForm>,
): Promise<void> {
  if (!deps.mail) throw new AppError('unavailable', 'Email service not configured. Please contact support.')
  await deps.limits.consume('forgotByAccount', emailKey(email))
  const at = nowIso(deps)
  await deps.write(tx => {
    const user = findUserByEmail(tx, email)
    recordEvent(tx, at, actor, 'account.reset_requested', user?.id ?? nobody)
    // Otherwise strangers could fill the audit log. It is written first so that timing does not reveal accounts.
    if (!user) eraseEvents(tx, nobody)
    sendResetLink(tx, at, { to: user?.email ?? email, userId: user?.id })
  })
}

const nobody = 'nobody'

type ResetLink = {
  to: string
  userId: string | undefined
  /** Whether the former password no longer works; the mail says so. */
  isPasswordGone?: boolean
  /** Whether the account is the owner's trial; the mail says so. */
  isTrial?: boolean
}

/** Mails the link in the caller's transaction. Without an account the same rows are written and removed, for timing. */
export function sendResetLink(tx: Tx, at: string, { isPasswordGone, isTrial, to, userId }: ResetLink): void {
  const linkId =
    userId === undefined
      ? randomUUID()
      : createLink(tx, at, { kind: 'password_reset', subjectId: userId, personId: userId }).id
  const dedupeKey = resetMailKey(linkId)
  enqueueMail(tx, at, {
    // Without `validUntil`: after an outage the mail still arrives, with a link that works from then on.
    kind: 'password-reset',
    props: {
      email: to,
      displayName: nameFromEmail(to),
      linkId,
      ...(isPasswordGone && { isPasswordGone }),
      ...(isTrial && { isTrial }),
    },
    to,
    dedupeKey,
  })
  if (userId === undefined) cancelUnsentMail(tx, dedupeKey)
}

/**
 * Returns an account to the owner of its mailbox: its password stops working, its sessions and links end, and a link to
 * set a new password is mailed. Factors stay.
 */
export function forcePasswordReset(
  deps: Deps,
  tx: Tx,
  actor: Actor | System,
  user: Pick<UserRow, 'id' | 'email'>,
): void {
  const at = nowIso(deps)
  replacePassword(tx, at, actor, user.id, { passwordHash: null })
  sendResetLink(tx, at, { to: user.email, userId: user.id, isPasswordGone: true })
}

/**
 * Sets a new password by the token of a link, which works once and within an hour, like `takeOver`.
 * @throws AppError bad_request for a token that is unknown, used or expired, or a password that breaks the admin's
 * rules
 */
export async function resetPassword(
  deps: Deps,
  actor: Actor,
  { newPassword, token }: z.infer<typeof passwordReset>,
): Promise<AccountHistory> {
  const user = userOfReset(deps.db, token, nowIso(deps))
  assertStrongPassword(user, newPassword)
  const passwordHash = await deps.passwords.hash(newPassword)
  const before = await deps.write(tx => {
    const current = userOfReset(tx, token, nowIso(deps))
    return takeOver(deps, tx, actor, current, passwordHash)
  })
  await resetNetworkFailures(deps, actor, user.emailKey)
  return before
}

/**
 * Gives an account to the person who used a mailed link, which proves the mailbox: sets their password, ends all
 * sessions and revokes all other links. Factors stay (SAFE-09), but not those from before the mailbox was proven, which
 * may belong to somebody who registered with another person's address (FIX-22). Returns what was done in the account
 * before, as somebody else may have created it.
 */
export function takeOver(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  user: UserRow,
  passwordHash: string,
): AccountHistory {
  const at = nowIso(deps)
  const history = accountHistory(tx, user)
  if (!isMailboxProven(user)) removeAllFactors(tx, at, actor, user.id)
  replacePassword(tx, at, actor, user.id, { passwordHash })
  proveMailbox(tx, at, user.id)
  return history
}

/**
 * Stores a new password, ends sessions, and revokes mailed links unless `keepLinks`. With null nobody can log in by
 * password until a new one is set, and requests of the ended sessions are told that their session has ended.
 */
export function replacePassword(
  tx: Tx,
  at: string,
  actor: Actor | System,
  userId: string,
  {
    passwordHash,
    keepSessionId,
    keepLinks = false,
  }: { passwordHash: string | null; keepSessionId?: string | undefined; keepLinks?: boolean },
): void {
  // Never null, which means that the account never had a password: an invitation would then skip the second step.
  const stored = passwordHash ?? unmatchedHash
  tx.update(users).set({ passwordHash: stored, updatedAt: at }).where(eq(users.id, userId)).run()
  if (!keepLinks) {
    endResetLinksOf(tx, at, userId)
    endInvitationsOf(tx, at, userId)
    // Whoever had the account could have made them, with codes of the door.
    revokeLinks(tx, at, 'stay', { personId: userId })
  }
  cancelPendingEmailChange(tx, at, userId)
  endChallengesOf(tx, at, userId)
  for (const kind of ['site_preview', 'message_reply'] as const)
    revokeLinks(tx, at, kind, { personId: userId })
  if (passwordHash === null) {
    endSessionsWithNotice(tx, at, userId)
    return
  }
  endSessionsOf(tx, userId, keepSessionId)
  recordEvent(tx, at, actor, 'account.password_changed', userId)
}

function userOfReset(db: Db, token: string, at: string): UserRow {
  const link = findLink(db, at, 'password_reset', token)
  const user = link && findUser(db, link.personId)
  if (!user) throw new AppError('bad_request', invalidResetLink)
  return user
}

/** Enforces the admin's password rules on every path that sets a password. */
function assertStrongPassword(user: UserRow, password: string, currentPassword?: string): void {
  const problem = user.role === 'admin' ? adminPasswordError(password, currentPassword) : undefined
  if (problem) throw fieldError('newPassword', problem)
}
