import { and, count, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { recoveryCodes, userFactors } from '../../../../db/schema.ts'
import type { Actor } from '../../../domain/accounts/access.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { unseal } from '../../lib/sealed.ts'
import { matchTotp } from '../../lib/totp.ts'
import type { UserRow } from '../sessions/users.ts'
import type { FactorRow } from './factor-status.ts'
import { mailRecoveryCodeUsed } from './notifications.ts'
import { recoveryCodeHash } from './recovery-codes.ts'

/** The time for codes: phones do not follow `CLOCK_OFFSET`. */
export const realNowMs = ({ clock, config }: Deps): number => clock.now().getTime() - config.clockOffsetMs

/** The secret of an authenticator app; undefined if the key that encrypted it is lost. */
export function decryptSecret({ key }: Deps, { id, secretEnc }: FactorRow): Buffer | undefined {
  return key.state === 'ready' && secretEnc !== null ? unseal(key.key, id, secretEnc) : undefined
}

/** Accepts a right code of the account's authenticator app, which is marked as used (SAFE-04, SAFE-05). */
export function consumeTotpCode(deps: Deps, tx: Tx, userId: string, code: string): boolean {
  const isOwn = and(
    eq(userFactors.userId, userId),
    eq(userFactors.kind, 'totp'),
    isNotNull(userFactors.confirmedAt),
  )
  const factor = tx.select().from(userFactors).where(isOwn).get()
  const secret = factor && decryptSecret(deps, factor)
  if (!factor || !secret) return false
  const { lastStep } = factor
  const step = matchTotp(secret, code, { lastStep, nowMs: realNowMs(deps) })
  if (step === undefined) return false
  const isLater = or(isNull(userFactors.lastStep), lt(userFactors.lastStep, step))
  const { changes } = tx
    .update(userFactors)
    .set({ lastStep: step, lastUsedAt: nowIso(deps) })
    .where(and(eq(userFactors.id, factor.id), isLater))
    .run()
  return changes === 1
}

/** Accepts an unused recovery code of the account, which is marked as used, and mails the account (SAFE-08). */
export function consumeRecoveryCode(deps: Deps, tx: Tx, actor: Actor, user: UserRow, typed: string): boolean {
  const hash = recoveryCodeHash(typed)
  if (hash === undefined) return false
  const at = nowIso(deps)
  const isUnused = and(eq(recoveryCodes.userId, user.id), isNull(recoveryCodes.usedAt))
  const { changes } = tx
    .update(recoveryCodes)
    .set({ usedAt: at })
    .where(and(isUnused, eq(recoveryCodes.codeSha256, hash)))
    .run()
  if (changes === 0) return false
  const left = tx.select({ left: count() }).from(recoveryCodes).where(isUnused).get()?.left ?? 0
  recordEvent(tx, at, actor, 'account.recovery_code_used', user.id, { left })
  mailRecoveryCodeUsed(tx, at, actor, user, left)
  return true
}
