import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, loginChallenges, outbox, sessions, userFactors } from '../../../../../db/schema.ts'
import type { SignedIn } from '../../../../domain/accounts/access.ts'
import { minuteMs } from '../../../../domain/common/durations.ts'
import {
  addPasskey,
  backedUpFlags,
  createAuthenticator,
  passkeyResponse,
  presentFlags,
  type ResponseOverrides,
} from '../../../../testing/authenticator.ts'
import { withToken } from '../../../../testing/build-factor.ts'
import { tokenOf } from '../../../../testing/build-lease.ts'
import { everyRow } from '../../../../testing/every-row.ts'
import { type TestApp, testApp, testNow, visitor } from '../../../../testing/test-app.ts'
import { openChallenge } from '../challenges.ts'
import { verifyPasskeyUse } from './verify-use.ts'

const wrong = 'That passkey could not be checked. Please try again.'

const passkeysIn = ({ deps }: TestApp) => deps.db.select().from(userFactors).all()
const sessionsBegun = ({ deps }: TestApp) =>
  deps.db.select().from(events).where(eq(events.kind, 'account.logged_in')).all().length
const logIn = (app: TestApp, credential: Awaited<ReturnType<typeof passkeyResponse>>) =>
  app.as(visitor).factors.passkeyLogin({ credential })
const refusal = (code: string, message = wrong) => ({ code, message })

/** A person with a passkey. */
async function openAccount(device = createAuthenticator()) {
  const app = await testApp()
  const { actor, user } = await app.makeUser({ role: 'admin' })
  const { factor } = await addPasskey(app, actor, device)
  return { app, actor, user, device, factor }
}

test.each([-8, -7, -257] as const)(
  'adds a passkey with algorithm %i, which logs in without a password, as both steps [SAFE-12, SAFE-13, SAFE-23]',
  async algorithm => {
    const app = await testApp()
    const { actor, user } = await app.makeUser({ role: 'admin' })
    const device = createAuthenticator({ algorithm })
    expect((await app.as(visitor).site.get()).site.hasPasskeys).toBe(false)
    const { factor } = await addPasskey(app, actor, device, { name: ' Key ring ', flags: backedUpFlags })
    expect(factor).toEqual({
      id: expect.any(String),
      kind: 'passkey',
      label: 'Key ring',
      createdAt: testNow,
      lastUsedAt: null,
    })
    expect((await app.as(visitor).site.get()).site.hasPasskeys).toBe(true)
    expect(app.deps.db.select().from(outbox).all()).toMatchObject([
      {
        kind: 'factor-changed',
        toAddress: user.email,
        props: { change: 'passkey-added', label: 'Key ring' },
      },
    ])
    expect(app.deps.db.select().from(events).all()).toMatchObject([
      {
        kind: 'account.factor_added',
        subjectId: user.id,
        address: '203.0.113.7',
        detail: { kind: 'passkey' },
      },
    ])
    app.advance(30 * minuteMs)
    const answer = await logIn(app, await passkeyResponse(app, device))
    expect(answer.user.id).toBe(user.id)
    const at = app.deps.clock.now().toISOString()
    expect(app.deps.db.select().from(sessions).where(eq(sessions.createdAt, at)).all()).toMatchObject([
      { userId: user.id, factorAt: at, stepUpAt: at },
    ])
    expect(passkeysIn(app)).toMatchObject([{ lastUsedAt: at, backedUp: false, rpId: 'localhost' }])
  },
)

