import { and, eq, gte, max } from 'drizzle-orm'
import { events, users } from '../../../../../db/schema.ts'
import { type Check, maxPerKind } from '../notice.ts'

const shownMs = 24 * 60 * 60_000

/** Accounts under password guessing from many addresses, as `countLogin` recorded in the last day. */
export const passwordGuessing: Check = ({ db, clock }) => {
  const since = new Date(clock.now().getTime() - shownMs).toISOString()
  return db
    .select({ userId: users.id, email: users.email, at: max(events.at) })
    .from(events)
    .innerJoin(users, eq(users.id, events.subjectId))
    .where(and(gte(events.at, since), eq(events.kind, 'account.password_guessing')))
    .groupBy(users.id)
    .limit(maxPerKind)
    .all()
    .map(({ userId, email, at }) => ({
      id: `guessing-${userId}`,
      title: `Somebody is trying passwords for ${email}`,
      detail:
        'More than 100 wrong passwords came from networks that this account does not log in from. Such networks are slowed down for a day; the ones it was used from in the last 30 days are not. A password reset opens the account from anywhere.',
      at,
    }))
}
