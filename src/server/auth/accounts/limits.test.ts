import { and, eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { events } from '../../../../db/schema.ts'
import { addPasskey, createAuthenticator, passkeyResponse } from '../../../testing/authenticator.ts'
import {
  call,
  logInAs,
  recordingPasswords,
  resetTokens,
  signUp,
  tenantPassword,
} from '../../../testing/build-account.ts'
import { proveMailbox } from '../../../testing/build-factor.ts'
import { productionEnv } from '../../../testing/production-env.ts'
import { quickPasswords, type TestApp, testApp, testOrigin } from '../../../testing/test-app.ts'
import { createLimits } from '../../kernel/limits.ts'
import type { Passwords } from '../../kernel/passwords.ts'

const repeat = async <T>(times: number, work: (i: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let i = 0; i < times; i++) results.push(await work(i))
  return results
}
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status)

function logInBatch(app: TestApp, size: number) {
  const names = Array.from({ length: size }, () => 'accounts.login').join(',')
  const inputs = Array.from({ length: size }, (_, i) => [
    i,
    { email: `guess${i}@guest.example`, password: 'a guess' },
  ])
  return call(app, 'POST', `/trpc/${names}?batch=1`, { body: Object.fromEntries(inputs) })
}

afterEach(() => vi.useRealTimers())

/** A site behind a proxy that forwards the client address, and records password checks. */
async function siteWithNetworks() {
  const { passwords, calls } = recordingPasswords()
  const env = { ...productionEnv, TRUST_PROXY: '127.0.0.1' }
  const app = await testApp({ env, replace: { passwords } })
  const { email, user } = await signUp(app)
  calls.length = 0
  const logIn = (address: string, password = 'a wrong guess', to = email) =>
    logInAs(app, to, password, { 'x-forwarded-for': address })
  /** Makes wrong attempts, eight from each network. */
  const guessFromEverywhere = async (times: number, to = email, first = 0) => {
    for (let i = 0; i < times; i++) await logIn(`203.0.113.${first + Math.floor(i / 8)}`, `guess ${i}`, to)
  }
  return { app, email, user, checked: calls, logIn, guessFromEverywhere }
}

test('wrong passwords lock the account only for their network: an IPv4 address, or an IPv6 /64 [FIX-12]', async () => {
  const { logIn } = await siteWithNetworks()
  for (const strangers of ['198.51.100.7', '2001:db8:1:2::7']) {
    expect(statuses(await repeat(12, () => logIn(strangers)))).toEqual([...Array(10).fill(401), 429, 429])
    expect((await logIn(strangers, tenantPassword)).status).toBe(429)
  }
  expect((await logIn('2001:db8:1:2:ffff::1', tenantPassword)).status).toBe(429)
  expect((await logIn('2001:db8:1:3::7', tenantPassword)).status).toBe(200)
  expect((await logIn('198.51.100.8', tenantPassword)).status).toBe(200)
})

test('a network with a recent login is not locked out, up to a hundred wrong passwords a day [FIX-12]', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { app, logIn } = await siteWithNetworks()
  const home = '198.51.100.7'
  expect((await logIn(home, tenantPassword)).status).toBe(200)
  expect(statuses(await repeat(30, () => logIn(home)))).toEqual(Array(30).fill(401))
  expect((await logIn(home, tenantPassword)).status).toBe(200)

  // Each address has 40 attempts in 5 minutes.
  const guesses: number[] = []
  for (let round = 0; round < 4; round++) {
    vi.setSystemTime(Date.now() + 5 * 60_000)
    guesses.push(...statuses(await repeat(30, () => logIn(home))))
  }
  expect(guesses).toEqual([...Array(110).fill(401), ...Array(10).fill(429)])

  const { email: other } = await signUp(app, { email: 'long-ago@guest.example' })
  expect((await logIn('198.51.100.8', tenantPassword, other)).status).toBe(200)
  app.advance(31 * 24 * 60 * 60_000)
  const later = await repeat(11, () => logIn('198.51.100.8', 'a wrong guess', other))
  expect(statuses(later)).toEqual([...Array(10).fill(401), 429])
})

