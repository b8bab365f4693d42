import { expect, test } from 'vitest'
import { hourMs } from '../../../../domain/common/durations.ts'
import { paymentApp } from '../../../../testing/build-payment.ts'
import { fetchIfDue } from './catch-up.ts'

test('a dispute that the webhook does not bring is fetched within an hour, and the owner is told until one arrives by itself [INST-42]', async () => {
  const app = await paymentApp({ env: { OWNER_EMAIL: 'owner@condo.example' } })
  const owner = app.as(await app.makeAdmin())
  const titles = async () => (await owner.notices.list()).notices.map(({ title }) => title)
  const silent = 'Stripe’s messages do not reach this site'
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  const row = await app.checkout(tenant, { applicationId })
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  await fetchIfDue(app.deps)

  app.provider.openDispute(app.payment(row.id).stripeChargeId ?? '')
  await fetchIfDue(app.deps)
  expect(app.payment(row.id).status).toBe('succeeded')
  app.advance(hourMs + 1000)
  await fetchIfDue(app.deps)
  expect(app.payment(row.id).status).toBe('disputed')
  expect(await titles()).toContain(silent)
  await app.provider.deliverDue()
  expect(await titles()).not.toContain(silent)
})

test('an event that is fetched before it arrives is no trouble, and a fetch from a time that was ahead starts a month before [INST-42]', async () => {
  const app = await paymentApp()
  const owner = app.as(await app.makeAdmin())
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  const row = await app.checkout(tenant, { applicationId })
  app.advance(10 * hourMs)
  await fetchIfDue(app.deps)
  app.advance(-10 * hourMs)
  app.provider.pay(row.checkoutSessionId)
  await fetchIfDue(app.deps)
  expect(app.payment(row.id).status).toBe('succeeded')
  expect((await owner.notices.list()).notices.filter(({ id }) => id === 'events-missed')).toEqual([])
})

test('a site that never fetched begins with what comes from now on: earlier events of the account are not its own [INST-42]', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  const row = await app.checkout(tenant, { applicationId })
  app.provider.pay(row.checkoutSessionId)
  app.advance(3 * hourMs)
  await fetchIfDue(app.deps)
  expect(app.payment(row.id).status).toBe('pending')
})
