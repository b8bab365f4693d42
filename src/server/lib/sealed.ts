import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { InstallationKey } from './installation-key.ts'

const version = 's1'
const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const base64url = /^[\w-]+$/

/**
 * Encrypts a secret for the row that stores it: `s1.<key id>.<nonce, ciphertext and tag>`. It can be decrypted only
 * with the same key and for the same row.
 */
export function seal({ bytes, id }: InstallationKey, rowId: string, secret: Uint8Array): string {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, bytes, nonce, { authTagLength: tagBytes })
  encryption.setAAD(Buffer.from(rowId))
  const body = Buffer.concat([nonce, encryption.update(secret), encryption.final(), encryption.getAuthTag()])
  return `${version}.${id}.${body.toString('base64url')}`
}

/** Decrypts a row's secret; undefined if it was sealed with another key or for another row, or was changed. */
export function unseal({ bytes, id }: InstallationKey, rowId: string, sealed: string): Buffer | undefined {
  const [format, keyId, text = '', ...more] = sealed.split('.')
  if (format !== version || keyId !== id || more.length > 0 || !base64url.test(text)) return undefined
  const body = Buffer.from(text, 'base64url')
  // Buffer ignores bits beyond the last byte, so accept only the encoding that `seal` writes.
  if (body.byteLength < nonceBytes + tagBytes || body.toString('base64url') !== text) return undefined
  const decryption = createDecipheriv(cipher, bytes, body.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decryption.setAAD(Buffer.from(rowId))
  decryption.setAuthTag(body.subarray(-tagBytes))
  try {
    return Buffer.concat([decryption.update(body.subarray(nonceBytes, -tagBytes)), decryption.final()])
  } catch {
    return undefined
  }
}

/** The prefix of every text sealed with this key. Texts with another prefix were sealed with a key that is lost. */
export const sealedPrefix = ({ id }: Pick<InstallationKey, 'id'>): string => `${version}.${id}.`