test('the options require user verification and no attestation, and those of a login list no passkeys [SAFE-12, SAFE-13]', async () => {
  const { app, actor, device, user } = await openAccount()
  const { options } = await app.as(actor).factors.passkeyOptions()
  expect(options).toMatchObject({
    attestation: 'none',
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    excludeCredentials: [{ id: device.id, type: 'public-key' }],
    pubKeyCredParams: [-8, -7, -257].map(alg => ({ alg, type: 'public-key' })),
    rp: { id: 'localhost' },
    user: { id: Buffer.from(user.id).toString('base64url'), name: user.email },
  })
  const asked = await Promise.all(
    [visitor, actor].map(async who => (await app.as(who).factors.passkeyLoginOptions()).options),
  )
  const sameForAll = { rpId: 'localhost', timeout: 300_000, userVerification: 'required' }
  for (const { challenge, ...rest } of asked) {
    expect(challenge).toMatch(/^[\w-]{43}$/)
    expect(rest).toEqual(sameForAll)
  }
})

const registrationOverrides: [string, ResponseOverrides][] = [
  ['of another origin', { origin: 'http://localhost:3001' }],
  ['of a subdomain', { origin: 'http://evil.localhost:3000' }],
  ['of another host', { rpId: 'evil.example' }],
  ['of a login', { type: 'webauthn.get' }],
  ['to another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
  ['from a foreign frame', { crossOrigin: true }],
  ['without a verified person', { flags: presentFlags }],
  ['with an attestation that nobody asked for', { attestation: 'packed' }],
  ['of another algorithm', { algorithm: -37 }],
  ['with two ids', { credentialId: Buffer.alloc(32, 7) }],
]
test.each(registrationOverrides)('rejects a new passkey %s [SAFE-12]', async (_, overrides) => {
  const app = await testApp()
  const actor = await app.makeAdmin()
  const adding = addPasskey(app, actor, createAuthenticator(), overrides)
  await expect(adding).rejects.toMatchObject(refusal('BAD_REQUEST'))
  expect(passkeysIn(app)).toEqual([])
})

const loginOverrides: [string, ResponseOverrides][] = [
  ['of another origin', { origin: 'https://localhost:3000' }],
  ['of another host', { rpId: 'evil.example' }],
  ['of a registration', { type: 'webauthn.create' }],
  ['to another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
  ['from a foreign frame', { crossOrigin: true }],
  ['without a verified person', { flags: presentFlags }],
  ['with another signature', { signature: Buffer.alloc(70, 7) }],
  ["with another user's handle", { userHandle: Buffer.from('somebody').toString('base64url') }],
]
test.each(loginOverrides)(
  'rejects a login %s like an unknown passkey [SAFE-12, SAFE-13]',
  async (_, overrides) => {
    const { app, device } = await openAccount()
    await expect(logIn(app, await passkeyResponse(app, device, overrides))).rejects.toMatchObject(
      refusal('UNAUTHORIZED'),
    )
    const unknown = await passkeyResponse(app, createAuthenticator(), { userHandle: null })
    await expect(logIn(app, unknown)).rejects.toMatchObject(refusal('UNAUTHORIZED'))
    expect(sessionsBegun(app)).toBe(0)
    expect(passkeysIn(app)).toMatchObject([{ lastUsedAt: null }])
  },
)

test('a challenge is valid once, for five minutes, and for its own purpose [SAFE-12]', async () => {
  const { app, actor, device } = await openAccount()
  const stranger = await app.makeAdmin()
  const own = app.as(actor).factors
  const setup = (await own.passkeyOptions()).options
  const use = (await own.passkeyLoginOptions()).options
  const other = createAuthenticator()

  await expect(logIn(app, device.authenticate({ ...setup, rpId: 'localhost' }))).rejects.toMatchObject(
    refusal('UNAUTHORIZED'),
  )
  const fromUse = other.register({ ...setup, challenge: use.challenge })
  await expect(own.addPasskey({ name: 'Phone', credential: fromUse })).rejects.toMatchObject(
    refusal('BAD_REQUEST'),
  )
  const ofLogin = await app.deps.write(tx => openChallenge(tx, testNow, actor.userId))
  const fromLogin = other.register({ ...setup, challenge: ofLogin })
  await expect(own.addPasskey({ name: 'Phone', credential: fromLogin })).rejects.toMatchObject(
    refusal('BAD_REQUEST'),
  )
  const credential = other.register(setup)
  const stolen = app.as(stranger).factors.addPasskey({ name: 'Phone', credential })
  await expect(stolen).rejects.toMatchObject(refusal('BAD_REQUEST'))
  await own.addPasskey({ name: 'Phone', credential })
  const again = createAuthenticator().register(setup)
  await expect(own.addPasskey({ name: 'Watch', credential: again })).rejects.toMatchObject(
    refusal('BAD_REQUEST'),
  )

  const answer = device.authenticate(use)
  const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => logIn(app, answer)))
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const late = await passkeyResponse(app, device)
  app.advance(5 * minuteMs)
  await expect(logIn(app, late)).rejects.toMatchObject(refusal('UNAUTHORIZED'))
  expect(sessionsBegun(app)).toBe(1)
})

