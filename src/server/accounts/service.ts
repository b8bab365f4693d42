import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { users } from '../../../db/schema.ts'
import type { Actor, Admin, SignedIn } from '../../domain/access.ts'
import type { loginForm, ProfileChange, registration, UserView } from '../../domain/account.ts'
import { emailKey } from '../../domain/account-rules.ts'
import { AppError } from '../../domain/errors.ts'
import { afterRightPassword, type ChallengeAnswer, type SignedInAnswer } from '../factors/second-step.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { countLogin } from '../sessions/login-throttle.ts'
import { beginSession, endSession } from '../sessions/sessions.ts'
import { findUser, findUserByEmail, toUserView } from '../sessions/users.ts'
import { createAccount } from './create-account.ts'

/**
 * Checks e-mail and password and begins a session, or asks for the second step where the account has one. An unknown
 * e-mail and a wrong password take the same work and get the same answer, so that nobody learns who has an account.
 * @throws AppError unauthorized; too_many after too many failures for one e-mail, known or not (see `countLogin`)
 */
export async function logIn(
  deps: Deps,
  actor: Actor,
  input: z.infer<typeof loginForm>,
): Promise<SignedInAnswer | ChallengeAnswer> {
  const account = emailKey(input.email)
  const user = findUserByEmail(deps.db, account)
  const { succeeded } = await countLogin(deps, { account, user, actor })
  const matches = await deps.passwords.verify(user?.passwordHash, input.password)
  if (!user || !matches) throw wrongLogin()
  const answer = await deps.write(tx => {
    // A password that was changed meanwhile ended every session; this one must not begin after it.
    if (findUser(tx, user.id)?.passwordHash !== user.passwordHash) throw wrongLogin()
    return afterRightPassword(deps, tx, actor, user, 'password')
  })
  await succeeded()
  return answer
}

/**
 * Makes a tenant's account and starts a session; the register screen keeps none.
 * @throws AppError conflict when the e-mail has an account
 */
export async function register(
  deps: Deps,
  actor: Actor,
  input: z.infer<typeof registration>,
): Promise<SignedInAnswer> {
  const user = await createAccount(deps, actor, 'tenant', input)
  const token = await deps.write(tx => beginSession(deps, tx, actor, user, 'registration'))
  return { token, user: toUserView(user) }
}

/** Ends the caller's session; nobody's is no error. */
export async function logOut(deps: Deps, sessionId: string | undefined): Promise<void> {
  if (sessionId !== undefined) await endSession(deps, sessionId)
}

/** The caller's own account. @throws AppError unauthorized when it is gone */
export function getProfile({ db }: Deps, actor: SignedIn): UserView {
  const user = findUser(db, actor.userId)
  if (!user) throw gone()
  return toUserView(user)
}

/** Changes the caller's name and phone, those that are given. @throws AppError unauthorized when the account is gone */
export async function updateProfile(deps: Deps, actor: SignedIn, input: ProfileChange): Promise<UserView> {
  const at = nowIso(deps)
  return deps.write(tx => {
    const user = tx
      .update(users)
      .set({ ...input, updatedAt: at })
      .where(eq(users.id, actor.userId))
      .returning()
      .get()
    if (!user) throw gone()
    recordEvent(tx, at, actor, 'account.profile_changed', user.id)
    return toUserView(user)
  })
}

/** Anybody's account, for the admin. @throws AppError not_found */
export function getUser({ db }: Deps, _actor: Admin, userId: string): UserView {
  const user = findUser(db, userId)
  if (!user) throw new AppError('not_found', 'User not found')
  return toUserView(user)
}

const wrongLogin = () => new AppError('unauthorized', 'Invalid email or password')
const gone = () => new AppError('unauthorized', 'Please log in to continue.')
