import { randomBytes } from 'node:crypto'
import {
  formatRecoveryCode,
  parseRecoveryCode,
  recoveryCodeBytes,
  recoveryCodeCount,
} from '../../domain/recovery-code.ts'
import { sha256 } from '../lib/sha256.ts'

/** A new set of recovery codes, to be shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => formatRecoveryCode(randomBytes(recoveryCodeBytes)))
}

/**
 * What is stored of a code, however it was typed; undefined for what is no code. A plain hash is enough: nobody tries
 * 80 bits.
 */
export function recoveryCodeHash(typed: string): string | undefined {
  const code = parseRecoveryCode(typed)
  return code === undefined ? undefined : sha256(code)
}
