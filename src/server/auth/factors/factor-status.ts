import { and, count, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { recoveryCodes, userFactors } from '../../../../db/schema.ts'
import type { FactorStatus } from '../../../domain/accounts/factor.ts'
import { passkeyHost } from '../../../domain/accounts/passkey.ts'
import type { Deps } from '../../kernel/deps.ts'
import { sealedPrefix } from '../../lib/sealed.ts'

export type FactorRow = typeof userFactors.$inferSelect

/** What protects an account in addition to its password, and which factors are usable. */
export function factorStatusOf(deps: Deps, db: Db, userId: string): FactorStatus {
  const rows = db.select().from(userFactors).where(eq(userFactors.userId, userId)).all()
  return {
    factors: rows.map(row => ({
      kind: row.kind,
      confirmedAt: row.confirmedAt,
      isUsable: isUsable(deps, row),
    })),
    recoveryCodesLeft: rows.length === 0 ? 0 : countUnused(db, userId),
  }
}

/** Whether a factor works: its secret can be decrypted, or its passkey belongs to the site's current host. */
export function isUsable(
  { config, key }: Deps,
  { kind, rpId, secretEnc }: Pick<FactorRow, 'kind' | 'rpId' | 'secretEnc'>,
): boolean {
  if (kind === 'passkey') return rpId === passkeyHost(config.origin)
  return key.state === 'ready' && (secretEnc?.startsWith(sealedPrefix(key.key)) ?? false)
}

function countUnused(db: Db, userId: string): number {
  const isUnused = and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))
  return db.select({ left: count() }).from(recoveryCodes).where(isUnused).get()?.left ?? 0
}
