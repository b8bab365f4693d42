import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '../../../../db/open.ts'
import { recoveryCodes } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import type { recoveryCodesResponse } from '../../../domain/accounts/account-safety-form.ts'
import { safetyAnswers } from '../../../domain/accounts/account-safety-messages.ts'
import { hasSecondFactor } from '../../../domain/accounts/factor.ts'
import {
  formatRecoveryCode,
  parseRecoveryCode,
  recoveryCodeBytes,
  recoveryCodeCount,
} from '../../../domain/accounts/recovery-code.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { sha256 } from '../../lib/sha256.ts'
import { findUser } from '../sessions/users.ts'
import { factorStatusOf } from './factor-status.ts'
import { mailFactorChange } from './notifications.ts'
import { requireStepUp } from './step-up.ts'

/** A new set of recovery codes, to be shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => formatRecoveryCode(randomBytes(recoveryCodeBytes)))
}

/**
 * The stored hash of a code in any spelling; undefined for an invalid code. A plain hash is enough, as 80 bits cannot
 * be guessed.
 */
export function recoveryCodeHash(typed: string): string | undefined {
  const code = parseRecoveryCode(typed)
  return code === undefined ? undefined : sha256(code)
}

/** Stores a new set, which voids the previous one, and returns the codes, which are shown once (SAFE-08). */
export function replaceRecoveryCodes(tx: Tx, at: string, actor: SignedIn, userId: string): string[] {
  const codes = newRecoveryCodes()
  deleteRecoveryCodes(tx, userId)
  const hashes = codes.map(code => recoveryCodeHash(code) ?? '')
  tx.insert(recoveryCodes)
    .values(hashes.map(codeSha256 => ({ userId, codeSha256, createdAt: at })))
    .run()
  recordEvent(tx, at, actor, 'account.recovery_codes_made', userId)
  return codes
}

/** Voids all codes of a person. */
export function deleteRecoveryCodes(tx: Tx, userId: string): void {
  tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)).run()
}

/**
 * Creates a new set of recovery codes for the caller, which voids the previous set.
 * @throws AppError forbidden without a step-up; conflict for an account without a factor
 */
export async function makeRecoveryCodes(
  deps: Deps,
  actor: SignedIn,
): Promise<z.infer<typeof recoveryCodesResponse>> {
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const at = nowIso(deps)
    const user = findUser(tx, actor.userId)
    if (!user || !hasSecondFactor(factorStatusOf(deps, tx, actor.userId)))
      throw new AppError('conflict', safetyAnswers.noFactor)
    mailFactorChange(tx, at, actor, user, { change: 'recovery-codes', label: null, isOn: true })
    return { recoveryCodes: replaceRecoveryCodes(tx, at, actor, user.id) }
  })
}
