import { createHash, randomBytes } from 'node:crypto'
import type { SignedIn, Whence } from '../../domain/access.ts'
import type { Deps } from '../deps.ts'
import { createAuth } from './lucia.ts'

type SessionDeps = Pick<Deps, 'db' | 'write' | 'clock'>

const sessionIdOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Starts a session for the user and returns its bearer token, which is stored nowhere here. */
export async function startSession(deps: SessionDeps, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await createAuth(deps).createSession(userId, {}, { sessionId: sessionIdOf(token) })
  return token
}

/** Who the token speaks for, or undefined when it is unknown, ended or revoked, or its user is gone. */
export async function resolveSession(
  deps: SessionDeps,
  token: string,
  whence: Whence,
): Promise<{ id: string; actor: SignedIn } | undefined> {
  const { session, user } = await createAuth(deps).validateSession(sessionIdOf(token))
  return session ? { id: session.id, actor: { role: user.role, userId: user.id, whence } } : undefined
}

/** Ends one session; unknown ones are no error. */
export async function endSession(deps: SessionDeps, sessionId: string): Promise<void> {
  await createAuth(deps).invalidateSession(sessionId)
}

/** Clears away what has ended, at start and daily. */
export async function sweepSessions(deps: SessionDeps): Promise<void> {
  await createAuth(deps).deleteExpiredSessions()
}