test('a challenge from a time when the clock was ahead does not work later [SAFE-12]', async () => {
  const { app, device } = await openAccount()
  app.advance(365 * 24 * 60 * minuteMs)
  const ahead = await passkeyResponse(app, device)
  app.advance(-365 * 24 * 60 * minuteMs)
  await expect(logIn(app, ahead)).rejects.toMatchObject(refusal('UNAUTHORIZED'))
})

test('stores only hashes of challenges, and deletes expired ones with the next [SAFE-12, SAFE-15]', async () => {
  const { app, actor, device } = await openAccount()
  const { options: setup } = await app.as(actor).factors.passkeyOptions()
  const { options: use } = await app.as(visitor).factors.passkeyLoginOptions()
  await logIn(app, device.authenticate(use))
  const rows = JSON.stringify(everyRow(app))
  for (const { challenge } of [setup, use]) expect(rows).not.toContain(challenge)
  app.advance(5 * minuteMs)
  await app.as(visitor).factors.passkeyLoginOptions()
  expect(app.deps.db.select().from(loginChallenges).all()).toMatchObject([
    { kind: 'passkey_use', usedAt: null },
  ])
})

test('a counter that goes back is rejected and shows a notice until the passkey is removed [SAFE-12]', async () => {
  const { app, actor, device, factor, user } = await openAccount()
  const notices = async () =>
    (await app.as(actor).notices.list()).notices.filter(({ id }) => /passkey/.test(id))
  device.countFrom(5)
  await logIn(app, await passkeyResponse(app, device))
  expect(await notices()).toEqual([])
  const copied = 'That passkey looks like a copy and was refused. Please use another way to log in.'
  for (const counter of [6, 5, 0]) {
    const copy = await passkeyResponse(app, device, { counter })
    await expect(logIn(app, copy)).rejects.toMatchObject(refusal('UNAUTHORIZED', copied))
    await expect(logIn(app, copy)).rejects.toMatchObject(refusal('UNAUTHORIZED'))
  }
  expect(sessionsBegun(app)).toBe(1)
  expect(passkeysIn(app)).toMatchObject([{ counter: 6 }])
  const refused = app.deps.db.select().from(events).where(eq(events.kind, 'account.passkey_refused')).all()
  expect(refused.map(({ subjectId, address }) => [subjectId, address])).toEqual(
    Array.from({ length: 3 }, () => [user.id, '203.0.113.7']),
  )
  expect(await notices()).toMatchObject([
    {
      id: `passkey-refused-${factor.id}`,
      tone: 'danger',
      title: 'A passkey was refused because it looks like a copy',
      detail: expect.stringContaining(user.email),
      at: testNow,
    },
  ])
  app.advance(30 * 24 * 60 * minuteMs)
  expect(await notices()).toHaveLength(1)
  app.advance(1)
  expect(await notices()).toEqual([])
  app.setNow(testNow)
  await logIn(app, await passkeyResponse(app, device))
  expect(await notices()).toHaveLength(1)
  await app.deps.write(tx => tx.delete(userFactors).where(eq(userFactors.id, factor.id)).run())
  expect(await notices()).toEqual([])
})

