import { expect, test } from 'vitest'
import { accessLinks, events, outbox } from '../../../../db/schema.ts'
import {
  adminPassword,
  call,
  isSessionValid,
  logInAs,
  recordingPasswords,
  resetTokens,
  signUp,
  signUpAdmin,
  tenantPassword,
} from '../../../testing/build-account.ts'
import { noMailSources } from '../../../testing/no-mail-sources.ts'
import { type TestApp, testApp } from '../../../testing/test-app.ts'
import { startMailWorker } from '../../mail/worker.ts'
import { mailSources } from '../../mail-sources.ts'

const minute = 60_000
const invalid = 'This password reset link is invalid or has expired. Please request a new one.'
const newPassword = 'another tide'

const forgot = (app: TestApp, email: string, headers = {}) =>
  call(app, 'POST', '/api/auth/forgot-password', { body: { email }, headers })
const reset = (app: TestApp, token: string | undefined, password: string = newPassword) =>
  call(app, 'POST', '/api/auth/reset-password', { body: { token, newPassword: password } })

/** Requests a link and returns its token. */
async function askForToken(app: TestApp, email: string): Promise<string> {
  const known = new Set(resetTokens(app, email))
  await forgot(app, email)
  return resetTokens(app, email).find(token => !known.has(token)) ?? 'none was mailed'
}

test('a link from a time when the clock was ahead does not work after the clock is corrected', async () => {
  const app = await testApp()
  const { email } = await signUp(app)
  const day = 24 * 60 * minute
  app.advance(365 * day)
  const created = await askForToken(app, email)
  app.advance(-minute)
  expect((await reset(app, created, 'another tide 1')).status).toBe(200)
  const later = await askForToken(app, email)
  app.advance(-365 * day)
  expect((await reset(app, later)).status).toBe(400)
  app.advance(300 * day)
  expect((await reset(app, later)).status).toBe(400)
})

test('a link whose mail was sent while the clock was ahead does not work after the clock is corrected', async () => {
  const app = await testApp()
  const { email } = await signUp(app)
  await forgot(app, email)
  app.advance(365 * 24 * 60 * minute)
  const [token] = resetTokens(app, email)
  app.advance(-364 * 24 * 60 * minute)
  expect((await reset(app, token)).status).toBe(400)
})

test('sends the link only by mail, with the configured origin, to the address of the account [FORGOT-07, MAIL-02]', async () => {
  const env = { ORIGIN: 'http://condo.test:4401', DEMO_HOSTS: 'evil.example' }
  const app = await testApp({ env })
  await signUp(app, { email: 'Maya.Rivers@guest.example' })
  const answer = await forgot(app, ' maya.rivers@GUEST.example', { host: 'evil.example' })
  expect(answer).toMatchObject({ status: 200 })
  expect(answer.body).toEqual({
    message: 'If an account with that email exists, a password reset link has been sent.',
  })
  const [mail] = app.deps.db.select().from(outbox).all()
  expect(mail).toMatchObject({
    kind: 'password-reset',
    toAddress: 'Maya.Rivers@guest.example',
    props: {
      email: 'Maya.Rivers@guest.example',
      displayName: 'Maya Rivers',
    },
  })
  const worker = startMailWorker(app.deps, mailSources)
  await worker.deliverDue()
  await worker.stop()
  expect(app.sentMails).toMatchObject([
    {
      to: 'Maya.Rivers@guest.example',
      text: expect.stringMatching(/http:\/\/condo\.test:4401\/reset-password\?token=[\w-]{43}\s/),
    },
  ])
})

test('a known and an unknown email get the same response, one write and no hash, and strangers’ emails no event', async () => {
  const { passwords, calls } = recordingPasswords()
  const app = await testApp({ replace: { passwords } })
  const { email } = await signUp(app)
  calls.length = 0
  const write = app.deps.write
  let writes = 0
  app.deps.write = work => {
    writes++
    return write(work)
  }
  const eventCount = () => app.deps.db.$count(events)
  const before = await eventCount()
  const known = await forgot(app, email)
  const forKnown = { writes, events: (await eventCount()) - before }
  const unknown = await forgot(app, 'nobody@guest.example')
  expect(unknown).toMatchObject({ status: known.status, body: known.body })
  expect(forKnown).toEqual({ writes: 1, events: 1 })
  expect({ writes, events: (await eventCount()) - before }).toEqual({ writes: 2, events: 1 })
  expect(calls).toEqual([])
  expect(resetTokens(app, email)).toHaveLength(1)
  expect(resetTokens(app, 'nobody@guest.example')).toEqual([])
})

