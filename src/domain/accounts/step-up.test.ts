import { expect, test } from 'vitest'
import {
  afterPassword,
  enrollmentState,
  type Factor,
  type FactorStatus,
  keepsRecoveryCodes,
  usableSteps,
} from './factor.ts'
import {
  afterWrongStepUp,
  missingStepUp,
  proofOfLogin,
  type SessionProof,
  stepUpUntil,
  withProof,
} from './step-up.ts'

const start = '2026-03-04T17:00:00.000Z'
const minutes = (count: number, moreMs = 0) =>
  new Date(Date.parse(start) + count * 60_000 + moreMs).toISOString()
const factor = (kind: Factor['kind'], more: Partial<Factor> = {}): Factor => ({
  kind,
  confirmedAt: start,
  isUsable: true,
  ...more,
})
const none: FactorStatus = { factors: [], recoveryCodesLeft: 0 }
const totp: FactorStatus = { factors: [factor('totp')], recoveryCodesLeft: 10 }
const nothing: SessionProof = { factorAt: null, stepUpAt: null }

test('without a confirmed factor the password is enough, even during a setup [SAFE-01, SAFE-03]', () => {
  const pending = { factors: [factor('totp', { confirmedAt: null })], recoveryCodesLeft: 0 }
  for (const factorStatus of [none, pending]) {
    expect(afterPassword(factorStatus)).toEqual({ session: true })
    expect(missingStepUp(factorStatus, nothing, start)).toEqual(['password'])
  }
})

test('with a confirmed factor the password is not enough, even if no factor is usable [SAFE-06, SAFE-09]', () => {
  expect(afterPassword(totp)).toEqual({ session: false, methods: ['totp', 'recovery'] })
  const lost = { factors: [factor('totp', { isUsable: false })], recoveryCodesLeft: 0 }
  expect(afterPassword(lost)).toEqual({ session: false, methods: [] })
  expect(withProof(lost, nothing, { method: 'password', at: start })).toBeUndefined()
  expect(usableSteps({ factors: [factor('passkey'), factor('totp')], recoveryCodesLeft: 0 })).toEqual([
    'totp',
    'passkey',
  ])
  expect(keepsRecoveryCodes(totp)).toBe(true)
  expect(keepsRecoveryCodes({ ...totp, factors: [] })).toBe(false)
})

test('a setup is open for ten minutes and until it is confirmed [SAFE-03]', () => {
  const setup = { createdAt: start, confirmedAt: null }
  expect(enrollmentState(setup, minutes(10, -1))).toBe('open')
  expect(enrollmentState(setup, minutes(10))).toBe('expired')
  // Begun while the clock was ahead.
  expect(enrollmentState(setup, minutes(-1))).toBe('open')
  expect(enrollmentState(setup, minutes(-2))).toBe('expired')
  expect(enrollmentState({ ...setup, confirmedAt: start }, minutes(99))).toBe('confirmed')
})

test('a proof is valid for ten minutes [SAFE-16, SAFE-17, SAFE-19]', () => {
  const proven = withProof(totp, nothing, { method: 'totp', at: start })
  if (!proven) throw new Error('a code is a proof')
  expect(stepUpUntil(totp, proven, start)).toBe(minutes(10))
  expect(missingStepUp(totp, proven, minutes(10, -1))).toBeUndefined()
  expect(missingStepUp(totp, proven, minutes(10))).toEqual(['totp', 'recovery'])
  expect(missingStepUp(totp, proven, minutes(-1))).toEqual(['totp', 'recovery'])
  expect(missingStepUp(totp, nothing, start)).toEqual(['totp', 'recovery'])
})

test('with a factor the password is no step-up, not even one from before the factor was added [SAFE-16]', () => {
  expect(withProof(totp, nothing, { method: 'password', at: start })).toBeUndefined()
  const byPassword = withProof(none, nothing, { method: 'password', at: start })
  if (!byPassword) throw new Error('a password is a proof')
  expect(missingStepUp(none, byPassword, minutes(1))).toBeUndefined()
  expect(missingStepUp(totp, byPassword, minutes(1))).toEqual(['totp', 'recovery'])
  // A proof by a factor stays valid after the factor is removed.
  const byCode = withProof(totp, nothing, { method: 'recovery', at: start })
  expect(byCode && missingStepUp(none, byCode, minutes(1))).toBeUndefined()
  expect(withProof(none, nothing, { method: 'totp', at: start })).toBeUndefined()
})

test('a step-up stored while the clock was ahead does not block later ones [SAFE-16, SAFE-19]', () => {
  const ahead = withProof(totp, nothing, { method: 'totp', at: minutes(600) })
  const byPassword = ahead && withProof(none, ahead, { method: 'password', at: start })
  if (!byPassword) throw new Error('a password is a proof')
  expect(missingStepUp(none, byPassword, minutes(1))).toBeUndefined()
  expect(missingStepUp(none, byPassword, minutes(10))).toEqual(['password'])
  expect(stepUpUntil(none, byPassword, minutes(1))).toBe(minutes(10))
  expect(missingStepUp(totp, byPassword, minutes(1))).toEqual(['totp', 'recovery'])
})

test("an administrator's login with the password counts as a proof; a tenant's login and a registration do not [SAFE-18]", () => {
  const missing = (...login: Parameters<typeof proofOfLogin>) =>
    missingStepUp(none, proofOfLogin(...login), minutes(1))
  expect(missing('password', 'admin', start)).toBeUndefined()
  expect(missing('password', 'tenant', start)).toEqual(['password'])
  expect(missing('registration', 'tenant', start)).toEqual(['password'])
  expect(missing('invitation', 'tenant', start)).toEqual(['password'])
  expect(missingStepUp(totp, proofOfLogin('password', 'admin', start), minutes(1))).toEqual([
    'totp',
    'recovery',
  ])
  for (const role of ['admin', 'tenant'] as const)
    expect(missingStepUp(totp, proofOfLogin('factor', role, start), minutes(1))).toBeUndefined()
})

test('the fifth wrong proof ends the session [SAFE-19]', () => {
  const ends = [0, 1, 2, 3, 4].map(tries => afterWrongStepUp(tries))
  expect(ends.map(({ endsSession }) => endsSession)).toEqual([false, false, false, false, true])
  expect(ends.map(({ tries }) => tries)).toEqual([1, 2, 3, 4, 5])
})
