import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accessLinks, events, outbox, sessions, users } from '../../../../db/schema.ts'
import {
  call,
  isSessionValid,
  logInAs,
  resetTokens,
  signUp,
  tenantPassword,
} from '../../../testing/build-account.ts'
import { everyRow } from '../../../testing/every-row.ts'
import { productionEnv } from '../../../testing/production-env.ts'
import { queuedTokens } from '../../../testing/queued-tokens.ts'
import { type TestApp, testApp, visitor } from '../../../testing/test-app.ts'
import { startMailWorker } from '../../mail/worker.ts'
import { mailSources } from '../../mail-sources.ts'
import { createAdmin } from '../accounts/admins.ts'
import { beginSession } from './sessions.ts'

const day = 24 * 60 * 60_000
const email = 'owner@condo.example'
const password = 'Tides.and.dunes.9'
const office = {
  address: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0',
}
const edge = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/138.0 Safari/537.36 Edg/138.0'
type Place = Partial<typeof office>

/** A site behind a proxy that forwards the client address. */
async function ownersSite() {
  const app = await testApp({ env: { ...productionEnv, TRUST_PROXY: '127.0.0.1' } })
  await createAdmin(app.deps, { email, firstName: 'Olive' }, password)
  const headersOf = ({ address = office.address, userAgent = office.userAgent }: Place) => ({
    'x-forwarded-for': address,
    'user-agent': userAgent,
  })
  return {
    app,
    headersOf,
    logIn: (place: Place = {}, word = password) => logInAs(app, email, word, headersOf(place)),
    mails: () => app.deps.db.select().from(outbox).where(eq(outbox.kind, 'new-login')).all(),
    deliver: async () => {
      const worker = startMailWorker(app.deps, mailSources)
      await worker.deliverDue()
      await worker.stop()
    },
  }
}
const tokenIn = (text: unknown) => /\/not-me#([\w-]{43})/.exec(String(text))?.[1] ?? ''
const notMe = (app: TestApp, token: string) => call(app, 'POST', '/api/session/not-me', { body: { token } })
const deadLink = { status: 404, body: { error: 'This link is invalid or has expired.' } }

test("an administrator's login from an unrecognized browser or network is mailed once a day for each pair [SAFE-22]", async () => {
  const { app, logIn, mails } = await ownersSite()
  const countAfter = async (place: Place) => {
    expect((await logIn(place)).status).toBe(200)
    return mails().length
  }
  expect(await countAfter({})).toBe(1)
  // A newer version of the browser, and another address of the same network.
  expect(
    await countAfter({ userAgent: office.userAgent.replaceAll('140', '141'), address: '203.0.113.200' }),
  ).toBe(1)
  expect(await countAfter({ address: '203.0.114.7' })).toBe(2)
  expect(await countAfter({ userAgent: edge })).toBe(3)
  // Browser and network are each known, but not together.
  expect(await countAfter({ userAgent: edge, address: '203.0.114.7' })).toBe(4)
  expect(await countAfter({ address: '2001:db8:1:2::7' })).toBe(5)
  expect(await countAfter({ address: '2001:db8:1:3::7' })).toBe(5)
  expect(await countAfter({ address: '2001:db8:2::7' })).toBe(6)

  app.advance(90 * day)
  expect(await countAfter({})).toBe(6)
  app.advance(90 * day + 1)
  expect(await countAfter({})).toBe(7)
  expect(await app.deps.db.$count(accessLinks)).toBe(7)
})

test('logins from always different networks send at most twenty mails a day [SAFE-22]', async () => {
  const { app, logIn, mails } = await ownersSite()
  for (let n = 0; n < 30; n++) expect((await logIn({ address: `198.51.${n}.7` })).status).toBe(200)
  expect(mails()).toHaveLength(20)
  app.advance(day)
  expect((await logIn({ address: '192.0.2.9' })).status).toBe(200)
  expect(mails()).toHaveLength(21)
})

test('without a mail service no login mail is promised, and none goes out later [FIX-28]', async () => {
  const { app, deliver, logIn, mails } = await ownersSite()
  const { mail } = app.deps
  app.deps.mail = undefined
  expect((await logIn()).status).toBe(200)
  app.deps.mail = mail
  await deliver()
  expect(mails()).toEqual([])
  expect(app.sentMails).toEqual([])
})

test('tenants get no login mail, and a wrong password sends none [SAFE-22]', async () => {
  const { app, logIn, mails } = await ownersSite()
  const tenant = await signUp(app)
  expect((await logInAs(app, tenant.email, tenantPassword)).status).toBe(200)
  expect((await logIn({}, 'a wrong guess')).status).toBe(401)
  expect(mails()).toEqual([])
})

test('the mail shows time, browser and address, and only the mail has its link [SAFE-22]', async () => {
  const { app, deliver, logIn, mails } = await ownersSite()
  await logIn()
  await deliver()
  const [mail] = app.sentMails
  expect(mail).toMatchObject({ to: email, subject: expect.stringMatching(/^New login to your .+ account$/) })
  for (const words of [
    'Hello Olive',
    'Mar 4, 2026, 12:00',
    'Firefox on Windows',
    '203.0.113.7',
    'If this was not you',
  ])
    expect(mail?.text).toContain(words)
  expect(tokenIn(mail?.text)).not.toBe('')
  expect(mails()).toMatchObject([{ status: 'sent' }])
  expect(JSON.stringify(everyRow(app))).not.toContain(tokenIn(mail?.text))
})

