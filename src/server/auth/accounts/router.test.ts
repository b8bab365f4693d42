import { expect, test } from 'vitest'
import { users } from '../../../../db/schema.ts'
import {
  call,
  isSessionValid,
  logInAs,
  recordingPasswords,
  signUp,
  signUpAdmin,
  tenantPassword,
} from '../../../testing/build-account.ts'
import { testApp } from '../../../testing/test-app.ts'

const refusedLogin = { error: 'Invalid email or password', requestId: expect.any(String) }

test('registration creates a tenant and returns a token; the email of a login is case-insensitive [LOGIN-13, REST-06, REST-07]', async () => {
  const app = await testApp()
  const { token, user } = await signUp(app, { firstName: ' Maya ', email: ' Maya@Guest.Example ' })
  expect(user).toEqual({
    _id: user.id,
    id: expect.any(String),
    firstName: 'Maya',
    lastName: 'Rivers',
    email: 'Maya@Guest.Example',
    phone: '',
    role: 'tenant',
    createdAt: '2026-03-04T17:00:00.000Z',
  })
  expect(token).toMatch(/^[\w-]{43}$/)
  const login = await logInAs(app, '  mAYA@guest.example ', tenantPassword)
  expect(login).toMatchObject({ status: 200, body: { token: expect.any(String), user } })
  expect(await isSessionValid(app, token)).toBe(true)
})

test('ignores role, status and userId in a request body', async () => {
  const app = await testApp()
  const forged = { role: 'admin', status: 'approved', userId: 'x', id: 'x', _id: 'x', passwordHash: 'x' }
  const { token, user } = await signUp(app, forged)
  expect(user).toMatchObject({ role: 'tenant' })
  expect(user.id).not.toBe('x')
  const updated = await call(app, 'PUT', '/api/auth/profile', {
    token,
    body: { ...forged, email: 'other@guest.example', phone: '850-555-0142' },
  })
  expect(updated.body).toEqual({ user: { ...user, phone: '850-555-0142' } })
  expect((await logInAs(app, user.email, tenantPassword)).status).toBe(200)
  expect((await call(app, 'GET', `/api/user/${user.id}`, { token })).status).toBe(403)
})

test('an email has one account regardless of case, also with two simultaneous registrations [REG-13]', async () => {
  const app = await testApp()
  const form = { firstName: 'Maya', lastName: 'Rivers', password: tenantPassword }
  const answers = await Promise.all(
    ['maya@guest.example', 'MAYA@guest.example'].map(email =>
      call(app, 'POST', '/api/auth/register', { body: { ...form, email } }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  const sentence = 'An account with this email already exists. Please log in.'
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    error: sentence,
    fields: { email: sentence },
  })
  expect(await app.deps.db.$count(users)).toBe(1)
})

test('a rejected form returns the first message and all messages by field [REST-01, REST-02]', async () => {
  const app = await testApp()
  const answer = await call(app, 'POST', '/api/auth/register', { body: { email: 'maya@' } })
  expect(answer).toMatchObject({
    status: 400,
    body: {
      error: 'First name is required',
      fields: {
        firstName: 'First name is required',
        lastName: 'Last name is required',
        email: 'Please enter a valid email address',
        password: 'Password is required',
      },
    },
  })
  expect((await call(app, 'POST', '/api/auth/login')).body).toMatchObject({ error: 'Email is required' })
  expect(await app.deps.db.$count(users)).toBe(0)
})

test('an unknown email and a wrong password cause the same work and get the same response', async () => {
  const { passwords, calls } = recordingPasswords()
  const app = await testApp({ replace: { passwords } })
  const { email } = await signUp(app)
  calls.length = 0
  const wrong = await logInAs(app, email, 'not the password')
  const callsForKnown = calls.splice(0)
  const unknown = await logInAs(app, 'nobody@guest.example', tenantPassword)
  expect(wrong).toMatchObject({ status: 401, body: refusedLogin })
  expect(unknown).toMatchObject({ status: 401, body: refusedLogin })
  expect(callsForKnown).toEqual(['verify'])
  expect(calls).toEqual(callsForKnown)
})

test('a huge password never reaches the hash', async () => {
  const { passwords, calls } = recordingPasswords()
  const app = await testApp({ replace: { passwords } })
  const { token, email } = await signUp(app)
  const admin = await signUpAdmin(app)
  calls.length = 0
  for (const [length, status] of [
    [201, 400],
    [1_000_000, 413],
  ] as const) {
    const huge = `Aa1!${'x'.repeat(length - 4)}`
    const form = { firstName: 'Maya', lastName: 'Rivers', email: 'other@guest.example', password: huge }
    const change = { currentPassword: huge, newPassword: huge, confirmPassword: huge }
    const answers = [
      await logInAs(app, email, huge),
      await call(app, 'POST', '/api/auth/register', { body: form }),
      await call(app, 'PUT', '/api/auth/change-password', { token, body: change }),
      await call(app, 'POST', '/api/auth/admin/change-password', { token: admin.token, body: change }),
      await call(app, 'POST', '/api/auth/reset-password', { body: { token: 'x', newPassword: huge } }),
    ]
    expect(answers.map(answer => answer.status)).toEqual(Array(5).fill(status))
  }
  expect(calls).toEqual([])
})

test('verify returns the user of a valid token, and valid: false for any other [REST-05]', async () => {
  const app = await testApp()
  const { token, user } = await signUp(app)
  expect((await call(app, 'GET', '/api/auth/verify', { token })).body).toEqual({ valid: true, user })
  for (const wrong of [undefined, 'x'.repeat(43)]) {
    expect(await call(app, 'GET', '/api/auth/verify', { token: wrong })).toMatchObject({
      status: 401,
      body: { valid: false, error: 'Please log in to continue.' },
    })
  }
})

test('logout ends the session and returns 200 to everybody', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  const other = (await logInAs(app, 'maya@guest.example', tenantPassword)).body.token
  for (const who of [token, token, undefined, 'x'.repeat(43)]) {
    expect(await call(app, 'POST', '/api/auth/logout', { token: who })).toMatchObject({
      status: 200,
      body: { message: 'Logged out successfully' },
    })
  }
  expect(await isSessionValid(app, token)).toBe(false)
  expect(await isSessionValid(app, other)).toBe(true)
})

