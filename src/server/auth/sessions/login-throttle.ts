import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gte, inArray, max } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { events, users } from '../../../../db/schema.ts'
import type { Actor } from '../../../domain/accounts/access.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { maxPerKind, type NoticeCheck } from '../../kernel/notice.ts'
import { networkOf as largerNetworkOf, rateLimitKey } from '../../lib/network.ts'
import type { UserRow } from './users.ts'

/** How long a network counts as known after a login. */
const knownForMs = 30 * dayMs
/** Only the newest logins are checked. */
const maxLogins = 200
/** Accounts share a fixed number of counters, which are never evicted, so that a flood of emails cannot reset one. */
const accountSlots = 4096
const salt = randomBytes(16)

type Login = { account: string; user: UserRow | undefined; actor: Actor }

/**
 * Counts a login before its password is checked, as a hundred simultaneous logins would otherwise all be the first. The
 * result's `succeeded` undoes the count after a successful login, and `knownFrom` is the larger network of a login from a
 * known network. Nobody can lock others out of an account. (A network is an IPv4 address or the /64 of an IPv6
 * address.)
 *
 * - A network has 10 failures in 15 minutes for an account: 960 guesses a day.
 * - A known network, with a login to the account in the last 30 days and since its last new password, has 100 more
 *   failures a day, and is not affected by other networks.
 * - All other networks together have 100 failures a day for an account. Beyond that they share one attempt in 30
 *   seconds, with at most three in 15 minutes for each: about 3,000 guesses a day from any number of networks, a
 *   million passwords in a year. The audit log records it, and the notice board shows it.
 *
 * Emails without an account are counted in the same way. In addition, each network has 40 logins in 5 minutes for all
 * accounts (`loginByAddress`), and an IPv4 /24 or IPv6 /48 has 400 from networks that are not known, so that its
 * addresses together cannot keep the queue of passwords full. A reset by mail unlocks the account for the network of
 * the reset.
 * @throws AppError too_many
 */
export async function countLogin(
  deps: Deps,
  login: Login,
): Promise<{ knownFrom?: string; succeeded: () => Promise<void> }> {
  const { limits } = deps
  const network = networkOf(login.actor)
  const key = `${network} ${login.account}`
  const forgive = () => resetNetworkFailures(deps, login.actor, login.account)
  const isKnown = isKnownNetwork(deps, login.user?.id ?? 'nobody', network)
  const largerNetwork = largerNetworkOf(login.actor.requestOrigin.address)
  if (isKnown && (await limits.count('loginFromKnownNetwork', key)) === 0)
    return { knownFrom: largerNetwork, succeeded: forgive }

  await limits.consume('loginByLargerNetwork', largerNetwork)
  await limits.consume('loginByAccountAndNetwork', key)
  const slot = slotOf(login.account)
  const excess = await limits.count('loginByAccount', slot)
  if (excess === 1) await recordGuessing(deps, login)
  if (excess > 0) {
    await limits.check('slowLoginByAccountAndNetwork', key)
    await limits.consume('slowLoginByAccount', slot)
    await limits.consume('slowLoginByAccountAndNetwork', key)
  }
  return {
    succeeded: async () => {
      await limits.refund('loginByLargerNetwork', largerNetwork)
      await limits.refund('loginByAccount', slot)
      await forgive()
    },
  }
}

/** Resets the failures of this actor's network, as it has proven to belong to the account's person. */
export async function resetNetworkFailures({ limits }: Deps, actor: Actor, account: string): Promise<void> {
  const key = `${networkOf(actor)} ${account}`
  await limits.reset('loginFromKnownNetwork', key)
  await limits.reset('loginByAccountAndNetwork', key)
  await limits.reset('slowLoginByAccountAndNetwork', key)
}

/** Checks the audit log for logins from a network. Logins before the last new password do not count. */
export function isKnownNetwork({ db, clock }: Deps, userId: string, network: string): boolean {
  const since = new Date(clock.now().getTime() - knownForMs).toISOString()
  const proofs = db
    .select({ kind: events.kind, address: events.address })
    .from(events)
    .where(
      and(
        eq(events.subjectId, userId),
        inArray(events.kind, ['account.logged_in', 'account.password_changed']),
        gte(events.at, since),
      ),
    )
    .orderBy(desc(events.id))
    .limit(maxLogins)
    .all()
  const changed = proofs.findIndex(({ kind }) => kind === 'account.password_changed')
  const standing = changed === -1 ? proofs : proofs.slice(0, changed + 1)
  return standing.some(({ address }) => address !== null && rateLimitKey(address) === network)
}

/** Writes the same for known and unknown emails. */
async function recordGuessing(deps: Deps, { user, actor }: Login): Promise<void> {
  const subject = user?.id ?? 'nobody'
  const record = (tx: Tx) => recordEvent(tx, nowIso(deps), actor, 'account.password_guessing', subject)
  await deps.write(record).catch(error => {
    // A failed write must not affect who can log in.
    if (!(error instanceof AppError)) throw error
  })
}

/** Accounts under password guessing from many addresses, as recorded in the last day. */
export const passwordGuessing: NoticeCheck = ({ db, clock }) => {
  const since = new Date(clock.now().getTime() - dayMs).toISOString()
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

const networkOf = ({ requestOrigin }: Actor) => rateLimitKey(requestOrigin.address)

function slotOf(account: string): string {
  return String(createHash('sha256').update(salt).update(account).digest().readUInt32BE() % accountSlots)
}
