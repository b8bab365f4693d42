import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, sessions } from '../../../../db/schema.ts'
import {
  call,
  isSessionValid,
  logInAs,
  signUp,
  signUpAdmin,
  tenantPassword,
} from '../../../testing/build-account.ts'
import { everyRow } from '../../../testing/every-row.ts'
import { type TestApp, testApp, visitor } from '../../../testing/test-app.ts'
import { beginSession, sweepSessions } from '../sessions/sessions.ts'

const minute = 60_000
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
const ended = { error: 'Your session has ended.' }

/** An owner who logged in with Firefox at noon and with a phone five minutes later. */
async function twoDevices() {
  const app = await testApp()
  const owner = await signUpAdmin(app)
  await app.deps.write(tx => tx.delete(sessions).run())
  const logIn = async (userAgent: string): Promise<string> =>
    (await logInAs(app, owner.email, owner.password, { 'user-agent': userAgent })).body.token
  const laptop = await logIn(firefox)
  app.advance(5 * minute)
  return { app, laptop, hand: await logIn(phone), userId: owner.user.id }
}
const list = async (app: TestApp, token: string) =>
  (await call(app, 'GET', '/api/session', { token })).body.sessions
const idOf = async (app: TestApp, token: string): Promise<string> =>
  (await list(app, token)).find((one: { current: boolean }) => one.current).id
const end = (app: TestApp, token: string, id: string) => call(app, 'DELETE', `/api/session/${id}`, { token })
const endOthers = (app: TestApp, token: string) => call(app, 'POST', '/api/session/end-others', { token })
const endedEvents = (app: TestApp) =>
  app.deps.db.select().from(events).where(eq(events.kind, 'account.session_ended')).all()

test('lists only own sessions, with browser, address, first and last use, and marks the current one [SAFE-20]', async () => {
  const { app, laptop, hand } = await twoDevices()
  const stranger = await signUp(app)
  app.advance(2 * minute)
  const [first, second, ...more] = await list(app, laptop)
  expect(more).toEqual([])
  expect(first).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    browser: 'Firefox on Windows',
    address: '127.0.0.1',
    createdAt: '2026-03-04T17:00:00.000Z',
    lastUsedAt: '2026-03-04T17:07:00.000Z',
    current: true,
  })
  expect(second).toMatchObject({
    browser: 'Safari on iPhone',
    lastUsedAt: '2026-03-04T17:05:00.000Z',
    current: false,
  })
  expect((await list(app, hand)).map((one: { current: boolean }) => one.current)).toEqual([true, false])
  expect(await list(app, stranger.token)).toHaveLength(1)

  // The listed ids are neither tokens nor primary keys.
  const shown = JSON.stringify([first, second])
  for (const { id } of app.deps.db.select().from(sessions).all()) expect(shown).not.toContain(id)
  expect(await isSessionValid(app, first.id)).toBe(false)

  app.advance(20 * minute)
  expect(await list(app, laptop)).toHaveLength(2)
  // The use is stored after its response.
  await app.deps.write(() => {})
  app.advance(10 * minute)
  expect(await list(app, laptop)).toHaveLength(1)
})

test('rejects an ended session at once with the reason, even for cached responses [SAFE-21]', async () => {
  const { app, laptop, hand } = await twoDevices()
  const ask = (headers: Record<string, string>) =>
    app.http.inject({
      method: 'GET',
      url: '/api/application/status',
      headers: { authorization: `Bearer ${hand}`, ...headers },
    })
  const { headers } = await ask({})
  const known = { 'if-none-match': String(headers.etag) }
  expect((await ask(known)).statusCode).toBe(304)

  expect(await end(app, laptop, await idOf(app, hand))).toMatchObject({
    status: 200,
    body: { message: 'Logged out' },
  })
  const refused = await ask(known)
  expect([refused.statusCode, refused.json()]).toMatchObject([401, ended])
  expect(await call(app, 'GET', '/trpc/accounts.profile', { token: hand })).toMatchObject({
    status: 401,
    body: { error: { message: ended.error } },
  })
  expect(await call(app, 'GET', '/api/auth/verify', { token: hand })).toMatchObject({
    status: 401,
    body: { valid: false, ...ended },
  })
  expect(
    await call(app, 'GET', '/api/payment/admin/revenue.csv', { token: hand }).catch(() => 0),
  ).toMatchObject({
    status: 401,
    body: ended,
  })
  // Public paths still work with the ended session.
  expect((await call(app, 'GET', '/api/rates', { token: hand })).status).toBe(200)
  expect(await list(app, laptop)).toHaveLength(1)
  expect(endedEvents(app)).toMatchObject([{ actorRole: 'admin', address: '127.0.0.1', detail: { ended: 1 } }])

  // Also hours later, until the session would have expired anyway.
  app.advance(3 * 60 * minute)
  await sweepSessions(app.deps)
  expect((await call(app, 'GET', '/api/auth/profile', { token: hand })).body).toMatchObject(ended)
  expect((await call(app, 'GET', '/api/auth/profile', { token: laptop })).body.error).toBe(
    'Please log in to continue.',
  )
  app.advance(24 * 60 * minute)
  await sweepSessions(app.deps)
  expect(await app.deps.db.$count(sessions)).toBe(0)
})

