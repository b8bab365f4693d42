import { and, count, eq, gt, gte, lte, max } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { accessLinks, events } from '../../../../db/schema.ts'
import type { RequestOrigin } from '../../../domain/accounts/access.ts'
import { nameFromEmail } from '../../../domain/accounts/account-rules.ts'
import {
  isKnownLogin,
  knownLoginMs,
  type LoginOrigin,
  maxNewLoginMails,
  newLoginMailKey,
} from '../../../domain/accounts/known-login.ts'
import { browserFamily, describeBrowser } from '../../../domain/accounts/user-agent.ts'
import { dateIn } from '../../../domain/common/dates.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import type { Deps } from '../../kernel/deps.ts'
import { networkOf } from '../../lib/network.ts'
import { enqueueMail, mailState } from '../../mail/outbox.ts'
import { createLink } from './access-links.ts'
import type { UserRow } from './users.ts'

type Login = {
  user: Pick<UserRow, 'id' | 'email' | 'firstName'>
  sessionPublicId: string
  origin: RequestOrigin
}

/**
 * Mails an account about a login from a browser and network without a recent login (SAFE-22), in the transaction of the
 * login and before it is recorded; once a day for each pair of browser and network. Without a mail service none is
 * promised: a link that arrives days later would only frighten.
 */
export function mailNewLogin(
  { clock, config, mail }: Deps,
  tx: Tx,
  { origin, sessionPublicId, user }: Login,
): void {
  if (!mail) return
  const now = clock.now()
  const place = placeOf(origin)
  if (isKnownLogin(pastLogins(tx, user.id, now), place, now.getTime())) return
  const dedupeKey = newLoginMailKey(user.id, place, dateIn(now, config.site.timeZone))
  if (mailState(tx, dedupeKey) !== undefined || countMailed(tx, user.id, now) >= maxNewLoginMails) return
  const at = now.toISOString()
  const link = { kind: 'not_me', subjectId: sessionPublicId, personId: user.id } as const
  const { id: linkId, expiresAt } = createLink(tx, at, link)
  enqueueMail(tx, at, {
    kind: 'new-login',
    to: user.email,
    dedupeKey,
    validUntil: expiresAt,
    props: {
      displayName: user.firstName || nameFromEmail(user.email),
      at,
      browser: describeBrowser(origin.userAgent),
      address: origin.address,
      linkId,
    },
  })
}

/** Counts the links of the mails, as the mails are deleted some time after they are sent. */
function countMailed(tx: Tx, personId: string, now: Date): number {
  const since = new Date(now.getTime() - dayMs).toISOString()
  const isRecent = and(
    eq(accessLinks.personId, personId),
    eq(accessLinks.kind, 'not_me'),
    gt(accessLinks.createdAt, since),
    lte(accessLinks.createdAt, now.toISOString()),
  )
  return tx.select({ mailed: count() }).from(accessLinks).where(isRecent).get()?.mailed ?? 0
}

const placeOf = ({ address, userAgent }: RequestOrigin): LoginOrigin => ({
  family: browserFamily(userAgent),
  network: networkOf(address),
})

/** The last login of each browser and address since the user last reported a login as not theirs. */
function pastLogins(tx: Tx, userId: string, now: Date) {
  const since = new Date(now.getTime() - knownLoginMs).toISOString()
  return tx
    .select({ address: events.address, userAgent: events.userAgent, at: max(events.at) })
    .from(events)
    .where(
      and(
        eq(events.subjectId, userId),
        eq(events.kind, 'account.logged_in'),
        gte(events.at, since),
        lte(events.at, now.toISOString()),
        gt(events.id, lastDisowning(tx, userId)),
      ),
    )
    .groupBy(events.address, events.userAgent)
    .all()
    .map(({ address, at, userAgent }) => ({
      ...placeOf({ address: address ?? '', userAgent: userAgent ?? '' }),
      atMs: Date.parse(at ?? ''),
    }))
}

/** The event's id, not its time, which may be from a clock that was ahead; 0 if there is none. */
function lastDisowning(tx: Tx, userId: string): number {
  const isDisowning = and(eq(events.subjectId, userId), eq(events.kind, 'account.login_disowned'))
  return (
    tx
      .select({ id: max(events.id) })
      .from(events)
      .where(isDisowning)
      .get()?.id ?? 0
  )
}