test("'This was not me' ends all sessions, voids the password, and mails a link to set a new one [SAFE-22]", async () => {
  const { app, headersOf, logIn, mails } = await ownersSite()
  const thief = { userAgent: edge, address: '198.51.100.9' }
  const [own, stolen] = [(await logIn()).body.token, (await logIn(thief)).body.token]
  const [token = ''] = queuedTokens(app, ['new-login'])
  expect(mails().at(-1)?.props.address).toBe(thief.address)
  const before = everyRow(app)
  await app.http.inject({ method: 'GET', url: `/not-me?token=${token}` })
  expect((await call(app, 'GET', `/trpc/sessions.notMe?input=${JSON.stringify({ token })}`)).status).not.toBe(
    200,
  )
  expect(await notMe(app, 'x'.repeat(43))).toMatchObject(deadLink)
  expect(everyRow(app)).toEqual(before)

  expect(await notMe(app, token)).toMatchObject({
    status: 200,
    body: { message: 'All sessions have ended. We have sent you a link to set a new password.' },
  })
  for (const ended of [own, stolen])
    expect((await call(app, 'GET', '/api/auth/profile', { token: ended })).body).toMatchObject({
      error: 'Your session has ended.',
    })
  expect((await logIn(thief)).status).toBe(401)
  expect(await notMe(app, token)).toMatchObject(deadLink)
  expect(
    app.deps.db.select().from(events).where(eq(events.kind, 'account.login_disowned')).all(),
  ).toMatchObject([{ actorRole: 'guest', address: '127.0.0.1', detail: {} }])

  const body = { token: resetTokens(app, email)[0], newPassword: 'Another.tide.9' }
  expect(resetTokens(app, email)).toHaveLength(1)
  const resets = app.deps.db.select().from(outbox).where(eq(outbox.kind, 'password-reset')).all()
  expect(resets).toMatchObject([{ props: { isPasswordGone: true } }])
  expect((await call(app, 'POST', '/api/auth/reset-password', { body, headers: headersOf({}) })).status).toBe(
    200,
  )

  // This pair was mailed today, so there is neither a second mail nor a second link.
  const links = await app.deps.db.$count(accessLinks)
  expect((await logIn(thief, 'Another.tide.9')).status).toBe(200)
  expect(await app.deps.db.$count(accessLinks)).toBe(links)

  // Every browser and network counts as unrecognized again.
  app.advance(day)
  const count = mails().length
  const { token: fresh } = (await logIn({}, 'Another.tide.9')).body
  expect(await isSessionValid(app, fresh)).toBe(true)
  expect(mails()).toHaveLength(count + 1)
  await logIn({}, 'Another.tide.9')
  expect(mails()).toHaveLength(count + 1)
})

test('the link works once within seven days and for its own purpose [SAFE-22]', async () => {
  const { app, logIn } = await ownersSite()
  await logIn()
  const [old = ''] = queuedTokens(app, ['new-login'])
  app.advance(7 * day)
  expect(await notMe(app, old)).toMatchObject(deadLink)
  await logIn({ userAgent: edge })
  const [token = ''] = queuedTokens(app, ['new-login'])
  expect(
    (await call(app, 'POST', '/api/booking/invitation/accept', { body: { token, newPassword: password } }))
      .status,
  ).toBe(404)
  const answers = await Promise.all([notMe(app, token), notMe(app, token)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
  expect(resetTokens(app, email)).toHaveLength(1)
})

test('audits every kind of login with network and browser [SAFE-23]', async () => {
  const { app } = await ownersSite()
  const user = app.deps.db.select().from(users).get()
  if (!user) throw new Error('nobody')
  for (const origin of ['password', 'factor', 'invitation'] as const)
    await app.deps.write(tx =>
      beginSession(app.deps, tx, { ...visitor, requestOrigin: office }, user, origin),
    )
  const known = { actorRole: 'admin', actorId: user.id, ...office }
  const logins = app.deps.db.select().from(events).where(eq(events.kind, 'account.logged_in')).all()
  expect(logins).toMatchObject([known, known, known])
  expect(logins.map(({ subjectId }) => subjectId)).toEqual([user.id, user.id, user.id])
  // The sessions have the same data.
  expect(app.deps.db.select().from(sessions).all()).toMatchObject([office, office, office])
  // The events contain no session ids.
  for (const { id } of app.deps.db.select().from(sessions).all())
    expect(JSON.stringify(logins)).not.toContain(id)
})

test('logins and mails from a time when the clock was ahead do not keep later logins from being mailed [SAFE-22]', async () => {
  const { app, logIn, mails } = await ownersSite()
  await logIn()
  app.advance(365 * day)
  for (let network = 0; network < 22; network++) {
    await logIn({ address: `198.51.${network}.7`, userAgent: edge })
    app.advance(2 * day)
  }
  app.advance(-(365 + 44) * day)
  const before = mails().length
  await logIn({ address: '198.51.3.7', userAgent: edge })
  await logIn({ address: '192.0.2.9', userAgent: edge })
  expect(mails()).toHaveLength(before + 2)
})

test("'This was not me' from a time when the clock was ahead makes only earlier logins unrecognized [SAFE-22]", async () => {
  const { app, headersOf, logIn, mails } = await ownersSite()
  await logIn()
  app.advance(365 * day)
  await logIn({ userAgent: edge })
  const [token = ''] = queuedTokens(app, ['new-login'])
  expect((await notMe(app, token)).status).toBe(200)
  const newPassword = 'Another.tide.9'
  const body = { token: resetTokens(app, email)[0], newPassword }
  expect((await call(app, 'POST', '/api/auth/reset-password', { body, headers: headersOf({}) })).status).toBe(
    200,
  )
  app.advance(-364 * day)
  const count = mails().length
  await logIn({}, newPassword)
  expect(mails()).toHaveLength(count + 1)
  app.advance(day)
  await logIn({}, newPassword)
  expect(mails()).toHaveLength(count + 1)
})