test('a hundred wrong passwords from many networks slow logins to an account down, but never lock it [FIX-12, SAFE-24]', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { logIn, guessFromEverywhere, checked } = await siteWithNetworks()
  const home = '198.51.100.7'
  expect((await logIn(home, tenantPassword)).status).toBe(200)
  await guessFromEverywhere(104)
  // Attempt 101 was the one that is allowed in these 30 seconds.
  expect(checked).toHaveLength(1 + 101)
  const early = await logIn('192.0.2.1', tenantPassword)
  expect(early.status).toBe(429)
  expect(Number(early.headers['retry-after'])).toBeLessThanOrEqual(30)
  expect((await logIn(home)).status).toBe(401)
  expect((await logIn(home, tenantPassword)).status).toBe(200)

  vi.setSystemTime(Date.now() + 30_000)
  expect((await logIn('192.0.2.1', tenantPassword)).status).toBe(200)
  // The network has a recent login now, so it is not slowed down.
  expect((await logIn('192.0.2.1', tenantPassword)).status).toBe(200)

  // One attempt in 30 seconds, regardless of the number of networks and simultaneous requests.
  checked.length = 0
  for (let turn = 1; turn <= 5; turn++) {
    vi.setSystemTime(Date.now() + 30_000)
    await Promise.all(Array.from({ length: 20 }, (_, i) => logIn(`192.0.2.${20 * turn + i}`)))
    expect(checked).toHaveLength(turn)
  }
  // One network gets at most three of these attempts in 15 minutes.
  checked.length = 0
  for (let turn = 0; turn < 6; turn++) {
    vi.setSystemTime(Date.now() + 30_000)
    await logIn('203.0.114.9')
  }
  expect(checked).toHaveLength(3)
})

test('an IPv6 /48 has 400 logins in 5 minutes in all, without counting networks that the account has used [FIX-12]', async () => {
  const { checked, logIn } = await siteWithNetworks()
  const home = '2001:db8:1:ffff::7'
  expect((await logIn(home, tenantPassword)).status).toBe(200)
  const flood = await repeat(401, i =>
    logIn(`2001:db8:1:${i % 50}::7`, 'a wrong guess', `guess${i}@guest.example`),
  )
  expect(statuses(flood)).toEqual([...Array(400).fill(401), 429])
  expect(checked).toHaveLength(401)
  expect((await logIn(home, tenantPassword)).status).toBe(200)
  expect((await logIn('2001:db8:2::7', tenantPassword)).status).toBe(200)
})

test('the audit log records at most 300 logins a day for an account, and further logins still work [FIX-12]', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { app, logIn, user } = await siteWithNetworks()
  const logIns = await repeat(302, i => logIn(`198.51.100.${i % 60}`, tenantPassword))
  expect(statuses(logIns)).toEqual(Array(302).fill(200))
  const recorded = () =>
    app.deps.db
      .select()
      .from(events)
      .where(and(eq(events.kind, 'account.logged_in'), eq(events.subjectId, user.id)))
      .all().length
  expect(recorded()).toBe(300)
  app.advance(24 * 60 * 60_000)
  vi.setSystemTime(Date.now() + 24 * 60 * 60_000)
  await logIn('198.51.100.7', tenantPassword)
  expect(recorded()).toBe(301)
  // Logins recorded while the clock was ahead do not count.
  app.advance(-3 * 24 * 60 * 60_000)
  vi.setSystemTime(Date.now() - 3 * 24 * 60 * 60_000)
  await logIn('198.51.100.7', tenantPassword)
  expect(recorded()).toBe(302)
})

