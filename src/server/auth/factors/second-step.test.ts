import { eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, loginChallenges, recoveryCodes, sessions, userFactors } from '../../../../db/schema.ts'
import { safetyAnswers, safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { call, isSessionValid, logInAs, resetTokens } from '../../../testing/build-account.ts'
import {
  challengeFor,
  codeOf,
  eventsOf,
  guestFrom,
  mailsOf,
  makeTwoStepUser,
  plainHash,
  plainPassword,
} from '../../../testing/build-factor.ts'
import { testApp, visitor } from '../../../testing/test-app.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { cachedUntilWrite } from '../../kernel/cached-until-write.ts'
import { nowIso } from '../../kernel/deps.ts'
import { sha256 } from '../../lib/sha256.ts'
import { sweepFactors } from './challenges.ts'

const minute = 60_000
const wrong = { code: 'bad_request', message: safetyAnswers.wrongCode }
const over = { code: 'unauthorized', message: safetyMessages.loginAgain }
const refusal = (expected: { code: string; message: string }) => ({
  cause: expect.objectContaining(expected),
})

test('with a factor the right password leads to the second step, and a code starts the session [SAFE-06, SAFE-18, SAFE-23]', async () => {
  const app = await testApp()
  const { secret, user } = await makeTwoStepUser(app)
  const login = await logInAs(app, user.email, plainPassword)
  expect({ status: login.status, body: login.body }).toEqual({
    status: 200,
    body: { challenge: expect.stringMatching(/^[\w-]{43}$/), methods: ['totp', 'recovery'] },
  })
  const { challenge } = login.body
  expect(await isSessionValid(app, challenge)).toBe(false)
  expect((await call(app, 'GET', '/api/factor', { token: challenge })).status).toBe(401)

  const refused = await call(app, 'POST', '/api/factor/challenge', { body: { challenge, code: '000000' } })
  expect({ status: refused.status, body: refused.body }).toMatchObject({
    status: 400,
    body: { error: safetyAnswers.wrongCode, fields: { code: safetyAnswers.wrongCode } },
  })
  const code = codeOf(app, secret)
  const passed = await call(app, 'POST', '/api/factor/challenge', { body: { challenge, code } })
  expect(passed.status).toBe(200)
  expect(passed.body).toMatchObject({ token: expect.any(String), user: { id: user.id } })
  const { token } = passed.body
  const list = await call(app, 'GET', '/api/factor', { token })
  expect(list.body).toMatchObject({ factors: [{ kind: 'totp' }], recoveryCodesLeft: 10 })
  expect((await call(app, 'POST', '/api/factor/recovery-codes', { token })).status).toBe(200)

  const again = await call(app, 'POST', '/api/factor/challenge', { body: { challenge, code } })
  expect({ status: again.status, error: again.body.error }).toEqual({ status: 401, error: over.message })
  expect(eventsOf(app, user.id)).toEqual([
    'account.step_up',
    'account.factor_added',
    'account.recovery_codes_made',
    'account.second_step_failed',
    'account.logged_in',
    'account.recovery_codes_made',
  ])
  const failed = app.deps.db.select().from(events).where(eq(events.kind, 'account.second_step_failed')).get()
  expect(failed).toMatchObject({ address: '127.0.0.1', userAgent: 'lightMyRequest', actorRole: 'guest' })
})

test('without a factor a login starts the session directly, and stores only the session [SAFE-01, SAFE-02]', async () => {
  const app = await testApp()
  const { user } = await app.makeUser({ role: 'admin', passwordHash: plainHash })
  const { body } = await logInAs(app, user.email, plainPassword)
  expect(Object.keys(body)).toEqual(['token', 'user'])
  expect(await app.deps.db.$count(loginChallenges)).toBe(0)
  const list = await call(app, 'GET', '/api/factor', { token: body.token })
  expect(list.body).toEqual({ factors: [], recoveryCodesLeft: 0, mailboxProven: true })
})

test('a challenge accepts five attempts within five minutes, and an unknown challenge is rejected [SAFE-06]', async () => {
  const app = await testApp()
  const { secret, user } = await makeTwoStepUser(app)
  const { challenge: answer } = app.as(visitor).factors
  const challenge = await challengeFor(app, user.email)
  for (let tries = 0; tries < 5; tries++)
    await expect(answer({ challenge, code: '000000' })).rejects.toMatchObject(refusal(wrong))
  await expect(answer({ challenge, code: codeOf(app, secret) })).rejects.toMatchObject(refusal(over))

  const late = await challengeFor(app, user.email)
  app.advance(5 * minute)
  await expect(answer({ challenge: late, code: codeOf(app, secret) })).rejects.toMatchObject(refusal(over))

  const open = await challengeFor(app, user.email)
  await expect(answer({ challenge: 'x'.repeat(43), code: codeOf(app, secret) })).rejects.toMatchObject(
    refusal(over),
  )
  const [row] = app.deps.db
    .select()
    .from(loginChallenges)
    .where(eq(loginChallenges.id, sha256(open)))
    .all()
  await expect(answer({ challenge: row?.id ?? '', code: codeOf(app, secret) })).rejects.toMatchObject(
    refusal(over),
  )
  // The challenge of a passkey cannot be used as a second step.
  await app.deps.write(tx => tx.update(loginChallenges).set({ kind: 'passkey_setup' }).run())
  await expect(answer({ challenge: open, code: codeOf(app, secret) })).rejects.toMatchObject(refusal(over))
})

test('rejects the code of another account [SAFE-04, SAFE-06]', async () => {
  const app = await testApp()
  const maya = await makeTwoStepUser(app)
  const olive = await makeTwoStepUser(app)
  const challenge = await challengeFor(app, maya.user.email)
  const answer = app.as(visitor).factors.challenge
  await expect(answer({ challenge, code: codeOf(app, olive.secret) })).rejects.toMatchObject(refusal(wrong))
  const [recoveryCode = ''] = olive.recoveryCodes
  await expect(answer({ challenge, recoveryCode })).rejects.toMatchObject(
    refusal({ code: 'bad_request', message: safetyAnswers.wrongRecoveryCode }),
  )
  expect((await answer({ challenge, code: codeOf(app, maya.secret) })).user.id).toBe(maya.user.id)
})

test('the same code or recovery code sent by 50 simultaneous logins creates one session [SAFE-05, SAFE-08]', async () => {
  const app = await testApp({ env: { RATE_LIMITS: 'off' } })
  const { recoveryCodes: codes, secret, user } = await makeTwoStepUser(app)
  const answer = app.as(visitor).factors.challenge
  // Logs in first, so that the network is known: wrong codes lock out unknown networks.
  await answer({ challenge: await challengeFor(app, user.email), code: codeOf(app, secret) })
  app.advance(30_000)
  const before = await app.deps.db.$count(sessions)
  const [recoveryCode = ''] = codes
  for (const proof of [{ code: codeOf(app, secret) }, { recoveryCode }]) {
    const challenges = await Promise.all(Array.from({ length: 50 }, () => challengeFor(app, user.email)))
    const answers = await Promise.allSettled(challenges.map(challenge => answer({ challenge, ...proof })))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refusals = answers.flatMap(one => (one.status === 'rejected' ? [one.reason.cause.code] : []))
    expect(new Set(refusals)).toEqual(new Set(['bad_request']))
  }
  expect(await app.deps.db.$count(sessions)).toBe(before + 2)
})

test('an unknown challenge commits nothing, because a commit empties every cache', async () => {
  const app = await testApp()
  let computed = 0
  const cached = () => cachedUntilWrite(app.deps, 'count', () => (computed += 1))
  cached()
  const unknown = { challenge: 'a'.repeat(43), code: '000000' }
  await expect(app.as(visitor).factors.challenge(unknown)).rejects.toMatchObject(refusal(over))
  expect(cached()).toBe(1)
})

test('twenty wrong codes in an hour lock the second step for unknown networks, but neither the password nor known networks, and are told [SAFE-07]', async () => {
  const app = await testApp({ env: { RATE_LIMITS: 'off' } })
  const { secret, user } = await makeTwoStepUser(app)
  const home = guestFrom('192.0.2.10')
  await app.as(home).factors.challenge({
    challenge: await challengeFor(app, user.email, { guest: home }),
    code: codeOf(app, secret),
  })
  for (let login = 0; login < 4; login++) {
    const thief = guestFrom(`198.51.100.${login}`)
    const challenge = await challengeFor(app, user.email, { guest: thief })
    for (let tries = 0; tries < 5; tries++)
      await expect(app.as(thief).factors.challenge({ challenge, code: '000000' })).rejects.toThrow()
  }
  expect(mailsOf(app, 'wrong-codes').map(({ toAddress }) => toAddress)).toEqual([user.email])
  app.advance(20 * minute)
  const stranger = guestFrom('198.51.100.77')
  const challenge = await challengeFor(app, user.email, { guest: stranger })
  const code = codeOf(app, secret)
  await expect(app.as(stranger).factors.challenge({ challenge, code })).rejects.toMatchObject({
    cause: { code: 'too_many', message: safetyAnswers.tooManyCodes, retryAfterSeconds: 40 * 60 },
  })
  const atHome = await challengeFor(app, user.email, { guest: home })
  expect(await app.as(home).factors.challenge({ challenge: atHome, code })).toHaveProperty('token')
  app.advance(40 * minute)
  const later = await challengeFor(app, user.email, { guest: stranger })
  const next = { challenge: later, code: codeOf(app, secret) }
  expect(await app.as(stranger).factors.challenge(next)).toHaveProperty('token')
})

test('a new password ends the wait of 200 wrong codes, also after one while the clock was ahead [SAFE-07]', async () => {
  const app = await testApp({ env: { RATE_LIMITS: 'off' } })
  const { secret, user } = await makeTwoStepUser(app)
  const wrong = (at: Date) =>
    app.deps.write(tx => recordEvent(tx, at.toISOString(), visitor, 'account.second_step_failed', user.id))
  const now = app.deps.clock.now().getTime()
  await wrong(new Date(now + 365 * 24 * 60 * minute))
  for (let code = 0; code < 200; code++) await wrong(new Date(now - (2 + code) * 60 * minute))
  const login = async () => {
    const challenge = await challengeFor(app, user.email)
    return app.as(visitor).factors.challenge({ challenge, code: codeOf(app, secret) })
  }
  await expect(login()).rejects.toMatchObject({ cause: { message: safetyAnswers.newPasswordFirst } })
  await app.deps.write(tx => recordEvent(tx, nowIso(app.deps), visitor, 'account.password_changed', user.id))
  expect(await login()).toHaveProperty('token')
})

test('a recovery code works once, in any spelling, and mails how many are left [SAFE-08, SAFE-23]', async () => {
  const app = await testApp()
  const { actor, recoveryCodes: codes, user } = await makeTwoStepUser(app)
  const [first = '', second = ''] = codes
  expect(codes).toHaveLength(10)
  const answer = app.as(visitor).factors.challenge
  const typed = ` ${first.toLowerCase().replaceAll('-', ' ')} `
  await answer({ challenge: await challengeFor(app, user.email), recoveryCode: typed })
  const [mail] = mailsOf(app, 'recovery-code-used')
  expect(mail).toMatchObject({ toAddress: user.email, props: { left: 9, address: '203.0.113.7' } })
  expect(JSON.stringify([mail, eventsOf(app, user.id)])).not.toContain(first)
  const challenge = await challengeFor(app, user.email)
  await expect(answer({ challenge, recoveryCode: first })).rejects.toThrow(safetyAnswers.wrongRecoveryCode)

  const { recoveryCodes: fresh } = await app.as(actor).factors.newRecoveryCodes()
  expect(await app.as(actor).factors.list()).toMatchObject({ recoveryCodesLeft: 10 })
  await expect(answer({ challenge, recoveryCode: second })).rejects.toThrow(safetyAnswers.wrongRecoveryCode)
  const [newOne = ''] = fresh
  expect(await answer({ challenge, recoveryCode: newOne })).toHaveProperty('token')
  expect(eventsOf(app, user.id)).toContain('account.recovery_code_used')
})

test('a password reset removes no factor, logs nobody in and ends a login that waits for its code [SAFE-09]', async () => {
  const app = await testApp()
  const { secret, user } = await makeTwoStepUser(app, 'tenant')
  const waiting = await challengeFor(app, user.email)
  await app.as(visitor).accounts.forgotPassword({ email: user.email })
  const [token = ''] = resetTokens(app, user.email)
  const answer = await app.as(visitor).accounts.resetPassword({ token, newPassword: 'brand new tides' })
  expect(Object.keys(answer)).toEqual(['message', 'before'])
  expect(await app.deps.db.$count(sessions)).toBe(0)
  const { challenge } = app.as(visitor).factors
  await expect(challenge({ challenge: waiting, code: codeOf(app, secret) })).rejects.toMatchObject(
    refusal(over),
  )
  const login = await app.as(visitor).accounts.login({ email: user.email, password: 'brand new tides' })
  expect(login).toMatchObject({ challenge: expect.any(String), methods: ['totp', 'recovery'] })
  expect(await app.deps.db.$count(recoveryCodes, isNull(recoveryCodes.usedAt))).toBe(10)
})

test('the sweep deletes only expired challenges and setups', async () => {
  const app = await testApp()
  const { actor: maya, user } = await app.makeUser({ passwordHash: plainHash })
  const { actor: ben } = await app.makeUser({ passwordHash: plainHash })
  const olive = await makeTwoStepUser(app)
  await challengeFor(app, olive.user.email)
  await app.as(maya).factors.setUpTotp({ password: plainPassword })
  app.advance(5 * minute)
  await challengeFor(app, olive.user.email)
  await app.as(ben).factors.setUpTotp({ password: plainPassword })
  app.advance(5 * minute - 1)
  await sweepFactors(app.deps)
  expect([await app.deps.db.$count(loginChallenges), await app.deps.db.$count(userFactors)]).toEqual([1, 3])
  app.advance(1)
  await sweepFactors(app.deps)
  expect([await app.deps.db.$count(loginChallenges), await app.deps.db.$count(userFactors)]).toEqual([0, 2])
  expect(await app.deps.db.$count(userFactors, eq(userFactors.userId, user.id))).toBe(0)
})
