import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gte, inArray } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { events } from '../../../db/schema.ts'
import type { Actor } from '../../domain/access.ts'
import { AppError } from '../../domain/errors.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { rateLimitKey } from '../lib/rate-limit-key.ts'
import type { UserRow } from './users.ts'

const dayMs = 24 * 60 * 60_000
/** How long a network counts as one that the account is logged in from. */
const knownForMs = 30 * dayMs
/** Only the newest are looked at. */
const maxLogins = 200
/** Counts for a whole account are few and never make room for others, so that no flood of e-mails resets one. */
const accountSlots = 16_384
const salt = randomBytes(16)

type ThrottleDeps = Pick<Deps, 'db' | 'write' | 'limits' | 'clock'>
type Login = { account: string; user: UserRow | undefined; actor: Actor }

/**
 * Counts a login before its password is checked, or a hundred at once would all be the first; what it resolves with
 * takes the count back once the login has succeeded. Nobody closes an account to others (a network is an IPv4 address
 * or the /64 of an IPv6 address):
 *
 * - A network has 10 failures in 15 minutes for an account: 960 guesses a day.
 * - A network that the account was logged in from in the last 30 days, since its last new password, has 100 failures a
 *   day besides, and is not touched by what other networks do.
 * - All other networks together have 100 failures a day for an account. Beyond that there is one try in 30 seconds for
 *   all of them, and three in 15 minutes for each: about 3,000 guesses a day from however many networks, a million
 *   passwords in a year. The audit log records it, and the notice board shows it.
 *
 * E-mails without an account are counted in the same way. Besides, each network has 40 logins in 5 minutes for all
 * accounts (`loginByAddress`). A reset by mail opens the account to the network that it is made from.
 * @throws AppError too_many
 */
export async function countLogin(
  deps: ThrottleDeps,
  login: Login,
): Promise<{ succeeded: () => Promise<void> }> {
  const { limits } = deps
  const network = networkOf(login.actor)
  const key = `${network} ${login.account}`
  const forgive = () => forgiveNetwork(deps, login.actor, login.account)
  const isKnown = isKnownNetwork(deps, login.user?.id ?? 'nobody', network)
  if (isKnown && (await limits.count('loginFromKnownNetwork', key)) === 0) return { succeeded: forgive }

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
      await limits.refund('loginByAccount', slot)
      await forgive()
    },
  }
}

/** Forgets the failures of this actor's network, because it has proven to be the account's. */
export async function forgiveNetwork({ limits }: ThrottleDeps, actor: Actor, account: string): Promise<void> {
  const key = `${networkOf(actor)} ${account}`
  await limits.reset('loginFromKnownNetwork', key)
  await limits.reset('loginByAccountAndNetwork', key)
  await limits.reset('slowLoginByAccountAndNetwork', key)
}

/** Known by the audit log: what was logged in before the last new password proves nothing any more. */
export function isKnownNetwork(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: string,
  network: string,
): boolean {
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

/** Known e-mail or not, the same is written. */
async function recordGuessing(deps: ThrottleDeps, { user, actor }: Login): Promise<void> {
  const subject = user?.id ?? 'nobody'
  const record = (tx: Tx) => recordEvent(tx, nowIso(deps), actor, 'account.password_guessing', subject)
  await deps.write(record).catch(error => {
    // Whether it can be written or not says nothing about who may log in.
    if (!(error instanceof AppError)) throw error
  })
}

const networkOf = ({ requestOrigin }: Actor) => rateLimitKey(requestOrigin.address)

function slotOf(account: string): string {
  return String(createHash('sha256').update(salt).update(account).digest().readUInt32BE() % accountSlots)
}