test('only a login from a network that the account knows goes first in the queue of passwords [FIX-12]', async () => {
  const knownFrom: (string | undefined)[] = []
  const passwords: Passwords = {
    ...quickPasswords,
    verify: (hash, password, options) => {
      knownFrom.push(options?.knownFrom)
      return quickPasswords.verify(hash, password)
    },
  }
  const app = await testApp({ env: { ...productionEnv, TRUST_PROXY: '127.0.0.1' }, replace: { passwords } })
  const { email } = await signUp(app)
  await signUp(app, { email: 'other@guest.example' })
  const logIn = (to: string, address: string) =>
    logInAs(app, to, tenantPassword, { 'x-forwarded-for': address })
  await repeat(2, () => logIn(email, '198.51.100.7'))
  await logIn('other@guest.example', '198.51.100.7')
  await logIn('nobody@guest.example', '198.51.100.7')
  await logIn(email, '198.51.100.8')
  expect(knownFrom).toEqual([undefined, '198.51.100.0/24', undefined, undefined, undefined])
})

test('a flood of wrong passwords does not slow passkeys down, and a passkey login lets its network use the password again [SAFE-24]', async () => {
  const { app, user, logIn, guessFromEverywhere } = await siteWithNetworks()
  const device = createAuthenticator({ origin: productionEnv.ORIGIN })
  const actor = { role: 'tenant', userId: user.id, requestOrigin: testOrigin } as const
  await proveMailbox(app, actor)
  await addPasskey(app, actor, device)
  await guessFromEverywhere(104)
  const away = '192.0.2.1'
  expect((await logIn(away, tenantPassword)).status).toBe(429)
  const passkeyLogin = async () =>
    call(app, 'POST', '/api/factor/passkey/login', {
      body: { credential: await passkeyResponse(app, device) },
      headers: { 'x-forwarded-for': away },
    })
  expect(await passkeyLogin()).toMatchObject({ status: 200, body: { token: expect.any(String) } })
  expect((await passkeyLogin()).status).toBe(200)
  // The account has a second factor: the right password leads to the second step.
  expect(await logIn(away, tenantPassword)).toMatchObject({
    status: 200,
    body: { challenge: expect.any(String) },
  })
})

test('of three hundred simultaneous guesses from thirty networks only a hundred and one are checked [FIX-12]', async () => {
  const { logIn, checked } = await siteWithNetworks()
  await Promise.all(Array.from({ length: 300 }, (_, i) => logIn(`203.0.${i % 30}.1`)))
  expect(checked).toHaveLength(101)
})

test('successful logins from many networks slow nothing down [FIX-12]', async () => {
  const { logIn, guessFromEverywhere } = await siteWithNetworks()
  for (let i = 0; i < 120; i++) expect((await logIn(`198.51.100.${i}`, tenantPassword)).status).toBe(200)
  await guessFromEverywhere(99)
  expect((await logIn('192.0.2.1')).status).toBe(401)
})

test('an unknown email is slowed down just like a known one [FIX-12]', async () => {
  const { email, logIn, guessFromEverywhere } = await siteWithNetworks()
  await guessFromEverywhere(104, 'nobody@guest.example')
  await guessFromEverywhere(104, email, 100)
  const [unknown, known] = [
    await logIn('192.0.2.1', 'a wrong guess', 'nobody@guest.example'),
    await logIn('192.0.2.2'),
  ]
  expect([unknown.status, known.status]).toEqual([429, 429])
  expect(unknown.body.error).toBe(known.body.error)
})

test('notifies the owner of password guessing from many networks, once a day for each account [FIX-12, SAFE-24]', async () => {
  const { app, email, guessFromEverywhere } = await siteWithNetworks()
  const owner = app.as(await app.makeAdmin())
  const board = async () =>
    (await owner.notices.list()).notices.filter(({ id }) => id.startsWith('guessing-'))
  await guessFromEverywhere(100)
  await guessFromEverywhere(120, 'nobody@guest.example', 100)
  expect(await board()).toEqual([])
  await guessFromEverywhere(30, email, 50)
  expect(await board()).toMatchObject([
    {
      tone: 'danger',
      title: `Somebody is trying passwords for ${email}`,
      detail: expect.stringContaining('More than 100 wrong passwords'),
      action: null,
    },
  ])
  expect(JSON.stringify(app.deps.db.select().from(events).all())).not.toContain('guess 1')
  app.advance(24 * 60 * 60_000 + 1)
  expect(await board()).toEqual([])
})

