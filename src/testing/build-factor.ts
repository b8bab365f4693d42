import type { SignedIn } from '../domain/access.ts'
import type { Passwords } from '../server/kernel/passwords.ts'
import { totpCode, totpStepAt } from '../server/lib/totp.ts'
import type { TestApp } from './test-app.ts'

/** Checks passwords at once, for tests that are about what follows a right one. */
export const plainPasswords: Passwords = {
  hash: async password => `plain ${password}`,
  verify: async (hash, password) => hash === `plain ${password}`,
}
export const plainPassword = 'plain tides'
export const plainHash = `plain ${plainPassword}`

/** The bytes of a secret as an authenticator app reads it. */
export function readBase32(text: string): Buffer {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text].map(letter => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/[01]{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}

/** What an authenticator app shows at the moment of the app's clock, or some steps before or after it. */
export function codeOf({ deps }: TestApp, secret: string, steps = 0): string {
  const realNow = deps.clock.now().getTime() - deps.config.clockOffsetMs
  return totpCode(readBase32(secret), totpStepAt(realNow) + steps)
}

/** Turns two-step verification on as its person does; the code of this moment is used up by it. */
export async function turnOn(app: TestApp, actor: SignedIn, password = plainPassword) {
  const caller = app.as(actor).factors
  const { secret } = await caller.setUpTotp({ password })
  const { recoveryCodes } = await caller.confirmTotp({ code: codeOf(app, secret) })
  return { secret, recoveryCodes }
}