test('accepts a request without a body that declares JSON', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  const headers = { 'content-type': 'application/json' }
  expect((await call(app, 'POST', '/api/auth/logout', { token, headers })).status).toBe(200)
  expect(await isSessionValid(app, token)).toBe(false)
})

test('updates the given profile fields, and nothing if one is invalid', async () => {
  const app = await testApp()
  const { token, user } = await signUp(app)
  const put = (body: object) => call(app, 'PUT', '/api/auth/profile', { token, body })
  expect((await put({ firstName: 'May', phone: '+1 (850) 555-0142' })).body.user).toEqual({
    ...user,
    firstName: 'May',
    phone: '+1 (850) 555-0142',
  })
  expect((await put({ phone: '' })).body.user).toMatchObject({ firstName: 'May', phone: '' })
  expect(await put({ firstName: ' ', phone: '0123' })).toMatchObject({
    status: 400,
    body: { fields: { firstName: 'First name is required', phone: 'Please enter a valid phone number' } },
  })
  expect((await call(app, 'GET', '/api/auth/profile', { token })).body.user).toMatchObject({
    firstName: 'May',
  })
})

test('an admin can read any account, without its hash [REST-07]', async () => {
  const app = await testApp()
  const tenant = await signUp(app)
  const { token } = await signUpAdmin(app)
  const read = (by: string | undefined, id: string) => call(app, 'GET', `/api/user/${id}`, { token: by })
  expect(await read(token, tenant.user.id)).toMatchObject({ status: 200, body: { user: tenant.user } })
  expect(Object.keys((await read(token, tenant.user.id)).body.user).sort()).toEqual(
    ['_id', 'createdAt', 'email', 'firstName', 'id', 'lastName', 'phone', 'role'].sort(),
  )
  expect(await read(token, 'nobody')).toMatchObject({ status: 404, body: { error: 'User not found' } })
})

test('an unexpected error returns only a request id [REST-04]', async () => {
  const verify = () => Promise.reject(new Error('SQLITE_ERROR: select secret from users'))
  const hash = async () => 'x'
  const app = await testApp({ replace: { passwords: { hash, verify } } })
  const answer = await logInAs(app, 'maya@guest.example', tenantPassword)
  expect(answer.status).toBe(500)
  expect(answer.body).toEqual({
    error: 'Something went wrong. Please try again.',
    requestId: answer.headers['x-request-id'],
  })
  const body = { email: 'maya@guest.example', password: tenantPassword }
  const overTrpc = await call(app, 'POST', '/trpc/accounts.login', { body })
  expect(overTrpc.status).toBe(500)
  expect(JSON.stringify(overTrpc.body)).not.toMatch(/SQLITE|stack|secret/)
})
