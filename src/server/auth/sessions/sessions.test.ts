import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sessions, users } from '../../../../db/schema.ts'
import { AppError } from '../../../domain/common/errors.ts'
import {
  call,
  isSessionValid,
  logInAs,
  signUp,
  signUpAdmin,
  tenantPassword,
} from '../../../testing/build-account.ts'
import { quickPasswords, type TestApp, testApp, testOrigin } from '../../../testing/test-app.ts'
import { resolveSession, sweepSessions } from './sessions.ts'

const minute = 60_000
/** Ends when the writes before it are stored: the last use of a session is stored after the response. */
const pendingWrites = ({ deps }: TestApp) => deps.write(() => {})

test('a session ends after 30 minutes without a request [IDLE-15]', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  app.advance(30 * minute - 1)
  expect(await isSessionValid(app, token)).toBe(true)
  await pendingWrites(app)
  app.advance(30 * minute - 1)
  expect(await isSessionValid(app, token)).toBe(true)
  app.advance(30 * minute)
  expect(await isSessionValid(app, token)).toBe(false)
})

test('a session ends 24 hours after login even if it is in use [IDLE-15]', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  for (let quarter = 1; quarter < 4 * 24; quarter++) {
    app.advance(15 * minute)
    expect(await isSessionValid(app, token)).toBe(true)
    await pendingWrites(app)
  }
  app.advance(15 * minute)
  expect(await isSessionValid(app, token)).toBe(false)
})

test('a session that began while the clock was ahead ends when the clock is corrected [IDLE-15]', async () => {
  const app = await testApp()
  app.advance(365 * 24 * 60 * minute)
  const { token } = await signUp(app)
  app.advance(-minute)
  expect(await isSessionValid(app, token)).toBe(true)
  app.advance(-365 * 24 * 60 * minute)
  expect(await isSessionValid(app, token)).toBe(false)
})

test('a use or a login while the clock was hours ahead does not extend a session [IDLE-15]', async () => {
  const app = await testApp()
  const { token, email } = await signUp(app)
  const hours = 3 * 60 * minute
  for (let sixth = 0; sixth < 18; sixth++) {
    app.advance(10 * minute)
    await isSessionValid(app, token)
    await pendingWrites(app)
  }
  const later = (await logInAs(app, email, tenantPassword)).body.token
  app.advance(-hours + 10 * minute)
  expect(await isSessionValid(app, later)).toBe(false)
  app.advance(20 * minute)
  expect(await isSessionValid(app, token)).toBe(false)
})

test('a session that is used while the clock is ahead and afterwards stays valid [IDLE-15]', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  for (const step of [25, 25, 25, -65, 15, 15, 15, 15]) {
    app.advance(step * minute)
    expect(await isSessionValid(app, token)).toBe(true)
    await pendingWrites(app)
  }
})

test('the last use is written at most once a minute', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  const lastUse = () => app.deps.db.select().from(sessions).get()?.lastUsedAt
  const atLogin = lastUse()
  app.advance(minute - 1)
  await isSessionValid(app, token)
  expect(lastUse()).toBe(atLogin)
  app.advance(1)
  await isSessionValid(app, token)
  await pendingWrites(app)
  expect(lastUse()).toBe('2026-03-04T17:01:00.000Z')
})

test('validating an idle session waits for no other write, and leaves one write of its own [FIX-34]', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  app.advance(minute)
  let writes = 0
  const first = Promise.withResolvers<never>()
  const write = () => {
    writes++
    return first.promise
  }
  const deps = { ...app.deps, write }
  for (let n = 0; n < 3; n++) expect(await resolveSession(deps, token, testOrigin)).not.toBeUndefined()
  expect(writes).toBe(1)
  app.advance(29 * minute)
  expect(await resolveSession(deps, token, testOrigin)).toBeUndefined()
  first.reject(new AppError('unavailable', 'Nothing can be stored at the moment.'))
})

test('a session stays valid for reads while the database cannot be written', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  app.advance(2 * minute)
  const write = () => Promise.reject(new AppError('unavailable', 'Nothing can be stored at the moment.'))
  const session = await resolveSession({ ...app.deps, write }, token, testOrigin)
  expect(session?.actor.role).toBe('tenant')
})