test('after a reset only the network of the reset counts as one with a recent login [FIX-12]', async () => {
  const { app, email, logIn, guessFromEverywhere } = await siteWithNetworks()
  const [squatter, mailbox] = ['198.51.100.7', '192.0.2.1']
  expect((await logIn(squatter, tenantPassword)).status).toBe(200)
  await guessFromEverywhere(104)
  const headers = { 'x-forwarded-for': mailbox }
  await call(app, 'POST', '/api/auth/forgot-password', { body: { email }, headers })
  const body = { token: resetTokens(app, email)[0], newPassword: 'another tide' }
  await call(app, 'POST', '/api/auth/reset-password', { body, headers })
  expect((await logIn(squatter)).status).toBe(429)
  expect((await logIn(mailbox, 'another tide')).status).toBe(200)
})

test('no limit stores more than 20,000 keys: the least recently used is evicted [FIX-12]', async () => {
  const limits = createLimits(true)
  for (const key of ['old', 'busy']) for (let i = 0; i < 30; i++) await limits.consume('applyByUser', key)
  for (let i = 0; i < 20_000; i++) {
    await limits.consume('applyByUser', `visitor ${i}`)
    if (i % 5000 === 0) await limits.consume('applyByUser', 'busy').catch(() => undefined)
  }
  await expect(limits.consume('applyByUser', 'busy')).rejects.toMatchObject({ code: 'too_many' })
  await expect(limits.consume('applyByUser', 'old')).resolves.toBeUndefined()
})

test('ten failed logins lock an account for their network for a while, even with the right password [REST-05]', async () => {
  const { passwords, calls } = recordingPasswords()
  const app = await testApp({ replace: { passwords } })
  const { email } = await signUp(app)
  calls.length = 0
  const answers = await repeat(12, i => logInAs(app, i % 2 ? email : email.toUpperCase(), 'a wrong guess'))
  expect(statuses(answers)).toEqual([...Array(10).fill(401), 429, 429])
  const refused = await logInAs(app, email, tenantPassword)
  expect(refused).toMatchObject({
    status: 429,
    body: { error: 'Too many attempts. Please wait a while and try again.' },
  })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60)
  expect(calls).toHaveLength(10)
  expect((await signUp(app, { email: 'other@guest.example' })).token).toBeTruthy()
  expect((await logInAs(app, 'other@guest.example', tenantPassword)).status).toBe(200)
})

test('a successful login resets the count of failures', async () => {
  const app = await testApp()
  const { email } = await signUp(app)
  for (let round = 0; round < 3; round++) {
    await repeat(6, () => logInAs(app, email, 'a wrong guess'))
    expect((await logInAs(app, email, tenantPassword)).status).toBe(200)
  }
})

test('a reset unlocks an account for a network that failures had locked out', async () => {
  const app = await testApp()
  const { email } = await signUp(app)
  await repeat(11, () => logInAs(app, email, 'a wrong guess'))
  await call(app, 'POST', '/api/auth/forgot-password', { body: { email } })
  const body = { token: resetTokens(app, email)[0], newPassword: 'another tide' }
  expect((await call(app, 'POST', '/api/auth/reset-password', { body })).status).toBe(200)
  expect((await logInAs(app, email, 'another tide')).status).toBe(200)
})

