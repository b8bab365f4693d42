import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { InstallationKey } from './installation-key.ts'

const version = 's1'
const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const base64url = /^[\w-]+$/

/**
 * Encrypts a secret for the row that it is stored in: `s1.<id of the key>.<nonce, text and tag>`. It opens only with
 * the same key and the same row.
 */
export function seal({ bytes, id }: InstallationKey, rowId: string, secret: Uint8Array): string {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, bytes, nonce, { authTagLength: tagBytes })
  encryption.setAAD(Buffer.from(rowId))
  const body = Buffer.concat([nonce, encryption.update(secret), encryption.final(), encryption.getAuthTag()])
  return `${version}.${id}.${body.toString('base64url')}`
}

/** The secret of a row; undefined when it was sealed with another key or for another row, or was changed. */
export function open({ bytes, id }: InstallationKey, rowId: string, sealed: string): Buffer | undefined {
  const [format, keyId, text = '', ...more] = sealed.split('.')
  if (format !== version || keyId !== id || more.length > 0 || !base64url.test(text)) return undefined
  const body = Buffer.from(text, 'base64url')
  // Buffer ignores bits beyond the last byte: only the one spelling that `seal` writes is taken.
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

/** What sealed texts of this key begin with: others in a column were sealed with a key that is lost. */
export const sealedPrefix = ({ id }: Pick<InstallationKey, 'id'>): string => `${version}.${id}.`
