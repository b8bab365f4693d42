import { eq, sql } from 'drizzle-orm'
import { events, outbox } from '../../db/schema.ts'
import type { Actor, SignedIn } from '../domain/accounts/access.ts'
import { mailboxCode } from '../server/auth/factors/mailbox-code.ts'
import { sha256 } from '../server/lib/sha256.ts'
import { totpCode, totpStepAt } from '../server/lib/totp.ts'
import type { MailKind } from '../server/mail/outbox.ts'
import { quickHash, type TestApp, testOrigin, visitor } from './test-app.ts'

/** A password and its hash, for a user inserted directly. */
export const plainPassword = 'plain tides'
export const plainHash = quickHash(plainPassword)

/** Decodes a secret as an authenticator app does. */
export function readBase32(text: string): Buffer {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text].map(letter => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/[01]{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}

/** The code that an authenticator app shows at the test app's current time, or some time steps before or after it. */
export function codeOf({ deps }: TestApp, secret: string, steps = 0): string {
  const realNow = deps.clock.now().getTime() - deps.config.clockOffsetMs
  return totpCode(readBase32(secret), totpStepAt(realNow) + steps)
}

/** The code in the newest mail that proves this user's mailbox. */
export function mailedCode(app: TestApp): string {
  const { challengeId = '' } = mailsOf(app, 'mailbox-code').at(-1)?.props ?? {}
  const code = mailboxCode(app.deps, String(challengeId))
  if (code === undefined) throw new Error('no code was mailed')
  return code
}

/** Proves the mailbox of a registered account by the mailed code. */
export async function proveMailbox(app: TestApp, actor: SignedIn) {
  await app.as(actor).emailChange.sendCode()
  await app.as(actor).emailChange.confirmCode({ code: mailedCode(app) })
}

/** Turns two-step verification on as the user would. This uses up the current code. */
export async function enableTwoStep(app: TestApp, actor: SignedIn, password = plainPassword) {
  const caller = app.as(actor).factors
  const { secret } = await caller.setUpTotp({ password })
  const { recoveryCodes } = await caller.confirmTotp({ code: codeOf(app, secret) })
  return { secret, recoveryCodes }
}

/** An account with two-step verification, in a time step whose code is still unused. */
export async function makeTwoStepUser(app: TestApp, role: 'admin' | 'tenant' = 'admin') {
  const { actor, user } = await app.makeUser({ role, passwordHash: plainHash })
  const { recoveryCodes, secret } = await enableTwoStep(app, actor)
  app.advance(30_000)
  return { actor, user, secret, recoveryCodes }
}

/** A guest at this network address. */
export const guestFrom = (address: string): Actor => ({
  role: 'guest',
  requestOrigin: { ...testOrigin, address },
})

/** The login challenge returned for a correct password. */
export async function challengeFor(
  app: TestApp,
  email: string,
  { guest = visitor, password = plainPassword } = {},
): Promise<string> {
  const answer = await app.as(guest).accounts.login({ email, password })
  if (!('challenge' in answer)) throw new Error('the login asks for no second step')
  return answer.challenge
}

/** The actor in the session of this token, with only the proofs that the session has. */
export const withToken = (actor: SignedIn, token: string): SignedIn => ({
  ...actor,
  sessionId: sha256(token),
})

/** The kinds of a user's events, oldest first. */
export const eventsOf = ({ deps }: TestApp, userId: string): string[] =>
  deps.db
    .select({ kind: events.kind })
    .from(events)
    .where(eq(events.subjectId, userId))
    .orderBy(events.id)
    .all()
    .map(({ kind }) => kind)

/** The outbox rows of this mail kind, oldest first. */
export const mailsOf = ({ deps }: TestApp, kind: MailKind) =>
  deps.db.select().from(outbox).where(eq(outbox.kind, kind)).orderBy(sql`rowid`).all()
