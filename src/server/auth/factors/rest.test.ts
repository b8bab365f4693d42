import { expect, test } from 'vitest'
import { addPasskey, createAuthenticator, passkeyResponse } from '../../../testing/authenticator.ts'
import { call, logInAs } from '../../../testing/build-account.ts'
import {
  challengeFor,
  codeOf,
  makeTwoStepUser,
  plainHash,
  plainPassword,
  plainPasswords,
} from '../../../testing/build-factor.ts'
import { type TestApp, testApp } from '../../../testing/test-app.ts'

const minute = 60_000
const replace = { passwords: plainPasswords }
const password = { password: plainPassword }

/** Calls over REST in one session. */
const sessionOf = (app: TestApp, token: string) => ({
  post: (path: string, body?: object) => call(app, 'POST', path, { token, body }),
  remove: (path: string) => call(app, 'DELETE', path, { token }),
})

const refusal = (status: number, error: string) => ({
  status,
  body: expect.objectContaining({ error, requestId: expect.any(String) }),
})

test('paths that need a session return the error statuses of the contract [SAFE-03, SAFE-17, SAFE-19]', async () => {
  const app = await testApp({ env: { RATE_LIMITS: 'off' }, replace })
  const { user } = await app.makeUser({ passwordHash: plainHash })
  const { token } = (await logInAs(app, user.email, plainPassword)).body
  const { post, remove } = sessionOf(app, token)
  const asks = (...stepUp: string[]) => ({
    status: 403,
    body: { error: 'Please confirm that it is you.', stepUp, requestId: expect.any(String) },
  })
  for (const path of [
    '/api/factor/recovery-codes',
    '/api/factor/passkey/options',
    '/api/session/end-others',
  ]) {
    const { body, status } = await post(path)
    expect({ status, body }, path).toEqual(asks('password'))
  }
  const credential = createAuthenticator().authenticate({ challenge: 'x', rpId: 'localhost' })
  expect(await post('/api/person/email', { newEmail: 'new@guest.example' })).toMatchObject(asks('password'))
  expect(await remove('/api/factor/none')).toMatchObject(asks('password'))
  expect(await post('/api/factor/step-up', { credential })).toMatchObject(
    refusal(400, 'That passkey could not be checked. Please try again.'),
  )
  expect(await post('/api/factor/step-up', {})).toMatchObject(refusal(400, 'Please confirm that it is you.'))

  const confirm = (code: string) => post('/api/factor/totp/confirm', { code })
  expect(await confirm('000000')).toMatchObject(refusal(409, 'Please start the setup first.'))
  await post('/api/factor/totp', password)
  app.advance(10 * minute)
  expect(await confirm('000000')).toMatchObject(refusal(410, 'This setup has expired. Please start again.'))
  await post('/api/factor/step-up', password)
  expect(await post('/api/factor/recovery-codes')).toMatchObject(
    refusal(409, 'Two-step verification is off.'),
  )
  expect((await remove('/api/factor/none')).status).toBe(404)
  expect((await remove('/api/session/none')).status).toBe(404)
  const { secret } = (await post('/api/factor/totp', password)).body
  expect((await confirm(codeOf(app, secret, 5))).status).toBe(400)
  expect((await confirm(codeOf(app, secret))).status).toBe(200)
  expect((await post('/api/factor/totp', password)).status).toBe(409)
})

test('public paths return the error statuses of the contract [SAFE-06, SAFE-07, SAFE-13]', async () => {
  const app = await testApp({ env: { RATE_LIMITS: 'off' }, replace })
  const { actor, user } = await app.makeUser({ passwordHash: plainHash })
  const device = createAuthenticator()
  await addPasskey(app, actor, device)
  const login = (body: object) => call(app, 'POST', '/api/factor/passkey/login', { body })
  expect((await login({ credential: 'none' })).status).toBe(400)
  const credential = createAuthenticator().authenticate({ challenge: 'x', rpId: 'localhost' })
  expect(await login({ credential })).toMatchObject(
    refusal(401, 'That passkey could not be checked. Please try again.'),
  )
  const signedIn = await login({ credential: await passkeyResponse(app, device) })
  expect(signedIn).toMatchObject({ status: 200, body: { token: expect.any(String), user: { id: user.id } } })
  for (const path of ['/api/session/not-me', '/api/person/email/confirm', '/api/person/email/undo'])
    expect(await call(app, 'POST', path, { body: { token: 'unknown' } }), path).toMatchObject(
      refusal(404, 'This link is invalid or has expired.'),
    )

  const answer = (body: object) => call(app, 'POST', '/api/factor/challenge', { body })
  expect(await answer({ challenge: 'unknown', code: '000000' })).toMatchObject(
    refusal(401, 'Please log in again.'),
  )
  // An account that has never logged in from this network.
  const { user: stranger } = await makeTwoStepUser(app)
  for (let wrong = 0; wrong < 20; wrong += 5) {
    const challenge = await challengeFor(app, stranger.email)
    for (let tries = 0; tries < 5; tries++)
      expect((await answer({ challenge, code: '000000' })).status).toBe(400)
  }
  const late = await answer({ challenge: await challengeFor(app, stranger.email), code: '000000' })
  expect(late.status).toBe(429)
  expect(late.headers['retry-after']).toBe('3600')
})
