import type { AnyProcedure } from '@trpc/server'
import { describe, expect, test } from 'vitest'
import { users } from '../../../db/schema.ts'
import { call, signUp } from '../../testing/build-account.ts'
import { buildApplication } from '../../testing/build-application.ts'
import { testApp, testNow } from '../../testing/test-app.ts'
import { rootRouter } from '../root-router.ts'

const procedures = Object.entries(rootRouter._def.procedures as unknown as Record<string, AnyProcedure>)
const sessionMutations = procedures
  .filter(
    ([, { _def }]) => _def.type === 'mutation' && (_def.meta as { access: string }).access === 'session',
  )
  .map(([name]) => name)

test('limits a tenant to 30 writes in 10 minutes over both transports, and returns when to retry [FIX-20]', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  const statuses: number[] = []
  for (let i = 0; i < 15; i++) {
    const rest = { token, body: { firstName: `Maya ${i}` } }
    statuses.push((await call(app, 'PUT', '/api/auth/profile', rest)).status)
    statuses.push((await call(app, 'POST', '/trpc/accounts.updateProfile', rest)).status)
  }
  expect(statuses).toEqual(Array(30).fill(200))
  const body = { firstName: 'Late' }
  for (const refused of [
    await call(app, 'PUT', '/api/auth/profile', { token, body }),
    await call(app, 'POST', '/trpc/accounts.updateProfile', { token, body }),
    await call(app, 'POST', '/api/application', { token, body: buildApplication() }),
  ]) {
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(600)
  }
  const { body: profile } = await call(app, 'GET', '/api/auth/profile', { token })
  expect(profile.user.firstName).toBe('Maya 14')
  expect((await call(app, 'GET', '/api/application/status', { token })).body.applications).toEqual([])
})

test('limits a tenant to 300 writes a day: each stays in the audit log [FIX-20]', async () => {
  const app = await testApp()
  const { token, user } = await signUp(app)
  for (let i = 0; i < 298; i++) await app.deps.limits.consume('writeByTenantAndDay', user.id)
  const change = () => call(app, 'PUT', '/api/auth/profile', { token, body: { firstName: 'Maya' } })
  const answers = [await change(), await change(), await change()]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(80_000)
})

test('counts each write of a batch, and limits neither another tenant nor the admin [FIX-20]', async () => {
  const app = await testApp()
  const { token } = await signUp(app)
  const names = Array(10).fill('accounts.updateProfile').join(',')
  const body = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [i, { lastName: 'Rivers' }]))
  for (let i = 0; i < 3; i++)
    expect((await call(app, 'POST', `/trpc/${names}?batch=1`, { token, body })).status).toBe(200)
  expect((await call(app, 'POST', `/trpc/${names}?batch=1`, { token, body })).status).toBe(429)

  const stranger = await signUp(app, { email: 'stranger@guest.example' })
  const change = { token: stranger.token, body: { lastName: 'Shore' } }
  expect((await call(app, 'PUT', '/api/auth/profile', change)).status).toBe(200)
  const owner = app.as(await app.makeAdmin())
  for (let i = 0; i < 40; i++) await owner.accounts.updateProfile({ firstName: `Olive ${i}` })
})

/** Mutations with their own limit; `leases.generate` only reads for a tenant. */
const countedElsewhere = [
  'accounts.changePassword',
  'factors.setUpTotp',
  'factors.confirmTotp',
  'factors.stepUp',
  'emailChange.start',
  'leases.generate',
  'leases.sign',
  'addenda.sign',
  'payments.createCheckoutSession',
  'stays.showCode',
  'stays.showWifi',
  'conversations.send',
  'conversations.markRead',
]

describe('every tenant mutation counts against the limit or one of its own, even if its input is invalid [FIX-20]', () => {
  test.each(sessionMutations)('%s', async name => {
    const app = await testApp()
    const { token } = await signUp(app)
    // Otherwise `emailChange.sendCode` would refuse after five codes.
    await app.deps.write(tx => tx.update(users).set({ mailboxProvenAt: testNow }).run())
    const ask = () => call(app, 'POST', `/trpc/${name}`, { token, body: {} })
    // New applications and mailed codes have a lower limit for each address.
    const allowed = name === 'emailChange.sendCode' ? 10 : 20
    const asked: number[] = []
    for (let i = 0; i < 30; i++) asked.push((await ask()).status)
    expect(asked.slice(0, allowed)).not.toContain(429)
    expect((await ask()).status).toBe(429)
    const afterwards = await call(app, 'PUT', '/api/auth/profile', { token, body: { firstName: 'Maya' } })
    expect(afterwards.status).toBe(countedElsewhere.includes(name) ? 200 : 429)
  })
})
