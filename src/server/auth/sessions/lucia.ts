import { and, eq, isNull, lte, or } from 'drizzle-orm'
import { type Adapter, type DatabaseSession, type DatabaseUser, Lucia, TimeSpan } from 'lucia'
import { sessions, users } from '../../../../db/schema.ts'
import type { Role } from '../../../domain/accounts/account-rules.ts'
import { clockToleranceMs } from '../../../domain/common/dates.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { cachedUntilWrite } from '../../kernel/cached-until-write.ts'
import type { Deps } from '../../kernel/deps.ts'

/** A session ends after this time without a request … */
export const idleMs = 30 * 60_000
/** … and at the latest after this time. */
export const absoluteMs = dayMs
/** The minimum interval between writes of a session's last use. */
const touchEveryMs = 60_000

declare module 'lucia' {
  interface Register {
    Lucia: Auth
    DatabaseUserAttributes: { role: Role }
  }
}
export type Auth = ReturnType<typeof createAuth>
export type SessionRow = typeof sessions.$inferSelect
/** Lucia over our tables. Session ids are SHA-256 of the bearer token, so the database contains no tokens. */
export function createAuth(deps: Deps) {
  return new Lucia(adapter(deps), {
    sessionExpiresIn: new TimeSpan(absoluteMs, 'ms'),
    getUserAttributes: ({ role }) => ({ role }),
  })
}

function adapter(deps: Deps): Adapter {
  const { db, write, clock } = deps
  const now = () => clock.now().getTime()
  const isOver = (row: SessionRow) => isSessionOver(row, now())
  const find = createSessionFinder(deps)
  const touch = createTouch(deps)
  return {
    async getSessionAndUser(id): Promise<[DatabaseSession | null, DatabaseUser | null]> {
      const found = find(id)
      if (!found || isOver(found.session)) return [null, null]
      // Also a last use that is in the future, after the clock was set back.
      if (Math.abs(now() - Date.parse(found.session.lastUsedAt)) >= touchEveryMs) touch(id)
      return [forLucia(found.session), { id: found.user.id, attributes: { role: found.user.role } }]
    },
    async getUserSessions(userId) {
      const rows = db.select().from(sessions).where(eq(sessions.userId, userId)).all()
      return rows.filter(row => !isOver(row)).map(forLucia)
    },
    async setSession() {
      throw new Error('sessions must be created by beginSession')
    },
    async updateSessionExpiration() {},
    async deleteSession(id) {
      await write(tx => tx.delete(sessions).where(eq(sessions.id, id)).run())
    },
    async deleteUserSessions(userId) {
      await write(tx => tx.delete(sessions).where(eq(sessions.userId, userId)).run())
    },
    async deleteExpiredSessions() {
      const isExpired = or(
        // An ended session is kept as long as it could have lasted, to report that it was ended.
        and(lte(sessions.lastUsedAt, iso(now() - idleMs)), isNull(sessions.endedAt)),
        lte(sessions.createdAt, iso(now() - absoluteMs)),
      )
      await write(tx => tx.delete(sessions).where(isExpired).run())
    },
  }
}

/**
 * Whether a session is no longer valid: it was ended, is idle or too old, or began while the clock was ahead. A use while
 * the clock was ahead does not count.
 */
export function isSessionOver({ createdAt, endedAt, lastUsedAt }: SessionRow, nowMs: number): boolean {
  const [begun, used] = [Date.parse(createdAt), Date.parse(lastUsedAt)]
  const latest = nowMs + clockToleranceMs
  return (
    endedAt !== null ||
    begun > latest ||
    nowMs >= begun + absoluteMs ||
    nowMs >= (used > latest ? begun : used) + idleMs
  )
}

/** Finds a session with its user. Cached until the next write, as screens send many requests with the same session. */
function createSessionFinder(deps: Deps) {
  const find = (id: string) =>
    deps.db
      .select({ session: sessions, user: { id: users.id, role: users.role } })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(sessions.id, id))
      .get()
  return (id: string) => cachedUntilWrite(deps, `session ${id}`, () => find(id))
}

/**
 * Stores the last use of a session, later: requests wait neither for other writes nor for a read-only database. Has at
 * most one write per session waiting, of the latest use.
 */
function createTouch({ write, clock, log }: Deps): (id: string) => void {
  const waiting = new Map<string, string>()
  return id => {
    const isWaiting = waiting.has(id)
    waiting.set(id, clock.now().toISOString())
    if (isWaiting) return
    const set = () => ({ lastUsedAt: waiting.get(id) })
    write(tx => tx.update(sessions).set(set()).where(eq(sessions.id, id)).run())
      .catch(error => log.warn({ err: error }, 'the last use of a session was not written'))
      .finally(() => waiting.delete(id))
  }
}

/** Lucia uses the real clock and this adapter the site's clock, so Lucia gets a date that never expires or renews. */
const forLucia = ({ id, userId }: SessionRow): DatabaseSession => ({
  id,
  userId,
  expiresAt: new Date(Date.now() + absoluteMs),
  attributes: {},
})

const iso = (ms: number) => new Date(ms).toISOString()
