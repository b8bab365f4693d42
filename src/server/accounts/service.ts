import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { users } from '../../../db/schema.ts'
import type { Actor, Admin, SignedIn } from '../../domain/access.ts'
import {
  emailKey,
  type loginForm,
  type ProfileChange,
  type registration,
  type UserView,
} from '../../domain/account.ts'
import { AppError } from '../../domain/errors.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { createAccount } from './create-account.ts'
import { countLogin } from './login-throttle.ts'
import { endSession, startSession } from './sessions.ts'
import { findUser, findUserByEmail, toUserView } from './users.ts'

type SignedInAnswer = { token: string; user: UserView }

/**
 * Checks e-mail and password and starts a session. An unknown e-mail and a wrong password take the same work and get
 * the same answer, so that nobody learns who has an account.
 * @throws AppError unauthorized; too_many after too many failures for one e-mail, known or not (see `countLogin`)
 */
export async function logIn(
  deps: Deps,
  actor: Actor,
  input: z.infer<typeof loginForm>,
): Promise<SignedInAnswer> {
  const account = emailKey(input.email)
  const user = findUserByEmail(deps.db, account)
  const { succeeded } = await countLogin(deps, { account, user, actor })
  const matches = await deps.passwords.verify(user?.passwordHash, input.password)
  if (!user || !matches) throw new AppError('unauthorized', 'Invalid email or password')
  const token = await startSession(deps, user)
  const self = { role: user.role, userId: user.id, requestOrigin: actor.requestOrigin }
  await deps.write(tx => recordEvent(tx, nowIso(deps), self, 'account.logged_in', user.id))
  await succeeded()
  return { token, user: toUserView(user) }
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
  return { token: await startSession(deps, user), user: toUserView(user) }
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

const gone = () => new AppError('unauthorized', 'Please log in to continue.')