test('without a mail service returns the same error for every email', async () => {
  const app = await testApp()
  app.deps.mail = undefined
  const { email } = await signUp(app)
  for (const address of [email, 'nobody@guest.example']) {
    expect(await forgot(app, address)).toMatchObject({
      status: 503,
      body: { error: 'Email service not configured. Please contact support.' },
    })
  }
  expect(await app.deps.db.$count(outbox)).toBe(0)
  expect(await app.deps.db.$count(accessLinks)).toBe(0)
})

test('a reset sets the password once and ends all sessions [RESET-10]', async () => {
  const app = await testApp()
  const { email, token: session } = await signUp(app)
  const stranger = await signUp(app, { email: 'stranger@guest.example' })
  const token = await askForToken(app, email)
  expect(await reset(app, token)).toMatchObject({
    status: 200,
    body: { message: 'Password reset successfully!' },
  })
  expect(await isSessionValid(app, session)).toBe(false)
  expect(await isSessionValid(app, stranger.token)).toBe(true)
  expect((await logInAs(app, email, tenantPassword)).status).toBe(401)
  expect((await logInAs(app, email, newPassword)).status).toBe(200)
  expect(await reset(app, token, 'a third one')).toMatchObject({ status: 400, body: { error: invalid } })
  expect((await logInAs(app, email, newPassword)).status).toBe(200)
})

test('a link is valid for an hour [RESET-10]', async () => {
  const app = await testApp()
  const { email } = await signUp(app)
  const first = await askForToken(app, email)
  app.advance(60 * minute - 1)
  const second = await askForToken(app, email)
  app.advance(1)
  expect(await reset(app, first)).toMatchObject({ status: 400, body: { error: invalid } })
  expect((await reset(app, second)).status).toBe(200)
})

test("an administrator's password change revokes mailed links", async () => {
  const app = await testApp()
  const { email, token: session } = await signUpAdmin(app)
  const token = await askForToken(app, email)
  const body = { currentPassword: adminPassword, newPassword: 'Dune.grass.7' }
  expect((await call(app, 'PUT', '/api/auth/change-password', { token: session, body })).status).toBe(200)
  expect((await reset(app, token, 'Dune.grass.8')).status).toBe(400)
})

test('ten simultaneous uses of one link change the password once', async () => {
  const app = await testApp()
  const { email } = await signUp(app)
  const token = await askForToken(app, email)
  const passwords = Array.from({ length: 10 }, (_, i) => `tide number ${i}`)
  const answers = await Promise.all(passwords.map(password => reset(app, token, password)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status, body }) => status === 400 && body.error === invalid)).toHaveLength(9)
  const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? ''
  expect((await logInAs(app, email, winner)).status).toBe(200)
})

test("an admin's reset enforces the admin's rules, and a rejected password keeps the link valid [PWD-12]", async () => {
  const app = await testApp()
  const { email, token: session } = await signUpAdmin(app)
  const token = await askForToken(app, email)
  const error =
    'New password must be at least 8 characters with uppercase, lowercase, numbers, and special characters'
  expect(await reset(app, token, 'weak but long')).toMatchObject({
    status: 400,
    body: { error, fields: { newPassword: error } },
  })
  expect(await isSessionValid(app, session)).toBe(true)
  expect((await reset(app, token, 'Dune.grass.7')).status).toBe(200)
  expect((await logInAs(app, email, adminPassword)).status).toBe(401)
  expect((await logInAs(app, email, 'Dune.grass.7')).status).toBe(200)
})

test('a mail server that rejects every mail does not change the response [FORGOT-09]', async () => {
  const down = { send: () => Promise.reject(new Error('connection refused')) }
  const app = await testApp({ replace: { mail: down } })
  await signUp(app, { email: 'maya@guest.example' })
  const answer = await forgot(app, 'maya@guest.example')
  const worker = startMailWorker(app.deps, noMailSources)
  await worker.deliverDue()
  await worker.stop()
  expect(app.deps.db.select().from(outbox).all()).toMatchObject([{ status: 'queued', attempts: 1 }])
  expect(answer).toMatchObject({ status: 200, body: { message: expect.stringContaining('has been sent') } })
  expect((await forgot(app, 'maya@guest.example')).body).toEqual(answer.body)
})
