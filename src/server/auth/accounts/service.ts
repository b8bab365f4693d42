import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { users } from '../../../../db/schema.ts'
import type { Actor, Admin, SignedIn } from '../../../domain/accounts/access.ts'
import type { loginForm, ProfileChange, registration, UserView } from '../../../domain/accounts/account.ts'
import { emailKey } from '../../../domain/accounts/account-rules.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import {
  type ChallengeResponse,
  completePasswordStep,
  type SignedInResponse,
} from '../factors/second-step.ts'
import { countLogin } from '../sessions/login-throttle.ts'
import { beginSession, endSession } from '../sessions/sessions.ts'
import { findUser, findUserByEmail, toUserView } from '../sessions/users.ts'
import { createAccount } from './create-account.ts'

/**
 * Checks email and password and starts a session, or requires the second step if the account has one. An unknown
 * email and a wrong password cause the same work and get the same response, so that nobody learns who has an account.
 * @throws AppError unauthorized; too_many after too many failures for one email, known or not, or from one network (see `countLogin`)
 */
export async function logIn(
  deps: Deps,
  actor: Actor,
  input: z.infer<typeof loginForm>,
): Promise<SignedInResponse | ChallengeResponse> {
  const account = emailKey(input.email)
  const user = findUserByEmail(deps.db, account)
  const { knownFrom, succeeded } = await countLogin(deps, { account, user, actor })
  const matches = await deps.passwords.verify(user?.passwordHash, input.password, { knownFrom })
  if (!user || !matches) throw wrongLogin()
  const answer = await deps.write(tx => {
    // If the password was changed during the check, all sessions were ended, and no new one may start with the old one.
    if (findUser(tx, user.id)?.passwordHash !== user.passwordHash) throw wrongLogin()
    return completePasswordStep(deps, tx, actor, user, 'password')
  })
  await succeeded()
  return answer
}

/**
 * Creates a tenant's account and starts a session, which the register screen does not use.
 * @throws AppError conflict when the email has an account
 */
export async function register(
  deps: Deps,
  actor: Actor,
  input: z.infer<typeof registration>,
): Promise<SignedInResponse> {
  const user = await createAccount(deps, actor, 'tenant', input)
  const token = await deps.write(tx => beginSession(deps, tx, actor, user, 'registration'))
  return { token, user: toUserView(user) }
}

/** Ends the caller's session, if there is one. */
export async function logOut(deps: Deps, sessionId: string | undefined): Promise<void> {
  if (sessionId !== undefined) await endSession(deps, sessionId)
}

/** The caller's own account. @throws AppError unauthorized when the account no longer exists */
export function getProfile({ db }: Deps, actor: SignedIn): UserView {
  const user = findUser(db, actor.userId)
  if (!user) throw gone()
  return toUserView(user)
}

/** Changes the caller's name and phone, if given. @throws AppError unauthorized when the account no longer exists */
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

/** Any account, for the admin. @throws AppError not_found */
export function getUser({ db }: Deps, _actor: Admin, userId: string): UserView {
  const user = findUser(db, userId)
  if (!user) throw new AppError('not_found', 'User not found')
  return toUserView(user)
}

const wrongLogin = () => new AppError('unauthorized', 'Invalid email or password')
const gone = () => new AppError('unauthorized', 'Please log in to continue.')
