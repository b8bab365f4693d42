import { and, eq, isNotNull } from 'drizzle-orm'
import { userFactors } from '../../../../db/schema.ts'
import { passkeyHost } from '../../../domain/passkey.ts'
import type { Deps } from '../../kernel/deps.ts'

const isPasskey = and(eq(userFactors.kind, 'passkey'), isNotNull(userFactors.confirmedAt))

/** Whether anybody has a passkey that works at this address of the site: login screens offer them then. */
export function hasPasskeys({ config, db }: Pick<Deps, 'config' | 'db'>): boolean {
  const host = passkeyHost(config.origin)
  if (host === undefined) return false
  const isHere = and(isPasskey, eq(userFactors.rpId, host))
  return db.select({ id: userFactors.id }).from(userFactors).where(isHere).limit(1).get() !== undefined
}
