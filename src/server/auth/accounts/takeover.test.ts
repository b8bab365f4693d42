import { request } from 'node:http'
import { expect, test } from 'vitest'
import { applications, files, sessions, users } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { addPasskey, createAuthenticator, passkeyResponse } from '../../../testing/authenticator.ts'
import {
  call,
  isSessionValid,
  logInAs,
  resetTokens,
  signUp,
  tenantPassword,
} from '../../../testing/build-account.ts'
import { buildApplication, dates } from '../../../testing/build-application.ts'
import { enableTwoStep } from '../../../testing/build-factor.ts'
import { leaseTerms, scanPdf } from '../../../testing/build-lease.ts'
import { buildManualPayment } from '../../../testing/build-payment.ts'
import { type TestApp, testApp, testNow, testOrigin } from '../../../testing/test-app.ts'
import { sessionDeps } from '../../kernel/session-write.ts'
import { sha256 } from '../../lib/sha256.ts'

const victim = 'victim@mailbox.example'
const newPassword = 'the true owner'
const minute = 60_000

/** Registers with another person's address, and logs in twice. */
async function registerWithVictimsEmail(app: TestApp) {
  const { token, user, password } = await signUp(app, { email: victim, firstName: 'Eve', lastName: 'Low' })
  const elsewhere: string = (await logInAs(app, victim, password)).body.token
  const actor: SignedIn = { role: 'tenant', userId: user.id, requestOrigin: testOrigin }
  return { token, elsewhere, user, actor }
}
const askForLink = (app: TestApp) =>
  call(app, 'POST', '/api/auth/forgot-password', { body: { email: victim } })
const reset = (app: TestApp, token: string | undefined, password = newPassword) =>
  call(app, 'POST', '/api/auth/reset-password', { body: { token, newPassword: password } })
async function takeOver(app: TestApp) {
  await askForLink(app)
  return reset(app, resetTokens(app, victim)[0])
}

test('the owner of the mailbox takes the account over: earlier sessions, links and passwords stop working [FIX-22]', async () => {
  const app = await testApp()
  const { token, elsewhere } = await registerWithVictimsEmail(app)
  // The address is taken, even for its true owner; the way in is a reset.
  const again = {
    firstName: 'Vic',
    lastName: 'Tim',
    email: ` ${victim.toUpperCase()} `,
    password: newPassword,
  }
  expect(await call(app, 'POST', '/api/auth/register', { body: again })).toMatchObject({
    status: 409,
    body: { error: 'An account with this email already exists. Please log in.' },
  })
  await askForLink(app)
  await askForLink(app)
  const [newest, ...older] = resetTokens(app, victim)
  const poll = await call(app, 'GET', '/api/application/status', { token })
  const headers = { 'if-none-match': String(poll.headers.etag) }
  const unchanged = await app.http.inject({
    url: '/api/application/status',
    headers: { ...headers, authorization: `Bearer ${token}` },
  })
  expect(unchanged.statusCode).toBe(304)

  expect((await reset(app, newest)).status).toBe(200)
  expect([await isSessionValid(app, token), await isSessionValid(app, elsewhere)]).toEqual([false, false])
  expect((await call(app, 'GET', '/api/application/status', { token, headers })).status).toBe(401)
  for (const stale of older) expect((await reset(app, stale, 'eve again')).status).toBe(400)
  expect((await logInAs(app, victim, tenantPassword)).status).toBe(401)
  const change = { currentPassword: tenantPassword, newPassword: 'eve once more' }
  expect((await call(app, 'PUT', '/api/auth/change-password', { token, body: change })).status).toBe(401)
  expect((await logInAs(app, victim, newPassword)).status).toBe(200)
})