test('accepts at most ten passkeys, also when added simultaneously [SAFE-12]', async () => {
  const { app, actor, device } = await openAccount()
  const add = () => addPasskey(app, actor, createAuthenticator())
  const results = await Promise.allSettled(Array.from({ length: 11 }, add))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(9)
  const full = refusal('CONFLICT', 'You already have 10 passkeys. Please remove one first.')
  await expect(app.as(actor).factors.passkeyOptions()).rejects.toMatchObject(full)
  expect(passkeysIn(app)).toHaveLength(10)
  const stranger = await app.makeTenant()
  const exists = refusal('CONFLICT', 'This passkey is already registered.')
  await expect(addPasskey(app, stranger, device)).rejects.toMatchObject(exists)
})

test('adding a passkey requires a step-up, which cannot be the password if the account has a factor [SAFE-10, SAFE-16]', async () => {
  const { app, actor, device } = await openAccount()
  const at = app.deps.clock.now().toISOString()
  const withSession = async (id: string, who: SignedIn) => {
    const row = { id, publicId: id, userId: who.userId, createdAt: at, lastUsedAt: at, stepUpAt: at }
    await app.deps.write(tx => tx.insert(sessions).values(row).run())
    return { ...who, sessionId: id }
  }
  const byPassword = await withSession('protected', actor)
  const missing = { code: 'FORBIDDEN', cause: { stepUp: ['passkey'] } }
  await expect(app.as(byPassword).factors.passkeyOptions()).rejects.toMatchObject(missing)

  const tenant = await app.makeTenant()
  const [first, second] = [await withSession('first', tenant), await withSession('second', tenant)]
  const added = await Promise.allSettled(
    [first, second].map(who => addPasskey(app, who, createAuthenticator())),
  )
  // Either may be first; then the password proof of the other no longer suffices.
  expect(added.toSorted((one, other) => one.status.localeCompare(other.status))).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: missing },
  ])
  // Adding the passkey has stepped this session up.
  const winner = added[0]?.status === 'fulfilled' ? first : second
  await addPasskey(app, winner, createAuthenticator())
  expect(passkeysIn(app).filter(({ userId }) => userId === tenant.userId)).toHaveLength(2)
  expect(device.id).toBe(passkeysIn(app)[0]?.credentialId)
})

test('passkeys of another host do not work, and a notice reports them [SAFE-14]', async () => {
  const { app, actor, device } = await openAccount()
  const notices = async () =>
    (await app.as(actor).notices.list()).notices.filter(({ id }) => /passkey/.test(id))
  expect(await notices()).toEqual([])
  await app.deps.write(tx => tx.update(userFactors).set({ rpId: 'old.example' }).run())
  expect(await notices()).toMatchObject([
    {
      id: 'passkeys-of-old.example',
      tone: 'warning',
      title: 'Passkeys that were made for old.example do not work at this address.',
      detail: expect.stringContaining('1 person has such passkeys.'),
    },
  ])
  await expect(logIn(app, await passkeyResponse(app, device))).rejects.toMatchObject(refusal('UNAUTHORIZED'))
  expect((await app.as(visitor).site.get()).site.hasPasskeys).toBe(false)
})

test('a site at an IP address offers no passkeys [SAFE-12]', async () => {
  const app = await testApp({ env: { ORIGIN: 'http://127.0.0.1:3000' } })
  const actor = await app.makeAdmin()
  const none = refusal('BAD_REQUEST', 'Passkeys need the https address of the site.')
  await expect(app.as(actor).factors.passkeyOptions()).rejects.toMatchObject(none)
  await expect(passkeyResponse(app, createAuthenticator())).rejects.toMatchObject(none)
  const credential = createAuthenticator().authenticate({ challenge: 'x', rpId: '127.0.0.1' })
  await expect(logIn(app, credential)).rejects.toMatchObject(none)
  expect((await app.as(visitor).site.get()).site.hasPasskeys).toBe(false)
})

