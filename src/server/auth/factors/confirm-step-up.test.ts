import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sessions } from '../../../../db/schema.ts'
import { safetyAnswers } from '../../../domain/accounts/account-safety-messages.ts'
import { call, isSessionValid, logInAs } from '../../../testing/build-account.ts'
import {
  challengeFor,
  codeOf,
  eventsOf,
  makeTwoStepUser,
  plainHash,
  plainPassword,
  withToken,
} from '../../../testing/build-factor.ts'
import { type TestApp, testApp, visitor } from '../../../testing/test-app.ts'
import { sha256 } from '../../lib/sha256.ts'

const minute = 60_000
const proofOf = ({ deps }: TestApp, token: string) =>
  deps.db
    .select()
    .from(sessions)
    .where(eq(sessions.id, sha256(token)))
    .get()
const later = ({ deps }: TestApp, ms: number) => new Date(deps.clock.now().getTime() + ms).toISOString()

test('without a factor the password is a step-up for ten minutes [SAFE-16, SAFE-19]', async () => {
  const app = await testApp()
  const { user } = await app.makeUser({ passwordHash: plainHash })
  const { token } = (await logInAs(app, user.email, plainPassword)).body
  expect(proofOf(app, token)).toMatchObject({ factorAt: null, stepUpAt: null })
  const wrong = await call(app, 'POST', '/api/factor/step-up', { token, body: { password: 'wrong' } })
  expect({ status: wrong.status, body: wrong.body }).toMatchObject({
    status: 400,
    body: { fields: { password: safetyAnswers.wrongPassword } },
  })
  const right = await call(app, 'POST', '/api/factor/step-up', { token, body: { password: plainPassword } })
  expect(right.body).toEqual({ until: later(app, 10 * minute) })
  expect(proofOf(app, token)).toMatchObject({ factorAt: null, stepUpAt: later(app, 0), stepUpTries: 0 })
  expect(eventsOf(app, user.id)).toEqual(['account.logged_in', 'account.step_up_failed', 'account.step_up'])
  // Codes prove nothing without a factor.
  const code = await call(app, 'POST', '/api/factor/step-up', { token, body: { code: '000000' } })
  expect(code.status).toBe(400)
})

test('with a factor each code or recovery code is a step-up once, and the password is not [SAFE-04, SAFE-08, SAFE-16]', async () => {
  const app = await testApp()
  const { actor, recoveryCodes, secret, user } = await makeTwoStepUser(app)
  const answer = app.as(visitor).factors.challenge
  const used = codeOf(app, secret)
  const { token } = await answer({ challenge: await challengeFor(app, user.email), code: used })
  app.advance(11 * minute)
  const { stepUp } = app.as(withToken(actor, token)).factors
  await expect(stepUp({ password: plainPassword })).rejects.toMatchObject({
    cause: { code: 'bad_request', stepUp: ['totp', 'recovery'] },
  })
  await expect(stepUp({ code: used })).rejects.toThrow(safetyAnswers.wrongCode)
  const code = codeOf(app, secret)
  expect(await stepUp({ code })).toEqual({ until: later(app, 10 * minute) })
  await expect(stepUp({ code })).rejects.toThrow(safetyAnswers.wrongCode)
  // A code that was used for a step-up is rejected at a login.
  await expect(answer({ challenge: await challengeFor(app, user.email), code })).rejects.toThrow(
    safetyAnswers.wrongCode,
  )
  const [recoveryCode = ''] = recoveryCodes
  expect(await stepUp({ recoveryCode })).toHaveProperty('until')
  await expect(stepUp({ recoveryCode })).rejects.toThrow(safetyAnswers.wrongRecoveryCode)
})

test('five wrong proofs end the session, also when sent simultaneously; a right one resets the count [SAFE-19]', async () => {
  const app = await testApp({ env: { RATE_LIMITS: 'off' } })
  const { actor, user } = await app.makeUser({ passwordHash: plainHash })
  const { token } = (await logInAs(app, user.email, plainPassword)).body
  const { stepUp } = app.as(withToken(actor, token)).factors
  for (let round = 0; round < 2; round++) {
    for (let tries = 0; tries < 4; tries++)
      await expect(stepUp({ password: 'wrong' })).rejects.toMatchObject({ cause: { code: 'bad_request' } })
    await stepUp({ password: plainPassword })
  }
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => stepUp({ password: 'wrong' })))
  const codes = answers.map(one => (one.status === 'rejected' ? one.reason.cause.code : 'fulfilled'))
  expect(codes.filter(code => code === 'bad_request')).toHaveLength(4)
  expect(codes.filter(code => code === 'unauthorized')).toHaveLength(16)
  await expect(stepUp({ password: plainPassword })).rejects.toMatchObject({ cause: { code: 'unauthorized' } })
  expect(await isSessionValid(app, token)).toBe(false)
  expect(eventsOf(app, user.id).filter(kind => kind === 'account.session_ended')).toHaveLength(1)
})

test('an unknown session has no step-up', async () => {
  const app = await testApp()
  const { actor } = await app.makeUser({ passwordHash: plainHash })
  const { stepUp } = app.as(withToken(actor, 'unknown')).factors
  await expect(stepUp({ password: plainPassword })).rejects.toMatchObject({ cause: { code: 'unauthorized' } })
})