test('the first use of a mailed link removes the factors of a squatter; later links keep those of the owner [FIX-22, SAFE-09]', async () => {
  const app = await testApp()
  const { actor } = await registerWithVictimsEmail(app)
  const device = createAuthenticator()
  // As accounts could do before a factor asked for the mailbox.
  const prove = (mailboxProvenAt: string | null) =>
    app.deps.write(tx => tx.update(users).set({ mailboxProvenAt }).run())
  await prove(testNow)
  await enableTwoStep(app, actor, tenantPassword)
  await addPasskey(app, actor, device)
  await prove(null)
  expect((await takeOver(app)).status).toBe(200)
  expect((await logInAs(app, victim, newPassword)).body).toMatchObject({ user: { email: victim } })
  const credential = await passkeyResponse(app, device)
  expect((await call(app, 'POST', '/api/factor/passkey/login', { body: { credential } })).status).toBe(401)

  // The owner of the mailbox has acted in the account: factors that are added now are the owner's, and stay.
  await enableTwoStep(app, actor, newPassword)
  expect((await takeOver(app)).status).toBe(200)
  expect((await logInAs(app, victim, newPassword)).body).toMatchObject({ methods: ['totp', 'recovery'] })
})

test('no request of a signed-in person moves the account to another address [FIX-22]', async () => {
  const app = await testApp()
  const { token } = await registerWithVictimsEmail(app)
  const moved = { email: 'eve@elsewhere.example', emailKey: 'eve@elsewhere.example', firstName: 'Eve' }
  await call(app, 'PUT', '/api/auth/profile', { token, body: moved })
  await call(app, 'POST', '/trpc/accounts.updateProfile', { token, body: moved })
  expect(app.deps.db.select().from(users).all()).toMatchObject([{ email: victim, emailKey: victim }])
  expect((await takeOver(app)).status).toBe(200)
  // Homoglyphs, and letters that become others in lower case, are rejected.
  const lookalikes = [
    'vi\u0441tim@mailbox.example',
    'victim@mailbo\u0445.example',
    '\u212aim@mailbox.example',
  ]
  for (const email of lookalikes) {
    const form = { firstName: 'Eve', lastName: 'Low', email, password: newPassword }
    expect((await call(app, 'POST', '/api/auth/register', { body: form })).status, email).toBe(400)
  }
})

test('a password change by a signed-in tenant does not revoke a mailed link [FIX-22]', async () => {
  const app = await testApp()
  const { token } = await registerWithVictimsEmail(app)
  await askForLink(app)
  let currentPassword = tenantPassword
  for (const next of ['changed once', 'changed twice']) {
    const body = { currentPassword, newPassword: next }
    expect((await call(app, 'PUT', '/api/auth/change-password', { token, body })).status).toBe(200)
    currentPassword = next
  }
  expect((await reset(app, resetTokens(app, victim)[0])).status).toBe(200)
  expect(await isSessionValid(app, token)).toBe(false)
})

test('requests that started before the reset and wait for a rate limit change nothing after it [FIX-22]', async () => {
  const app = await testApp()
  const { token } = await registerWithVictimsEmail(app)
  const consume = app.deps.limits.consume
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  let waiting = 0
  app.deps.limits.consume = async (name, key) => {
    await consume(name, key)
    if (name !== 'writeByTenant') return
    waiting++
    await held
  }
  const late = [
    call(app, 'PUT', '/api/auth/profile', { token, body: { firstName: 'Mallory' } }),
    call(app, 'POST', '/api/application', { token, body: buildApplication() }),
    call(app, 'POST', '/trpc/applications.createAndSubmit', { token, body: buildApplication() }),
  ]
  await expect.poll(() => waiting).toBe(3)
  expect((await takeOver(app)).status).toBe(200)
  release()
  for (const answer of await Promise.all(late)) expect(answer.status).toBe(401)
  expect(app.deps.db.select().from(applications).all()).toEqual([])
  expect(app.deps.db.select().from(users).all()).toMatchObject([{ firstName: 'Eve' }])
})

