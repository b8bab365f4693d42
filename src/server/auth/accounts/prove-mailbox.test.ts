import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { safetyAnswers } from '../../../domain/accounts/account-safety-messages.ts'
import { addPasskey, createAuthenticator } from '../../../testing/authenticator.ts'
import { call, logInAs, resetTokens, signUp, tenantPassword } from '../../../testing/build-account.ts'
import { buildEntry, invitationTokens } from '../../../testing/build-entry.ts'
import { enableTwoStep, mailedCode, mailsOf, proveMailbox } from '../../../testing/build-factor.ts'
import { everyRow } from '../../../testing/every-row.ts'
import { type TestApp, testApp, testOrigin } from '../../../testing/test-app.ts'
import { startMailWorker } from '../../mail/worker.ts'
import { mailSources } from '../../mail-sources.ts'

const email = 'maya@guest.example'
const minute = 60_000

async function registered(options: Parameters<typeof testApp>[0] = {}) {
  const app = await testApp(options)
  const { token, user } = await signUp(app, { email })
  const actor: SignedIn = { role: 'tenant', userId: user.id, requestOrigin: testOrigin }
  return { app, token, actor, own: app.as(actor) }
}
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const deliver = async (app: TestApp) => {
  const worker = startMailWorker(app.deps, mailSources)
  await worker.deliverDue()
  await worker.stop()
  return app.sentMails.at(-1)
}

test('the first factor asks for a code mailed to the address; from then on the mailbox alone opens nothing: a reset removes no factor [FIX-29, SAFE-09]', async () => {
  const { app, actor, own } = await registered()
  await expect(own.factors.setUpTotp({ password: tenantPassword })).rejects.toThrow(
    safetyAnswers.confirmMailbox,
  )
  await expect(own.factors.passkeyOptions()).rejects.toThrow(safetyAnswers.confirmMailbox)
  expect((await own.factors.list()).mailboxProven).toBe(false)
  await own.emailChange.sendCode()
  const mail = await deliver(app)
  const [code = ''] = /\b\d{6}\b/.exec(mail?.text ?? '') ?? []
  expect({ to: mail?.to, code }).toEqual({ to: email, code: mailedCode(app) })
  expect(mail?.subject).not.toContain(code)
  await own.emailChange.confirmCode({ code: ` ${code.slice(0, 3)}-${code.slice(3)} ` })
  expect((await own.factors.list()).mailboxProven).toBe(true)
  await enableTwoStep(app, actor, tenantPassword)
  await addPasskey(app, actor, createAuthenticator())

  // A thief of the mailbox: no mailed link was ever used, so only the code has proven it.
  await call(app, 'POST', '/api/auth/forgot-password', { body: { email } })
  const reset = { token: resetTokens(app, email)[0], newPassword: 'the thief' }
  expect((await call(app, 'POST', '/api/auth/reset-password', { body: reset })).status).toBe(200)
  expect((await logInAs(app, email, 'the thief')).body).toEqual({
    challenge: expect.any(String),
    methods: ['totp', 'passkey', 'recovery'],
  })
})

test('an account with a proven mailbox is not asked for a code [FIX-29]', async () => {
  const { app, token, actor, own } = await registered()
  await proveMailbox(app, actor)
  await expect(own.emailChange.sendCode()).rejects.toThrow(safetyAnswers.mailboxProven)
  await expect(own.emailChange.confirmCode({ code: '123456' })).rejects.toThrow(safetyAnswers.mailboxProven)
  const password = { password: tenantPassword }
  expect((await call(app, 'POST', '/api/factor/totp', { token, body: password })).status).toBe(200)
  await app.as(await app.makeAdmin()).factors.passkeyOptions()
})

