import { randomUUID } from 'node:crypto'
import { and, count, desc, eq, gt, isNull, lte, ne } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { events, sessions } from '../../../../db/schema.ts'
import type { Actor, RequestOrigin, SignedIn } from '../../../domain/accounts/access.ts'
import { proofOfLogin, type SessionOrigin } from '../../../domain/accounts/step-up.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { newToken, sha256 } from '../../lib/sha256.ts'
import { type Auth, createAuth, idleMs, isSessionOver, type SessionRow } from './lucia.ts'
import { mailNewLogin } from './new-login-mail.ts'
import { findUser, type UserRow } from './users.ts'

/** More than anyone needs, and few enough to list quickly. */
const maxSessions = 50

const auths = new WeakMap<Deps, Auth>()

/**
 * Starts a session in the transaction of the login, records the login and returns the bearer token, of which only the
 * hash is stored. It ends the one that was used longest ago where the user has fifty. A login of an administrator from an
 * unrecognized browser or network is mailed to the account.
 */
export function beginSession(
  deps: Deps,
  tx: Tx,
  { requestOrigin }: Actor,
  user: Pick<UserRow, 'id' | 'role'>,
  origin: SessionOrigin,
): string {
  const at = nowIso(deps)
  const token = newToken()
  const id = sha256(token)
  const publicId = randomUUID()
  const surplus = liveSessionsOf(deps, tx, user.id).slice(maxSessions - 1)
  for (const row of surplus) tx.delete(sessions).where(eq(sessions.id, row.id)).run()
  tx.insert(sessions)
    .values({
      id,
      userId: user.id,
      publicId,
      createdAt: at,
      lastUsedAt: at,
      ...proofOfLogin(origin, user.role, at),
      ...requestOrigin,
    })
    .run()
  if (origin !== 'registration') {
    const owner = user.role === 'admin' ? findUser(tx, user.id) : undefined
    if (owner) mailNewLogin(deps, tx, { user: owner, sessionPublicId: publicId, origin: requestOrigin })
    const self: SignedIn = { role: user.role, userId: user.id, sessionId: id, requestOrigin }
    if (loginsOfDay(tx, user.id, at) < maxLoginsOfDay) recordEvent(tx, at, self, 'account.logged_in', user.id)
  }
  return token
}

/** Events stay for good, and anybody can make accounts. */
const maxLoginsOfDay = 300
const loginsOfDay = (tx: Tx, userId: string, at: string): number => {
  const since = new Date(Date.parse(at) - dayMs).toISOString()
  const isLogin = and(eq(events.kind, 'account.logged_in'), eq(events.subjectId, userId))
  const found = tx
    .select({ count: count() })
    .from(events)
    // Logins recorded while the clock was ahead do not count.
    .where(and(isLogin, gt(events.at, since), lte(events.at, at)))
    .get()
  return found?.count ?? 0
}

/** The session of a token; undefined if it is unknown or over, or if its user was deleted. */
export async function resolveSession(
  deps: Deps,
  token: string,
  requestOrigin: RequestOrigin,
): Promise<{ id: string; actor: SignedIn } | undefined> {
  const { session, user } = await authOf(deps).validateSession(sha256(token))
  return session
    ? { id: session.id, actor: { role: user.role, userId: user.id, sessionId: session.id, requestOrigin } }
    : undefined
}

/** Whether the token's session was ended from elsewhere, which the response then reports (SAFE-21). */
export function wasEnded(db: Db, token: string): boolean {
  const row = db
    .select({ endedAt: sessions.endedAt })
    .from(sessions)
    .where(eq(sessions.id, sha256(token)))
    .get()
  return row !== undefined && row.endedAt !== null
}

/** A user's valid sessions, the last used first. */
export function liveSessionsOf({ clock }: Deps, db: Db, userId: string): SessionRow[] {
  // One day can create many sessions, and nearly all of them are idle or have ended.
  const idleSince = new Date(clock.now().getTime() - idleMs).toISOString()
  const isRecent = and(isNull(sessions.endedAt), gt(sessions.lastUsedAt, idleSince))
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isRecent))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt))
    .all()
    .filter(row => !isSessionOver(row, clock.now().getTime()))
}

/** Ends a session; does nothing if it is unknown. */
export async function endSession(deps: Deps, sessionId: string): Promise<void> {
  await authOf(deps).invalidateSession(sessionId)
}

/** Ends the user's sessions except `keepId`, in the caller's transaction. */
export function endSessionsOf(tx: Tx, userId: string, keepId: string | undefined): void {
  const others = keepId === undefined ? undefined : ne(sessions.id, keepId)
  tx.delete(sessions)
    .where(and(eq(sessions.userId, userId), others))
    .run()
}

/** Ends a session; its next request gets the error 'Your session has ended.' */
export function endSessionWithNotice(tx: Tx, at: string, sessionId: string): void {
  tx.update(sessions)
    .set({ endedAt: at })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
    .run()
}

/** Like `endSessionWithNotice`, for all sessions of a user except `keepId`. */
export function endSessionsWithNotice(tx: Tx, at: string, userId: string, keepId?: string): void {
  const others = keepId === undefined ? undefined : ne(sessions.id, keepId)
  tx.update(sessions)
    .set({ endedAt: at })
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), others))
    .run()
}

/** Deletes ended sessions, at startup and daily. */
export async function sweepSessions(deps: Deps): Promise<void> {
  await authOf(deps).deleteExpiredSessions()
}

function authOf(deps: Deps): Auth {
  const known = auths.get(deps)
  if (known) return known
  const auth = createAuth(deps)
  auths.set(deps, auth)
  return auth
}
