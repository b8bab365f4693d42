import { expect, test } from 'vitest'
import {
  call,
  countedPasswords,
  logInAs,
  mailedTokens,
  signUp,
  tenantPassword,
} from '../../testing/build-account.ts'
import { productionEnv } from '../../testing/production-env.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'

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

test('ten failed logins close an account for a while, whoever asks and also for the right password [REST-05]', async () => {
  const { passwords, calls } = countedPasswords()
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

test('an unknown e-mail is closed just like a known one', async () => {
  const app = await testApp()
  const answers = await repeat(11, () => logInAs(app, 'nobody@guest.example', 'a wrong guess'))
  expect(statuses(answers)).toEqual([...Array(10).fill(401), 429])
})

test('thirty guesses at once are no more than ten', async () => {
  const { passwords, calls } = countedPasswords()
  const app = await testApp({ replace: { passwords } })
  const { email } = await signUp(app)
  calls.length = 0
  await Promise.all(Array.from({ length: 30 }, () => logInAs(app, email, 'a wrong guess')))
  expect(calls).toHaveLength(10)
})

test('a login that succeeds forgives the failures before it', async () => {
  const app = await testApp()
  const { email } = await signUp(app)
  for (let round = 0; round < 3; round++) {
    await repeat(6, () => logInAs(app, email, 'a wrong guess'))
    expect((await logInAs(app, email, tenantPassword)).status).toBe(200)
  }
})

test('a reset opens an account that failures have closed', async () => {
  const app = await testApp()
  const { email } = await signUp(app)
  await repeat(11, () => logInAs(app, email, 'a wrong guess'))
  await call(app, 'POST', '/api/auth/forgot-password', { body: { email } })
  const body = { token: mailedTokens(app, email)[0], newPassword: 'another tide' }
  expect((await call(app, 'POST', '/api/auth/reset-password', { body })).status).toBe(200)
  expect((await logInAs(app, email, 'another tide')).status).toBe(200)
})

test('the logins of a batch are counted one by one, together with those over REST', async () => {
  const { passwords, calls } = countedPasswords()
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

test('a batch of a hundred logins is refused as a whole', async () => {
  const { passwords, calls } = countedPasswords()
  const app = await testApp({ replace: { passwords } })
  expect((await logInBatch(app, 100)).status).toBe(400)
  expect(calls).toEqual([])
})

test('a made-up X-Forwarded-For makes no new visitor', async () => {
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

test('behind a listed proxy each visitor counts for themselves, by the address that the proxy saw', async () => {
  const app = await testApp({ env: { ...productionEnv, TRUST_PROXY: '127.0.0.1' } })
  const guess = (forwardedFor: string) => (i: number) =>
    logInAs(app, `${forwardedFor.length}guess${i}@guest.example`, 'a guess', {
      'x-forwarded-for': forwardedFor,
    })
  expect(statuses(await repeat(41, guess('203.0.113.1')))).toEqual([...Array(40).fill(401), 429])
  expect(statuses(await repeat(1, guess('198.51.100.9, 203.0.113.1')))).toEqual([429])
  expect(statuses(await repeat(1, guess('203.0.113.22')))).toEqual([401])
})

test('a visitor who has a whole IPv6 network to choose addresses from is one visitor', async () => {
  const app = await testApp({ env: { ...productionEnv, TRUST_PROXY: '127.0.0.1' } })
  const guess = (address: (i: number) => string) => (i: number) =>
    logInAs(app, `${address(i).length}guess${i}@guest.example`, 'a guess', { 'x-forwarded-for': address(i) })
  const network = (i: number) => `2001:db8:1:2:${i.toString(16)}::${i + 1}`
  expect(statuses(await repeat(41, guess(network)))).toEqual([...Array(40).fill(401), 429])
  expect(
    statuses(
      await repeat(
        1,
        guess(() => '2001:db8:1:3::1'),
      ),
    ),
  ).toEqual([401])
})

test('registering, asking for links and resetting are limited by address, all with Retry-After', async () => {
  const app = await testApp()
  for (const path of ['register', 'forgot-password', 'reset-password']) {
    const answers = await repeat(21, () => call(app, 'POST', `/api/auth/${path}`, { body: {} }))
    expect(statuses(answers)).toEqual([...Array(20).fill(400), 429])
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
  }
})

test('five links an hour for one address, known or not', async () => {
  const app = await testApp()
  const { email } = await signUp(app)
  for (const address of [email, 'nobody@guest.example']) {
    const answers = await repeat(6, () =>
      call(app, 'POST', '/api/auth/forgot-password', { body: { email: address } }),
    )
    expect(statuses(answers)).toEqual([...Array(5).fill(200), 429])
  }
  expect(mailedTokens(app, email)).toHaveLength(5)
})

test('a stolen session cannot guess the password', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  const guess = (currentPassword: string) =>
    call(app, 'PUT', '/api/auth/change-password', {
      token,
      body: { currentPassword, newPassword: 'another tide' },
    })
  expect(statuses(await repeat(11, () => guess('a wrong guess')))).toEqual([...Array(10).fill(400), 429])
  expect((await guess(tenantPassword)).status).toBe(429)
})