test('adding the first factor requires a mailbox proof from the last hour, so a stolen password is not enough [SAFE-03, SAFE-22]', async () => {
  const { app, actor, own } = await registered()
  await proveMailbox(app, actor)
  app.advance(60 * minute)
  const refused = { message: safetyAnswers.confirmMailbox }
  await expect(own.factors.setUpTotp({ password: tenantPassword })).rejects.toMatchObject(refused)
  await expect(own.factors.passkeyOptions()).rejects.toMatchObject(refused)
  expect((await own.factors.list()).mailboxProven).toBe(false)
  await proveMailbox(app, actor)
  await enableTwoStep(app, actor, tenantPassword)
  app.advance(60 * minute)
  expect((await own.factors.list()).mailboxProven).toBe(true)
  await addPasskey(app, actor, createAuthenticator())
})

test('a code has five tries, works once, for 15 minutes, only for its account, and is replaced by a newer one [FIX-29]', async () => {
  const { app, actor, own } = await registered()
  await own.emailChange.sendCode()
  const first = mailedCode(app)
  const tries = await Promise.allSettled(
    Array.from({ length: 8 }, () => own.emailChange.confirmCode({ code: otherThan(first) })),
  )
  const messages = tries.map(result => (result.status === 'rejected' ? result.reason.message : 'accepted'))
  expect(messages.filter(message => message === safetyAnswers.wrongMailboxCode)).toHaveLength(5)
  expect(messages.filter(message => message === safetyAnswers.mailboxCodeOver)).toHaveLength(3)
  await expect(own.emailChange.confirmCode({ code: first })).rejects.toThrow(safetyAnswers.mailboxCodeOver)

  await own.emailChange.sendCode()
  const second = mailedCode(app)
  app.advance(15 * minute)
  await expect(own.emailChange.confirmCode({ code: second })).rejects.toThrow(safetyAnswers.mailboxCodeOver)
  await own.emailChange.sendCode()
  const third = mailedCode(app)
  await own.emailChange.sendCode()
  const newest = mailedCode(app)
  const stranger = await signUp(app, { email: 'stranger@guest.example' })
  const strange: SignedIn = { ...actor, userId: stranger.user.id }
  await app.as(strange).emailChange.sendCode()
  await expect(app.as(strange).emailChange.confirmCode({ code: newest })).rejects.toThrow()
  if (third !== newest)
    await expect(own.emailChange.confirmCode({ code: third })).rejects.toThrow(safetyAnswers.wrongMailboxCode)
  const both = await Promise.allSettled([1, 2].map(() => own.emailChange.confirmCode({ code: newest })))
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('an account is mailed five codes in 24 hours, also after a restart, and waits for the sixth [FIX-29]', async () => {
  const { app, token, own } = await registered()
  for (let i = 0; i < 5; i++) await own.emailChange.sendCode()
  app.deps.limits.consume = async () => {}
  const refused = await call(app, 'POST', '/api/person/email/code', { token })
  expect(refused).toMatchObject({ status: 429, body: { error: safetyAnswers.tooManyMailboxCodes } })
  expect(refused.headers['retry-after']).toBeDefined()
  app.advance(24 * 60 * minute)
  await own.emailChange.sendCode()
})

test('a network is mailed ten codes an hour, for however many accounts [FIX-29]', async () => {
  const { app, token } = await registered()
  const [second, third] = [
    await signUp(app, { email: 'maya+2@guest.example' }),
    await signUp(app, { email: 'maya+3@guest.example' }),
  ]
  const send = (token: string) => call(app, 'POST', '/api/person/email/code', { token })
  for (const sender of [token, second.token])
    for (let i = 0; i < 5; i++) expect((await send(sender)).status).toBe(200)
  const refused = await send(third.token)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500)
  expect(mailsOf(app, 'mailbox-code')).toHaveLength(10)
  const elsewhere: SignedIn = {
    role: 'tenant',
    userId: third.user.id,
    requestOrigin: { ...testOrigin, address: '198.51.100.9' },
  }
  await app.as(elsewhere).emailChange.sendCode()
})

test('codes from a time when the clock was ahead do not count after it is corrected', async () => {
  const { app, own } = await registered()
  app.advance(365 * 24 * 60 * minute)
  for (let i = 0; i < 5; i++) await own.emailChange.sendCode()
  app.advance(-365 * 24 * 60 * minute)
  await own.emailChange.sendCode()
})

test('no code is in a row, before or after its mail was sent, and a mail that is sent again repeats it [FIX-29, SAFE-15]', async () => {
  const { app, own } = await registered()
  await own.emailChange.sendCode()
  const code = mailedCode(app)
  const withoutTimes = () => JSON.stringify(everyRow(app)).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
  expect(withoutTimes()).not.toMatch(new RegExp(`(?<![\\da-f-])${code}(?![\\da-f-])`))
  const mail = await deliver(app)
  expect(mail?.text).toContain(code)
  expect(withoutTimes()).not.toMatch(new RegExp(`(?<![\\da-f-])${code}(?![\\da-f-])`))
  expect(mailedCode(app)).toBe(code)
})

test('a mail with a code that is over is withdrawn [FIX-29]', async () => {
  const { app, actor, own } = await registered()
  await own.emailChange.sendCode()
  await proveMailbox(app, actor)
  await deliver(app)
  expect(app.sentMails).toEqual([])
  expect(mailsOf(app, 'mailbox-code').map(({ status }) => status)).toEqual(['withdrawn', 'withdrawn'])
})

test('without a mail server a tenant cannot set up a factor, and an administrator is not asked [FIX-29, SAFE-30]', async () => {
  const { app, token, own } = await registered({ replace: { mail: undefined } })
  for (const [path, body] of [
    ['/api/person/email/code', undefined],
    ['/api/factor/totp', { password: tenantPassword }],
    ['/api/factor/passkey/options', undefined],
  ] as const)
    expect([path, await call(app, 'POST', path, { token, body })]).toMatchObject([
      path,
      { status: 503, body: { error: safetyAnswers.noMail } },
    ])
  expect((await own.factors.list()).factors).toEqual([])
  expect(mailsOf(app, 'mailbox-code')).toEqual([])
  await app.as(await app.makeAdmin()).factors.passkeyOptions()
})

test('a code needs the site’s key: with a damaged one none is mailed, and none is accepted [FIX-29]', async () => {
  const { app, own } = await registered()
  await own.emailChange.sendCode()
  const code = mailedCode(app)
  app.deps.key = { state: 'damaged', path: 'secret.key', message: 'damaged' }
  await expect(own.emailChange.sendCode()).rejects.toThrow(safetyAnswers.noCodes)
  await expect(own.emailChange.confirmCode({ code })).rejects.toThrow(safetyAnswers.mailboxCodeOver)
})

test('the code opens a booking that waited for the mailbox, and ends its invitation [FIX-27, FIX-29]', async () => {
  const { app, actor, own } = await registered()
  const { manualBookings: entry } = app.as(await app.makeAdmin())
  const { application } = await entry.create(buildEntry({ email }))
  await expect(own.applications.get({ id: application.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await proveMailbox(app, actor)
  expect((await own.applications.get({ id: application.id })).application.id).toBe(application.id)
  expect(invitationTokens(app, email)).toEqual([])
})

test('accounts that the program creates count as proven, and registered ones do not [FIX-27, FIX-29]', async () => {
  const { app, actor } = await registered()
  const provenAt = () =>
    app.deps.db.select().from(users).where(eq(users.id, actor.userId)).get()?.mailboxProvenAt
  expect(provenAt()).toBeNull()
  await proveMailbox(app, actor)
  const first = provenAt()
  app.advance(minute)
  await call(app, 'POST', '/api/auth/forgot-password', { body: { email } })
  const body = { token: resetTokens(app, email)[0], newPassword: 'another one' }
  expect((await call(app, 'POST', '/api/auth/reset-password', { body })).status).toBe(200)
  expect(provenAt()).toBe(first)
})
