import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { base32 } from './base32.ts'

const periodMs = 30_000
const digits = 6
const secretBytes = 20
/** How many steps a phone's clock may be behind or ahead. */
const driftSteps = 1

/** A new secret of 160 bits. */
export const newTotpSecret = (): Buffer => randomBytes(secretBytes)

/** The step of RFC 6238 at a moment of the real clock. */
export const totpStepAt = (nowMs: number): number => Math.floor(nowMs / periodMs)

/** The code of a step, as RFC 4226 derives it with SHA-1. */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac[mac.byteLength - 1] ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

/**
 * The step that a code of six digits is of: this one, the one before or the one after, and later than `lastStep`, the
 * last that was accepted. Undefined for a wrong or a used code; it takes as long as a right one.
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

/** The text of the picture that an authenticator app reads. */
export function otpauthUrl(
  secret: Uint8Array,
  { account, issuer }: { issuer: string; account: string },
): string {
  // A colon separates the two, so the issuer can have none.
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
