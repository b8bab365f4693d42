import { toNormalForm } from '../common/printable.ts'

/** How many codes a set has. */
export const recoveryCodeCount = 10
/** Digits and letters without I, L and O, which look like digits, and without U. Five bits each. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 80 bits. */
const letters = 16
export const recoveryCodeBytes = 10
const shape = new RegExp(`^[${alphabet}]{${letters}}$`)
const lookAlikes: Record<string, string> = { I: '1', L: '1', O: '0', U: 'V' }

/** Formats ten random bytes as a code: `7K2M-QX4R-09TB-HJ5C`. */
export function formatRecoveryCode(bytes: Uint8Array): string {
  if (bytes.length !== recoveryCodeBytes) throw new Error('a recovery code is made of ten bytes')
  let value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  let text = ''
  for (let at = 0; at < letters; at++) {
    text = (alphabet[Number(value & 31n)] ?? '') + text
    value >>= 5n
  }
  return text.replace(/.{4}(?=.)/g, '$&-')
}

/**
 * The 16 letters of a typed code. Case, spaces and hyphens are ignored, and I, L, O and U are read as the letters they
 * look like. Undefined for anything else.
 */
export function parseRecoveryCode(typed: string): string | undefined {
  if (typed.length > 100) return undefined
  const plain = toNormalForm(typed, 'NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/[ILOU]/g, letter => lookAlikes[letter] ?? letter)
  return shape.test(plain) ? plain : undefined
}
