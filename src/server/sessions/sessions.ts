import { randomUUID } from 'node:crypto'
import { and, eq, ne } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { sessions } from '../../../db/schema.ts'
import type { Actor, RequestOrigin, SignedIn } from '../../domain/access.ts'
import { proofOfLogin, type SessionOrigin } from '../../domain/step-up.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { sha256 } from '../lib/sha256.ts'
import { newToken } from '../lib/token.ts'
import { type Auth, createAuth } from './lucia.ts'
import type { UserRow } from './users.ts'

type SessionDeps = Pick<Deps, 'db' | 'write' | 'dataVersion' | 'clock' | 'log'>

const auths = new WeakMap<SessionDeps, Auth>()

/**
 * Begins a session in the transaction of what proves who it is, records the login and returns the bearer token, which is
 * stored nowhere here.
 */
export function beginSession(
  deps: Pick<Deps, 'clock' | 'config'>,
  tx: Tx,
  { requestOrigin }: Actor,
  user: Pick<UserRow, 'id' | 'role'>,
  origin: SessionOrigin,
): string {
  const at = nowIso(deps)
  const token = newToken()
  const id = sha256(token)
  tx.insert(sessions)
    .values({
      id,
      userId: user.id,
      publicId: randomUUID(),
      createdAt: at,
      lastUsedAt: at,
      ...proofOfLogin(origin, user.role, at),
      ...requestOrigin,
    })
    .run()
  if (origin !== 'registration') {
    const self: SignedIn = { role: user.role, userId: user.id, sessionId: id, requestOrigin }
    recordEvent(tx, at, self, 'account.logged_in', user.id)
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
  return session
    ? { id: session.id, actor: { role: user.role, userId: user.id, sessionId: session.id, requestOrigin } }
    : undefined
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
