import { randomBytes } from 'node:crypto'
import { and, eq, ne } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { sessions } from '../../../db/schema.ts'
import type { RequestOrigin, SignedIn } from '../../domain/access.ts'
import { AppError } from '../../domain/errors.ts'
import type { Deps } from '../kernel/deps.ts'
import { sha256 } from '../lib/sha256.ts'
import { type Auth, createAuth } from './lucia.ts'
import { findUser, type UserRow } from './users.ts'

type SessionDeps = Pick<Deps, 'db' | 'write' | 'dataVersion' | 'clock' | 'log'>

const auths = new WeakMap<SessionDeps, Auth>()

/** A random secret for a link or a header; only its `sha256` is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/**
 * Starts a session for somebody whose password was just checked and returns its bearer token, which is stored
 * nowhere here.
 * @throws AppError unauthorized when that password was changed meanwhile: the change ended every session but this one
 */
export async function startSession(
  deps: SessionDeps,
  user: Pick<UserRow, 'id' | 'passwordHash'>,
): Promise<string> {
  const token = newToken()
  const session = await authOf(deps).createSession(user.id, {}, { sessionId: sha256(token) })
  if (findUser(deps.db, user.id)?.passwordHash !== user.passwordHash) {
    await endSession(deps, session.id)
    throw new AppError('unauthorized', 'Invalid email or password')
  }
  return token
}

/** Who the token speaks for, or undefined when it is unknown, ended or revoked, or its user is gone. */
export async function resolveSession(
  deps: SessionDeps,
  token: string,
  requestOrigin: RequestOrigin,
): Promise<{ id: string; actor: SignedIn } | undefined> {
  const { session, user } = await authOf(deps).validateSession(sha256(token))
  return session ? { id: session.id, actor: { role: user.role, userId: user.id, requestOrigin } } : undefined
}

/** Ends one session; unknown ones are no error. */
export async function endSession(deps: SessionDeps, sessionId: string): Promise<void> {
  await authOf(deps).invalidateSession(sessionId)
}

/** Ends the user's sessions but the one to keep, in the transaction of what made them untrustworthy. */
export function endSessionsOf(tx: Tx, userId: string, keepId: string | undefined): void {
  const others = keepId === undefined ? undefined : ne(sessions.id, keepId)
  tx.delete(sessions)
    .where(and(eq(sessions.userId, userId), others))
    .run()
}

/** Clears away what has ended, at start and daily. */
export async function sweepSessions(deps: SessionDeps): Promise<void> {
  await authOf(deps).deleteExpiredSessions()
}

function authOf(deps: SessionDeps): Auth {
  const known = auths.get(deps)
  if (known) return known
  const auth = createAuth(deps)
  auths.set(deps, auth)
  return auth
}
