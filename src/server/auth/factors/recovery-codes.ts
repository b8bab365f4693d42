import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { recoveryCodes } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import {
  formatRecoveryCode,
  parseRecoveryCode,
  recoveryCodeBytes,
  recoveryCodeCount,
} from '../../../domain/accounts/recovery-code.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { sha256 } from '../../lib/sha256.ts'

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