test('rejects a passkey that is removed during a login [SAFE-12]', async () => {
  const { app, device, user } = await openAccount()
  const kept = await verifyPasskeyUse(app.deps, visitor, await passkeyResponse(app, device))
  expect(await app.deps.write(tx => kept(tx)?.userId)).toBe(user.id)
  const removed = await verifyPasskeyUse(app.deps, visitor, await passkeyResponse(app, device))
  await app.deps.write(tx => tx.delete(userFactors).run())
  expect(await app.deps.write(tx => removed(tx) ?? 'nothing')).toBe('nothing')
})

test('a step-up accepts the person’s own passkey once and counts rejected ones [SAFE-12, SAFE-19]', async () => {
  const { app, actor, device } = await openAccount()
  const at = app.deps.clock.now().toISOString()
  const row = { id: 'session', publicId: 'session', userId: actor.userId, createdAt: at, lastUsedAt: at }
  await app.deps.write(tx => tx.insert(sessions).values(row).run())
  const own = app.as({ ...actor, sessionId: row.id }).factors
  const stored = () => app.deps.db.select().from(sessions).where(eq(sessions.id, row.id)).get()
  const other = createAuthenticator()
  await addPasskey(app, await app.makeAdmin(), other)
  const stranger = await passkeyResponse(app, other)
  await expect(own.stepUp({ credential: stranger })).rejects.toMatchObject(refusal('BAD_REQUEST'))
  expect(stored()).toMatchObject({ factorAt: null, stepUpTries: 1 })

  const credential = await passkeyResponse(app, device)
  expect(await own.stepUp({ credential })).toEqual({ until: '2026-03-04T17:10:00.000Z' })
  expect(stored()).toMatchObject({ factorAt: at, stepUpTries: 0 })
  for (let tries = 1; tries < 5; tries++)
    await expect(own.stepUp({ credential })).rejects.toMatchObject(refusal('BAD_REQUEST'))
  const ended = refusal('UNAUTHORIZED', 'Your session has ended.')
  await expect(own.stepUp({ credential })).rejects.toMatchObject(ended)
  await expect(logIn(app, credential)).rejects.toMatchObject(refusal('UNAUTHORIZED'))
  expect(stored()?.endedAt).toBe(at)
})

test('rejects a response with any changed byte, without using up the challenge [SAFE-12]', async () => {
  // An EdDSA signature has one encoding, while the DER encoding of ES256 is ambiguous.
  const { app, device } = await openAccount(createAuthenticator({ algorithm: -8 }))
  const { response, ...named } = await passkeyResponse(app, device)
  const changed = (['clientDataJSON', 'authenticatorData', 'signature'] as const).flatMap(part => {
    const bytes = Buffer.from(response[part], 'base64url')
    return [...bytes].map((byte, at) => {
      const changed = Buffer.from(bytes)
      changed[at] = byte ^ 1
      return { ...named, response: { ...response, [part]: changed.toString('base64url') } }
    })
  })
  for (const credential of changed)
    await expect(verifyPasskeyUse(app.deps, visitor, credential)).rejects.toMatchObject({ message: wrong })
  expect(changed.length).toBeGreaterThan(200)
  expect((await logIn(app, { ...named, response })).token).not.toBe('')
})

test('a step-up by a removed factor no longer counts after another factor is added [SAFE-10, SAFE-16]', async () => {
  const app = await testApp()
  const owner = await app.makeAdmin()
  const [thief, own] = await Promise.all([0, 1].map(async () => withToken(owner, await tokenOf(app, owner))))
  if (!thief || !own) throw new Error('no sessions')
  const stolen = app.as(thief).factors
  await addPasskey(app, thief, createAuthenticator())
  const [passkey] = (await stolen.list()).factors
  await stolen.remove({ id: passkey?.id ?? '' })
  await addPasskey(app, own, createAuthenticator())
  const [added] = (await stolen.list()).factors
  await expect(stolen.remove({ id: added?.id ?? '' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
