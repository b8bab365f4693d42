import { and, countDistinct, eq, isNotNull, sql } from 'drizzle-orm'
import { events, userFactors, users } from '../../../../../db/schema.ts'
import { safetyNotices } from '../../../../domain/accounts/account-safety-messages.ts'
import { otherPasskeyHosts, passkeyHost } from '../../../../domain/accounts/passkey.ts'
import { dayMs } from '../../../../domain/common/durations.ts'
import type { Deps } from '../../../kernel/deps.ts'
import { type FoundNotice, maxPerKind } from '../../../kernel/notice.ts'

const isPasskey = and(eq(userFactors.kind, 'passkey'), isNotNull(userFactors.confirmedAt))

/** Whether anybody has a passkey for the site's current host, so that login screens offer passkeys. */
export function hasPasskeys({ config, db }: Deps): boolean {
  const host = passkeyHost(config.origin)
  if (host === undefined) return false
  const isHere = and(isPasskey, eq(userFactors.rpId, host))
  return db.select({ id: userFactors.id }).from(userFactors).where(isHere).limit(1).get() !== undefined
}

const shownMs = 30 * dayMs

/** Notices about passkeys of other hosts (SAFE-14), and about passkeys that may have been copied (SAFE-12). */
export function listPasskeyNotices(deps: Deps): FoundNotice[] {
  return [...refusedPasskeys(deps), ...passkeysOfOtherHosts(deps)]
}

/** Passkeys that were rejected in the last 30 days, until they are removed. */
function refusedPasskeys({ clock, db }: Deps): FoundNotice[] {
  const since = new Date(clock.now().getTime() - shownMs).toISOString()
  // Searches by each passkey's person, which has an index: a month has many events, but a site few passkeys.
  const refusedAt = sql<string | null>`(select max(${events.at}) from ${events}
    where ${events.subjectId} = ${userFactors.userId} and ${events.kind} = 'account.passkey_refused'
    and ${events.at} >= ${since} and json_extract(${events.detail}, '$.factorId') = ${userFactors.id})`
  return db
    .select({ id: userFactors.id, label: userFactors.label, email: users.email, at: refusedAt })
    .from(userFactors)
    .innerJoin(users, eq(users.id, userFactors.userId))
    .where(isPasskey)
    .all()
    .filter(({ at }) => at !== null)
    .slice(0, maxPerKind)
    .map(({ at, email, id, label }) => ({
      id: `passkey-refused-${id}`,
      title: safetyNotices.passkeyWentBack,
      detail: `The passkey ‘${label}’ of ${email} counted fewer uses than before, which happens when somebody has copied it. Remove it under Security in the settings of that account, and add a new one.`,
      at,
    }))
}

function passkeysOfOtherHosts({ config, db }: Deps): FoundNotice[] {
  const rows = db
    .select({ host: userFactors.rpId, people: countDistinct(userFactors.userId) })
    .from(userFactors)
    .where(isPasskey)
    .groupBy(userFactors.rpId)
    .all()
  const hosts = rows.flatMap(({ host }) => (host === null ? [] : [host]))
  return otherPasskeyHosts(hosts, config.origin).map(host => {
    const people = rows.find(row => row.host === host)?.people ?? 0
    const whose = people === 1 ? '1 person has' : `${people} people have`
    return {
      id: `passkeys-of-${host}`,
      tone: 'warning',
      title: safetyNotices.passkeysOfOtherHost(host),
      detail: `${whose} such passkeys. They log in with a password and an authenticator code or a recovery code, and can add a passkey of this address. For anyone with neither, run the command admin reset-factor on the server. If the address of the site is wrong, correct ORIGIN.`,
    }
  })
}
