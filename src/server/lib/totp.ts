import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes as Base32 (RFC 4648), without padding. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value & 31) << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += alphabet[(value >>> (bits - 5)) & 31]
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text
}

const periodMs = 30_000
const digits = 6
const secretBytes = 20
/** How many steps a phone's clock may be behind or ahead. */
const driftSteps = 1

/** A new secret of 160 bits. */
export const newTotpSecret = (): Buffer => randomBytes(secretBytes)

/** The RFC 6238 time step for a Unix time in milliseconds. */
export const totpStepAt = (nowMs: number): number => Math.floor(nowMs / periodMs)

/** The six-digit code of a step (RFC 4226, SHA-1). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac[mac.byteLength - 1] ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

/**
 * The time step of a six-digit code: the current, previous or next step, and later than `lastStep`, the last accepted
 * one. Undefined for a wrong or used code, after the same time as for a right one.
 */
export function matchTotp(
  secret: Uint8Array,
  code: string,
  { lastStep, nowMs }: { nowMs: number; lastStep: number | null },
): number | undefined {
  const now = totpStepAt(nowMs)
  let matched: number | undefined
  for (let step = now - driftSteps; step <= now + driftSteps; step++)
    if (isSame(totpCode(secret, Math.max(0, step)), code) && step > (lastStep ?? -1)) matched ??= step
  return matched
}

function isSame(expected: string, code: string): boolean {
  const typed = Buffer.from(code)
  return typed.byteLength === digits && timingSafeEqual(Buffer.from(expected), typed)
}

/** The content of the QR code that an authenticator app scans. */
export function otpauthUrl(
  secret: Uint8Array,
  { account, issuer }: { issuer: string; account: string },
): string {
  // A colon separates issuer and account, so the issuer must not contain one.
  const name = issuer.replaceAll(':', ' ')
  const query = Object.entries({
    secret: base32(secret),
    issuer: name,
    algorithm: 'SHA1',
    digits,
    period: 30,
  })
  const text = query.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')
  return `otpauth://totp/${encodeURIComponent(name)}:${encodeURIComponent(account)}?${text}`
}
