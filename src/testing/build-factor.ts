import { eq, sql } from 'drizzle-orm'
import { events, outbox } from '../../db/schema.ts'
import type { Actor, SignedIn } from '../domain/access.ts'
import type { Passwords } from '../server/kernel/passwords.ts'
import { sha256 } from '../server/lib/sha256.ts'
import { totpCode, totpStepAt } from '../server/lib/totp.ts'
import type { MailKind } from '../server/mail/outbox.ts'
import { type TestApp, testOrigin, visitor } from './test-app.ts'

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

/** An account with two-step verification on, with a time step that no code was used of. */
export async function makeProtected(app: TestApp, role: 'admin' | 'tenant' = 'admin') {
  const { actor, user } = await app.makeUser({ role, passwordHash: plainHash })
  const { recoveryCodes, secret } = await turnOn(app, actor)
  app.advance(30_000)
  return { actor, user, secret, recoveryCodes }
}

/** Somebody at this address who has not logged in. */
export const guestFrom = (address: string): Actor => ({
  role: 'guest',
  requestOrigin: { ...testOrigin, address },
})

/** The challenge that a right password gets. */
export async function challengeFor(
  app: TestApp,
  email: string,
  { guest = visitor, password = plainPassword } = {},
): Promise<string> {
  const answer = await app.as(guest).accounts.login({ email, password })
  if (!('challenge' in answer)) throw new Error('the login asks for no second step')
  return answer.challenge
}

/** Somebody with the session of this token, with what it has proven and no more. */
export const withToken = (actor: SignedIn, token: string): SignedIn => ({
  ...actor,
  sessionId: sha256(token),
})

/** The kinds of a person's events, oldest first. */
export const eventsOf = ({ deps }: TestApp, userId: string): string[] =>
  deps.db
    .select({ kind: events.kind })
    .from(events)
    .where(eq(events.subjectId, userId))
    .orderBy(events.id)
    .all()
    .map(({ kind }) => kind)

/** The mails of a kind, oldest first, as they wait in the outbox. */
export const mailsOf = ({ deps }: TestApp, kind: MailKind) =>
  deps.db.select().from(outbox).where(eq(outbox.kind, kind)).orderBy(sql`rowid`).all()
