import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events } from '../../../db/schema.ts'
import { safetyMessages } from '../../domain/account-safety-messages.ts'
import { call, isAlive, logInAs } from '../../testing/build-account.ts'
import { codeOf, plainHash, plainPassword, plainPasswords, turnOn } from '../../testing/build-factor.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'

const quickApp = () => testApp({ replace: { passwords: plainPasswords } })

/** An account with two-step verification on, one step after its first code. */
async function makeProtected(app: TestApp, role: 'admin' | 'tenant' = 'admin') {
  const { actor, user } = await app.makeUser({ role, passwordHash: plainHash })
  const { recoveryCodes, secret } = await turnOn(app, actor)
  app.advance(30_000)
  return { actor, user, secret, recoveryCodes }
}

const kindsOf = ({ deps }: TestApp, userId: string) =>
  deps.db
    .select({ kind: events.kind })
    .from(events)
    .where(eq(events.subjectId, userId))
    .orderBy(events.id)
    .all()
    .map(({ kind }) => kind)

test('with a factor a right password opens the second step alone, and a code the session [SAFE-01, SAFE-06, SAFE-18]', async () => {
  const app = await quickApp()
  const { secret, user } = await makeProtected(app)
  const login = await logInAs(app, user.email, plainPassword)
  expect({ status: login.status, body: login.body }).toEqual({
    status: 200,
    body: { challenge: expect.stringMatching(/^[\w-]{43}$/), methods: ['totp', 'recovery'] },
  })
  const { challenge } = login.body
  expect(await isAlive(app, challenge)).toBe(false)
  expect((await call(app, 'GET', '/api/factor', { token: challenge })).status).toBe(401)

  const wrong = await call(app, 'POST', '/api/factor/challenge', { body: { challenge, code: '000000' } })
  expect({ status: wrong.status, body: wrong.body }).toMatchObject({
    status: 400,
    body: { error: safetyMessages.wrongCode, fields: { code: safetyMessages.wrongCode } },
  })
  const code = codeOf(app, secret)
  const passed = await call(app, 'POST', '/api/factor/challenge', { body: { challenge, code } })
  expect(passed.status).toBe(200)
  expect(passed.body).toMatchObject({ token: expect.any(String), user: { id: user.id } })
  const list = await call(app, 'GET', '/api/factor', { token: passed.body.token })
  expect(list.body).toMatchObject({ factors: [{ kind: 'totp' }], recoveryCodesLeft: 10 })
  // A login with a second step is a proof.
  const codes = await call(app, 'POST', '/api/factor/recovery-codes', { token: passed.body.token })
  expect(codes.status).toBe(200)

  const again = await call(app, 'POST', '/api/factor/challenge', { body: { challenge, code } })
  expect({ status: again.status, error: again.body.error }).toEqual({
    status: 401,
    error: safetyMessages.loginAgain,
  })
  expect(kindsOf(app, user.id)).toEqual([
    'account.step_up',
    'account.factor_added',
    'account.recovery_codes_made',
    'account.second_step_failed',
    'account.logged_in',
    'account.recovery_codes_made',
  ])
})