test('rejects an upload whose last bytes arrive after the reset [FIX-22]', async () => {
  const app = await testApp()
  const { token, actor } = await registerWithVictimsEmail(app)
  const admin = app.as(await app.makeAdmin())
  const draft = await app.as(actor).applications.create(buildApplication(dates('2026-06-01', '2026-07-01')))
  const { id } = draft.application
  await app.as(actor).applications.submit({ id })
  await admin.applications.adminSetStatus({ id, status: 'approved' })
  await admin.leases.generate({ applicationId: id, ...leaseTerms })

  const form = new FormData()
  form.set('applicationId', id)
  form.set('signedLease', new File([new Uint8Array(scanPdf())], 'lease.pdf', { type: 'application/pdf' }))
  const whole = new Response(form)
  const body = Buffer.from(await whole.clone().arrayBuffer())
  const url = await app.listen()
  const upload = request(`${url}/api/lease/upload-signed`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': String(whole.headers.get('content-type')),
      'content-length': body.length,
    },
  })
  const answered = new Promise<number>((resolve, reject) => {
    upload.on('response', response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    upload.on('error', reject)
  })
  const consume = app.deps.limits.consume
  const begun = new Promise<void>(resolve => {
    app.deps.limits.consume = async (name, key) => {
      await consume(name, key)
      if (name === 'uploadByUser') resolve()
    }
  })
  upload.write(body.subarray(0, body.length - 10))
  await begun
  expect((await takeOver(app)).status).toBe(200)
  upload.end(body.subarray(body.length - 10))
  expect(await answered).toBe(401)
  expect(app.deps.db.select().from(files).all()).toEqual([])
})

test('the reset returns what was done in the account before [FIX-22]', async () => {
  const app = await testApp()
  const { token, actor } = await registerWithVictimsEmail(app)
  const owner = await app.makeAdmin()
  const { application } = await app
    .as(actor)
    .applications.createAndSubmit(buildApplication(dates('2026-06-01', '2026-07-01')))
  await app.as(owner).payments.addManual(buildManualPayment(application.id))
  app.advance(5 * minute)
  await call(app, 'PUT', '/api/auth/profile', { token, body: { phone: '850-555-0199' } })
  app.advance(5 * minute)
  const change = { currentPassword: tenantPassword, newPassword: 'changed once' }
  await call(app, 'PUT', '/api/auth/change-password', { token, body: change })
  app.advance(5 * minute)
  const at = (minutes: number) => new Date(Date.parse(testNow) + minutes * minute).toISOString()
  const before = {
    createdAt: testNow,
    lastLoginAt: testNow,
    profileChangedAt: at(5),
    passwordChangedAt: at(10),
    applicationNumbers: [application.applicationNumber],
    signedLeases: 0,
    payments: 1,
  }
  expect(await takeOver(app)).toMatchObject({
    status: 200,
    body: { message: 'Password reset successfully!', before },
  })
  // Nothing was removed, and the next reset also reports this one.
  expect(await app.deps.db.$count(applications)).toBe(1)
  expect((await takeOver(app)).body.before).toEqual({ ...before, passwordChangedAt: at(15) })
})

test('a request whose session ends between two of its writes still completes [FIX-22]', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  const begun = sessionDeps(app.deps, sha256(token))
  await begun.write(tx => tx.update(users).set({ firstName: 'One' }).run())
  await app.deps.write(tx => tx.delete(sessions).run())
  await begun.write(tx => tx.update(users).set({ lastName: 'Two' }).run())
  const late = sessionDeps(app.deps, sha256(token)).write(tx => tx.update(users).set({ phone: '3' }).run())
  await expect(late).rejects.toMatchObject({ code: 'unauthorized' })
  const lateInParts = sessionDeps(app.deps, sha256(token)).writeInParts(function* (tx) {
    yield
    tx.update(users).set({ phone: '3' }).run()
  })
  await expect(lateInParts).rejects.toMatchObject({ code: 'unauthorized' })
  expect(app.deps.db.select().from(users).all()).toMatchObject([
    { firstName: 'One', lastName: 'Two', phone: '' },
  ])
})