test('the logins of a batch are counted one by one, together with the logins over REST', async () => {
  const { passwords, calls } = recordingPasswords()
  const app = await testApp({ replace: { passwords } })
  await repeat(3, () => logInBatch(app, 10))
  await repeat(10, i => logInAs(app, `rest${i}@guest.example`, 'a wrong guess'))
  expect(calls).toHaveLength(40)
  const refused = await logInBatch(app, 10)
  expect(
    refused.body.map((one: { error: { data: { httpStatus: number } } }) => one.error.data.httpStatus),
  ).toEqual(Array(10).fill(429))
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await logInAs(app, 'rest@guest.example', 'a wrong guess')).status).toBe(429)
  expect(calls).toHaveLength(40)
})

test('rejects a batch of a hundred logins as a whole', async () => {
  const { passwords, calls } = recordingPasswords()
  const app = await testApp({ replace: { passwords } })
  expect((await logInBatch(app, 100)).status).toBe(400)
  expect(calls).toEqual([])
})

test('a forged X-Forwarded-For does not change the rate limit key', async () => {
  const app = await testApp({ env: productionEnv })
  const answers = await repeat(41, i =>
    logInAs(app, `guess${i}@guest.example`, 'a guess', {
      'x-forwarded-for': `198.51.100.${i}`,
      forwarded: `for=198.51.100.${i}`,
      'x-real-ip': `198.51.100.${i}`,
    }),
  )
  expect(statuses(answers)).toEqual([...Array(40).fill(401), 429])
})

test('behind a trusted proxy each visitor is limited separately, by the address that the proxy saw', async () => {
  const app = await testApp({ env: { ...productionEnv, TRUST_PROXY: '127.0.0.1' } })
  const guess = (forwardedFor: string) => (i: number) =>
    logInAs(app, `${forwardedFor.length}guess${i}@guest.example`, 'a guess', {
      'x-forwarded-for': forwardedFor,
    })
  expect(statuses(await repeat(41, guess('203.0.113.1')))).toEqual([...Array(40).fill(401), 429])
  expect(statuses(await repeat(1, guess('198.51.100.9, 203.0.113.1')))).toEqual([429])
  expect(statuses(await repeat(1, guess('203.0.113.22')))).toEqual([401])
})

test('limits registrations, requests for reset links and resets by address, all with Retry-After', async () => {
  const app = await testApp()
  for (const path of ['register', 'forgot-password', 'reset-password']) {
    const answers = await repeat(21, () => call(app, 'POST', `/api/auth/${path}`, { body: {} }))
    expect(statuses(answers)).toEqual([...Array(20).fill(400), 429])
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
  }
})

test('mails at most five reset links an hour to one address, known or not', async () => {
  const app = await testApp()
  const { email } = await signUp(app)
  for (const address of [email, 'nobody@guest.example']) {
    const answers = await repeat(6, () =>
      call(app, 'POST', '/api/auth/forgot-password', { body: { email: address } }),
    )
    expect(statuses(answers)).toEqual([...Array(5).fill(200), 429])
  }
  expect(resetTokens(app, email)).toHaveLength(5)
})

test('five wrong current passwords end a stolen session [SAFE-19]', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  const guess = (currentPassword: string) =>
    call(app, 'PUT', '/api/auth/change-password', {
      token,
      body: { currentPassword, newPassword: 'another tide' },
    })
  expect(statuses(await repeat(5, () => guess('a wrong guess')))).toEqual([...Array(4).fill(400), 401])
  expect((await guess(tenantPassword)).status).toBe(401)
})

test('wrong current passwords of many sessions of one account are limited', async () => {
  const app = await testApp()
  const account = await signUp(app)
  const guess = (token: string) => {
    const body = { currentPassword: 'a wrong guess', newPassword: 'another tide' }
    return call(app, 'PUT', '/api/auth/change-password', { token, body })
  }
  const sessions = await repeat(3, () => logInAs(app, account.email, tenantPassword))
  const tokens = sessions.map(({ body }) => String(body.token))
  const answers = []
  for (const at of Array(11).keys()) answers.push(await guess(tokens[at % 3] ?? ''))
  expect(statuses(answers)).toEqual([...Array(10).fill(400), 429])
})