test('a request that began before its session ended does not write after the end [SAFE-21]', async () => {
  const { app, laptop, hand } = await twoDevices()
  const id = await idOf(app, hand)
  const [, change] = await Promise.all([
    end(app, laptop, id),
    call(app, 'PUT', '/api/auth/profile', { token: hand, body: { firstName: 'Thief' } }),
  ])
  expect(change).toMatchObject({ status: 401, body: ended })
})

test('ending all other sessions keeps the current one and returns how many ended [SAFE-21]', async () => {
  const { app, laptop, hand, userId } = await twoDevices()
  const stranger = await signUp(app)
  expect(await endOthers(app, hand)).toMatchObject({ status: 200, body: { ended: 1 } })
  expect(await Promise.all([laptop, hand, stranger.token].map(token => isSessionValid(app, token)))).toEqual([
    false,
    true,
    true,
  ])
  expect((await call(app, 'GET', '/api/auth/profile', { token: laptop })).body).toMatchObject(ended)
  expect(await endOthers(app, hand)).toMatchObject({ status: 200, body: { ended: 0 } })
  expect(endedEvents(app)).toMatchObject([{ subjectId: userId, detail: { ended: 1 } }])
})

test('without a step-up a session can end only itself [SAFE-16]', async () => {
  const app = await testApp()
  const { email, token } = await signUp(app)
  const other = (await logInAs(app, email, tenantPassword)).body.token
  const [mine, theirs] = [await idOf(app, token), await idOf(app, other)]
  const before = everyRow(app)
  const refusal = {
    status: 403,
    body: { error: 'Please confirm that it is you.', stepUp: ['password'] },
  }
  expect(await end(app, token, theirs)).toMatchObject(refusal)
  expect(await endOthers(app, token)).toMatchObject(refusal)
  expect(everyRow(app)).toEqual(before)
  expect((await end(app, token, mine)).status).toBe(200)
  expect([await isSessionValid(app, token), await isSessionValid(app, other)]).toEqual([false, true])
})

test('a session of somebody else, an expired one and an unknown one cannot be ended [SAFE-20]', async () => {
  const { app, laptop, hand } = await twoDevices()
  const stranger = await signUp(app)
  const [theirs, over] = [await idOf(app, stranger.token), await idOf(app, hand)]
  expect((await end(app, laptop, over)).status).toBe(200)
  for (const id of [theirs, over, 'nothing'])
    expect(await end(app, laptop, id)).toMatchObject({
      status: 404,
      body: { error: 'This session has already ended.' },
    })
  expect((await end(app, stranger.token, await idOf(app, laptop))).status).toBe(404)
  expect(await isSessionValid(app, stranger.token)).toBe(true)
})

test('an account has at most fifty sessions: a login ends the one that was used longest ago [SAFE-20]', async () => {
  const { app, hand, laptop, userId } = await twoDevices()
  const user = { id: userId, role: 'admin' as const }
  const logIns = (count: number) =>
    app.deps.write(tx => {
      for (let n = 0; n < count; n++) beginSession(app.deps, tx, visitor, user, 'password')
    })
  app.advance(minute)
  await logIns(48)
  app.advance(minute)
  expect(await list(app, laptop)).toHaveLength(50)
  await app.deps.write(() => {})
  await logIns(1)
  expect(await isSessionValid(app, hand)).toBe(false)
  expect(await isSessionValid(app, laptop)).toBe(true)
  await logIns(100)
  expect(await app.deps.db.$count(sessions)).toBe(50)
})