test('the id of a session row is not a token', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  const row = app.deps.db.select().from(sessions).get()
  expect(row?.id).toMatch(/^[0-9a-f]{64}$/)
  expect(await isSessionValid(app, row?.id ?? '')).toBe(false)
  expect(await isSessionValid(app, token)).toBe(true)
})

test('accepts a token only in the Authorization header [REST-15]', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  for (const [url, headers] of [
    [`/api/auth/profile?token=${token}`, {}],
    [`/api/auth/profile?access_token=${token}&authorization=Bearer%20${token}`, {}],
    ['/api/auth/profile', { cookie: `token=${token}; auth_session=${token}` }],
    ['/api/auth/profile', { 'x-access-token': token }],
    ['/api/auth/profile', { authorization: token }],
    ['/api/auth/profile', { authorization: `Basic ${token}` }],
    [`/trpc/accounts.profile?token=${token}`, { cookie: `auth_session=${token}` }],
  ] as const) {
    expect((await call(app, 'GET', url, { headers })).status).toBe(401)
  }
  const input = encodeURIComponent(JSON.stringify({ token }))
  expect((await call(app, 'GET', `/trpc/accounts.profile?input=${input}`)).status).toBe(401)
  expect((await call(app, 'GET', '/trpc/accounts.profile', { token })).status).toBe(200)
})

test('a demoted admin is a tenant from the next request', async () => {
  const app = await testApp()
  const { token, user } = await signUpAdmin(app)
  expect((await call(app, 'GET', `/api/user/${user.id}`, { token })).status).toBe(200)
  await app.deps.write(tx => tx.update(users).set({ role: 'tenant' }).where(eq(users.id, user.id)).run())
  expect((await call(app, 'GET', `/api/user/${user.id}`, { token })).status).toBe(403)
})

test('rejects the token of a deleted user', async () => {
  const app = await testApp()
  const { token, user } = await signUp(app)
  await app.deps.write(tx => {
    tx.run('pragma defer_foreign_keys = on')
    tx.delete(users).where(eq(users.id, user.id)).run()
    expect(tx.select().from(sessions).all()).toHaveLength(1)
    tx.delete(sessions).run()
  })
  expect(await isSessionValid(app, token)).toBe(false)
  const actor = { role: 'tenant', userId: user.id, requestOrigin: testOrigin } as const
  await expect(app.as(actor).accounts.profile()).rejects.toThrow('Please log in to continue.')
  await expect(app.as(actor).accounts.updateProfile({ firstName: 'May' })).rejects.toThrow(
    'Please log in to continue.',
  )
})

test('a login gets no session if the password is changed while it is checked', async () => {
  let meanwhile = async () => {}
  const app = await testApp({
    replace: {
      passwords: {
        ...quickPasswords,
        verify: async (hash, password) => {
          const matches = await quickPasswords.verify(hash, password)
          await meanwhile()
          return matches
        },
      },
    },
  })
  const { email, user } = await signUp(app)
  meanwhile = async () => {
    await app.deps.write(tx => {
      tx.update(users).set({ passwordHash: 'changed' }).where(eq(users.id, user.id)).run()
      tx.delete(sessions).run()
    })
  }
  expect(await logInAs(app, email, tenantPassword)).toMatchObject({
    status: 401,
    body: { error: 'Invalid email or password' },
  })
  expect(await app.deps.db.$count(sessions)).toBe(0)
})

test('the sweep deletes only ended sessions', async () => {
  const app = await testApp()
  const { token, email } = await signUp(app)
  for (let i = 0; i < 47; i++) {
    app.advance(30 * minute - 1)
    await isSessionValid(app, token)
  }
  const idle = (await logInAs(app, email, tenantPassword)).body.token
  app.advance(20 * minute)
  const fresh = (await logInAs(app, email, tenantPassword)).body.token
  await isSessionValid(app, token)
  app.advance(11 * minute)
  await sweepSessions(app.deps)
  expect(await app.deps.db.$count(sessions)).toBe(1)
  expect(await isSessionValid(app, fresh)).toBe(true)
  expect(await isSessionValid(app, idle)).toBe(false)
})
