import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { recoveryCodes, userFactors } from '../../../../db/schema.ts'
import { safetyAnswers, safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { call, isSessionValid, logInAs } from '../../../testing/build-account.ts'
import {
  challengeFor,
  codeOf,
  enableTwoStep,
  eventsOf,
  mailsOf,
  makeTwoStepUser,
  plainHash,
  plainPassword,
  readBase32,
  withToken,
} from '../../../testing/build-factor.ts'
import { quickPasswords, testApp, visitor } from '../../../testing/test-app.ts'

const minute = 60_000
const password = plainPassword

test('a setup shows the secret once, and takes effect with the first code, which is used [SAFE-03, SAFE-04, SAFE-10]', async () => {
  const app = await testApp()
  const { actor, user } = await app.makeUser({ role: 'admin', passwordHash: plainHash })
  const { factors } = app.as(actor)
  const { otpauthUrl, qrSvg, secret } = await factors.setUpTotp({ password })
  expect(readBase32(secret).byteLength).toBe(20)
  expect(new URL(otpauthUrl).searchParams.get('secret')).toBe(secret)
  expect(otpauthUrl).toContain(encodeURIComponent(user.email))
  expect(qrSvg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+">/)
  expect(await factors.list()).toEqual({ factors: [], recoveryCodesLeft: 0, mailboxProven: true })
  expect((await logInAs(app, user.email, password)).body).toHaveProperty('token')
  expect(mailsOf(app, 'factor-changed')).toEqual([])

  await expect(factors.confirmTotp({ code: codeOf(app, secret, 5) })).rejects.toThrow(safetyAnswers.wrongCode)
  const code = codeOf(app, secret)
  const { recoveryCodes } = await factors.confirmTotp({ code })
  expect(new Set(recoveryCodes).size).toBe(10)
  const list = await factors.list()
  expect(list).toMatchObject({
    factors: [{ kind: 'totp', label: 'Authenticator app' }],
    recoveryCodesLeft: 10,
  })
  const [mail] = mailsOf(app, 'factor-changed')
  expect(mail).toMatchObject({ toAddress: user.email, props: { change: 'totp-added', isOn: true } })
  const answer = app.as(visitor).factors.challenge
  await expect(answer({ challenge: await challengeFor(app, user.email), code })).rejects.toThrow(
    safetyAnswers.wrongCode,
  )
  // Neither a second setup nor a second confirmation is possible.
  await expect(factors.setUpTotp({ password })).rejects.toThrow(safetyAnswers.totpExists)
  await expect(factors.confirmTotp({ code })).rejects.toThrow(safetyAnswers.totpExists)
})

test('a setup expires after ten minutes, and a second setup replaces the first [SAFE-03]', async () => {
  const app = await testApp()
  const { actor } = await app.makeUser({ passwordHash: plainHash })
  const { factors } = app.as(actor)
  const first = await factors.setUpTotp({ password })
  const second = await factors.setUpTotp({ password })
  expect(await app.deps.db.$count(userFactors)).toBe(1)
  await expect(factors.confirmTotp({ code: codeOf(app, first.secret) })).rejects.toThrow(
    safetyAnswers.wrongCode,
  )
  app.advance(10 * minute)
  await expect(factors.confirmTotp({ code: codeOf(app, second.secret) })).rejects.toMatchObject({
    cause: { code: 'gone', message: safetyAnswers.setupExpired },
  })
  const { actor: other } = await app.makeUser()
  await expect(app.as(other).factors.confirmTotp({ code: '000000' })).rejects.toThrow(safetyAnswers.noSetup)
})

test('a setup that waited for its password begins nothing once another was confirmed [SAFE-03]', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  let isHeld = false
  const verify: typeof quickPasswords.verify = async (...asked) => {
    if (isHeld) await held
    return quickPasswords.verify(...asked)
  }
  const app = await testApp({ replace: { passwords: { ...quickPasswords, verify } } })
  const { actor } = await app.makeUser({ passwordHash: plainHash })
  const { factors } = app.as(actor)
  const { secret } = await factors.setUpTotp({ password })
  isHeld = true
  const late = factors.setUpTotp({ password })
  await factors.confirmTotp({ code: codeOf(app, secret) })
  release()
  await expect(late).rejects.toThrow(safetyAnswers.totpExists)
  expect(await app.deps.db.$count(userFactors)).toBe(1)
})

test('a setup requires the password; the fifth wrong one ends the session [SAFE-03, SAFE-19]', async () => {
  const app = await testApp()
  const { actor, user } = await app.makeUser({ passwordHash: plainHash })
  const { token } = (await logInAs(app, user.email, password)).body
  const { token: other } = (await logInAs(app, user.email, password)).body
  const { secret } = await app.as(withToken(actor, token)).factors.setUpTotp({ password })
  const code = codeOf(app, secret)
  // Another session of this person cannot confirm the setup with only the code.
  await expect(app.as(withToken(actor, other)).factors.confirmTotp({ code })).rejects.toMatchObject({
    cause: { code: 'forbidden', stepUp: ['password'] },
  })
  const before = app.deps.db.select().from(userFactors).all()
  const body = { password: 'wrong' }
  for (let tries = 0; tries < 4; tries++) {
    const refused = await call(app, 'POST', '/api/factor/totp', { token: other, body })
    expect({ status: refused.status, body: refused.body }).toMatchObject({
      status: 403,
      body: { error: safetyAnswers.wrongPassword, fields: { password: safetyAnswers.wrongPassword } },
    })
    expect(refused.body).not.toHaveProperty('stepUp')
  }
  const last = await call(app, 'POST', '/api/factor/totp', { token: other, body })
  expect({ status: last.status, error: last.body.error }).toEqual({
    status: 401,
    error: safetyAnswers.sessionEnded,
  })
  expect(await isSessionValid(app, other)).toBe(false)
  expect(app.deps.db.select().from(userFactors).all()).toEqual(before)
  expect(await app.as(withToken(actor, token)).factors.confirmTotp({ code })).toHaveProperty('recoveryCodes')
})

test('with a passkey both the setup and its confirmation also require a step-up [SAFE-03, SAFE-16]', async () => {
  const app = await testApp()
  const { actor, user } = await app.makeUser({ role: 'admin', passwordHash: plainHash })
  const { token } = (await logInAs(app, user.email, password)).body
  const thief = app.as(withToken(actor, token)).factors
  const { secret } = await thief.setUpTotp({ password })
  const at = app.deps.clock.now().toISOString()
  await app.deps.write(tx =>
    tx
      .insert(userFactors)
      .values({
        id: 'key',
        userId: user.id,
        kind: 'passkey',
        label: 'Phone',
        rpId: 'localhost',
        createdAt: at,
        confirmedAt: at,
      })
      .run(),
  )
  const asks = { cause: { code: 'forbidden', stepUp: ['passkey'] } }
  await expect(thief.confirmTotp({ code: codeOf(app, secret) })).rejects.toMatchObject(asks)
  await expect(thief.setUpTotp({ password })).rejects.toMatchObject(asks)
  const owner = app.as(actor).factors
  const begun = await owner.setUpTotp({ password })
  expect(await owner.confirmTotp({ code: codeOf(app, begun.secret) })).toHaveProperty('recoveryCodes')
})

test('codes follow the real clock when the site’s clock is shifted [SAFE-04]', async () => {
  const app = await testApp({ env: { CLOCK_OFFSET: '+3d' } })
  const { actor } = await app.makeUser({ passwordHash: plainHash })
  const { secret } = await enableTwoStep(app, actor)
  app.advance(30_000)
  const { token } = await app.as(visitor).factors.challenge({
    challenge: await challengeFor(app, (await app.as(actor).accounts.profile()).user.email),
    code: codeOf(app, secret),
  })
  expect(token).toMatch(/^[\w-]{43}$/)
})

test('a removed factor is no longer required, and removing the last one deletes the recovery codes [SAFE-10, SAFE-08]', async () => {
  const app = await testApp()
  const { actor, secret, user } = await makeTwoStepUser(app, 'tenant')
  const { actor: stranger } = await app.makeUser()
  const { body } = await logInAs(app, user.email, password)
  const { token } = await app
    .as(visitor)
    .factors.challenge({ challenge: body.challenge, code: codeOf(app, secret) })
  const { factors } = app.as(withToken(actor, token))
  const [{ id } = { id: '' }] = (await factors.list()).factors
  app.advance(10 * minute)
  const asks = { cause: { code: 'forbidden', message: safetyMessages.stepUp, stepUp: ['totp', 'recovery'] } }
  await expect(factors.remove({ id })).rejects.toMatchObject(asks)
  await expect(factors.newRecoveryCodes()).rejects.toMatchObject(asks)
  expect(await factors.list()).toMatchObject({ factors: [{ id }], recoveryCodesLeft: 10 })
  await expect(app.as(stranger).factors.remove({ id })).rejects.toThrow(safetyAnswers.factorNotFound)
  await expect(app.as(stranger).factors.newRecoveryCodes()).rejects.toThrow(safetyAnswers.noFactor)

  await factors.stepUp({ code: codeOf(app, secret) })
  await factors.newRecoveryCodes()
  expect(await factors.remove({ id })).toEqual({ message: safetyAnswers.factorRemoved })
  await expect(factors.remove({ id })).rejects.toThrow(safetyAnswers.factorNotFound)
  expect(await factors.list()).toEqual({ factors: [], recoveryCodesLeft: 0, mailboxProven: true })
  expect((await logInAs(app, user.email, password)).body).toHaveProperty('token')
  expect(mailsOf(app, 'factor-changed').map(({ props }) => [props.change, props.isOn])).toEqual([
    ['totp-added', true],
    ['recovery-codes', true],
    ['totp-removed', false],
  ])
  expect(eventsOf(app, user.id)).toContain('account.factor_removed')
  expect(await app.deps.db.$count(userFactors, eq(userFactors.userId, user.id))).toBe(0)
  // Otherwise they would work again with a passkey that is added later.
  expect(await app.deps.db.$count(recoveryCodes)).toBe(0)
})
