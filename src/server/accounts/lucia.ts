import { eq, lte, or, sql } from 'drizzle-orm'
import { type Adapter, type DatabaseSession, type DatabaseUser, Lucia, TimeSpan } from 'lucia'
import { sessions, users } from '../../../db/schema.ts'
import type { Role } from '../../domain/account.ts'
import { AppError } from '../../domain/errors.ts'
import { createLru } from '../../domain/lru.ts'
import type { Deps } from '../kernel/deps.ts'

/** A session ends after this long without a request … */
export const idleMs = 30 * 60_000
/** … and after this long at the latest. */
export const absoluteMs = 24 * 60 * 60_000
/** Last use is written at most this often. */
const touchEveryMs = 60_000
const maxKnownSessions = 5000

declare module 'lucia' {
  interface Register {
    Lucia: Auth
    DatabaseUserAttributes: { role: Role }
  }
}
export type Auth = ReturnType<typeof createAuth>
type SessionDeps = Pick<Deps, 'db' | 'write' | 'dataVersion' | 'clock' | 'log'>

/** Lucia over our tables. Session ids are SHA-256 of the bearer token, so the database holds no token. */
export function createAuth(deps: SessionDeps) {
  return new Lucia(adapter(deps), {
    sessionExpiresIn: new TimeSpan(absoluteMs, 'ms'),
    getUserAttributes: ({ role }) => ({ role }),
  })
}

function adapter({ db, write, dataVersion, clock, log }: SessionDeps): Adapter {
  const iso = (ms: number) => new Date(ms).toISOString()
  const now = () => clock.now().getTime()
  // Lucia judges and renews by the real clock; both ends of a session are judged here by ours, so it is told a
  // date that it neither refuses nor renews.
  const forLucia = (row: typeof sessions.$inferSelect): DatabaseSession => ({
    id: row.id,
    userId: row.userId,
    expiresAt: new Date(Date.now() + absoluteMs),
    attributes: {},
  })
  const isOver = (row: typeof sessions.$inferSelect) =>
    now() >= Date.parse(row.lastUsedAt) + idleMs || now() >= Date.parse(row.createdAt) + absoluteMs

  const sessionAndUser = db
    .select({ session: sessions, user: { id: users.id, role: users.role } })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, sql.placeholder('id')))
    .prepare()

  /** What was read since the last write: screens ask again and again for the same session. */
  const known = createLru<string, NonNullable<ReturnType<typeof sessionAndUser.get>>>(maxKnownSessions)
  let knownVersion = ''
  const findSession = (id: string) => {
    const version = dataVersion()
    if (version !== knownVersion) known.clear()
    knownVersion = version
    const cached = known.get(id)
    if (cached) return cached
    const found = sessionAndUser.get({ id })
    if (found) known.set(id, found)
    return found
  }

  /** Whoever only reads is not refused because nothing can be written at the moment. */
  const touch = (id: string) =>
    write(tx =>
      tx
        .update(sessions)
        .set({ lastUsedAt: iso(now()) })
        .where(eq(sessions.id, id))
        .run(),
    ).catch(error => {
      if (!(error instanceof AppError)) throw error
      log.warn({ err: error }, 'the last use of a session was not written')
    })

  return {
    async getSessionAndUser(id): Promise<[DatabaseSession | null, DatabaseUser | null]> {
      const found = findSession(id)
      if (!found || isOver(found.session)) return [null, null]
      if (now() - Date.parse(found.session.lastUsedAt) >= touchEveryMs) await touch(id)
      return [forLucia(found.session), { id: found.user.id, attributes: { role: found.user.role } }]
    },
    async getUserSessions(userId) {
      const rows = db.select().from(sessions).where(eq(sessions.userId, userId)).all()
      return rows.filter(row => !isOver(row)).map(forLucia)
    },
    async setSession({ id, userId }) {
      const at = iso(now())
      await write(tx => tx.insert(sessions).values({ id, userId, createdAt: at, lastUsedAt: at }).run())
    },
    async updateSessionExpiration() {},
    async deleteSession(id) {
      await write(tx => tx.delete(sessions).where(eq(sessions.id, id)).run())
    },
    async deleteUserSessions(userId) {
      await write(tx => tx.delete(sessions).where(eq(sessions.userId, userId)).run())
    },
    async deleteExpiredSessions() {
      const over = or(
        lte(sessions.lastUsedAt, iso(now() - idleMs)),
        lte(sessions.createdAt, iso(now() - absoluteMs)),
      )
      await write(tx => tx.delete(sessions).where(over).run())
    },
  }
}
