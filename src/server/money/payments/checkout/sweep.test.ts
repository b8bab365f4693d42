import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { payments } from '../../../../../db/schema.ts'
import { minuteMs } from '../../../../domain/common/durations.ts'
import { type PaymentApp, paymentApp } from '../../../../testing/build-payment.ts'
import { afterThisTest } from '../../../../testing/cleanups.ts'
import { startProvider } from '../../../../testing/provider.ts'
import { testNow } from '../../../../testing/test-app.ts'
import { connectProvider } from '../stripe.ts'
import { sweepPayments } from './sweep.ts'

/** Paid rent checkouts, each by a different tenant, oldest first; no webhook event has arrived. */
async function paidWithoutWebhook(app: PaymentApp, count: number) {
  const rows = []
  for (let i = 0; i < count; i++) {
    const row = await app.checkout(await app.makeTenant(), { paymentType: 'rent', amount: 1000_00 })
    app.provider.pay(row.checkoutSessionId)
    app.advance(1000)
    rows.push(row)
  }
  return rows
}

test.each([
  ['is answered with a 500', { status: 500 }],
  ['is answered with a 500 that the provider repeats', { failurePoint: 'before-work' as const }],
  ['is refused', { status: 400 }],
  ['comes too often', { status: 429 }],
])('a request that %s does not block the others [FIX-03]', async (_name, fault) => {
  const app = await paymentApp()
  const rows = await paidWithoutWebhook(app, 3)
  app.advance(5 * minuteMs)
  app.provider.setFault({ ...fault, only: `/v1/checkout/sessions/${rows[0]?.checkoutSessionId}` })
  expect(await sweepPayments(app.deps)).toEqual({ checked: 2, reachable: true })
  expect(rows.map(({ id }) => app.payment(id).status)).toEqual(['pending', 'succeeded', 'succeeded'])
  app.provider.setFault({})
  await sweepPayments(app.deps)
  expect(rows.map(({ id }) => app.payment(id).status)).toEqual(['succeeded', 'succeeded', 'succeeded'])
})

test('a checkout that cannot be opened blocks neither payments nor refunds nor card details [FIX-03]', async () => {
  const app = await paymentApp()
  app.provider.holdDeliveries(true)
  const admin = app.as(await app.makeAdmin())
  app.provider.setFault({ hangUp: true })
  const tenant = await app.makeTenant()
  await expect(app.checkout(tenant, { paymentType: 'rent', amount: 1000_00 })).rejects.toThrow('Failed')
  app.provider.setFault({})
  const [paid, refunded, withoutCard] = await paidWithoutWebhook(app, 3)
  if (!paid || !refunded || !withoutCard) throw new Error('nothing was paid')
  for (const row of [refunded, withoutCard])
    await app.as({ ...tenant, userId: row.userId }).payments.bySession({ sessionId: row.checkoutSessionId })
  app.provider.setFault({ answerAfterTimeout: true, hangUp: true, only: 'POST /v1/refunds' })
  const requestId = 'e2f4f9ba-7a4f-4ad9-a4f5-0a2c3b5c8b11'
  await expect(admin.payments.refund({ paymentId: refunded.id, requestId })).rejects.toThrow('did not answer')
  await app.deps.write(tx =>
    tx
      .update(payments)
      .set({ stripeChargeId: null, cardLast4: null })
      .where(eq(payments.id, withoutCard.id))
      .run(),
  )
  app.advance(5 * minuteMs)
  app.provider.setFault({ failurePoint: 'before-work', only: 'POST /v1/checkout/sessions' })
  expect(await sweepPayments(app.deps)).toMatchObject({ reachable: true })
  expect(app.payment(paid.id).status).toBe('succeeded')
  expect(app.payment(refunded.id).status).toBe('refunded')
  expect(app.payment(withoutCard.id).cardLast4).toBe('4242')
})

test('an unreachable provider ends the round, and the next round continues [FIX-03]', async () => {
  const app = await paymentApp()
  const rows = await paidWithoutWebhook(app, 2)
  app.advance(5 * minuteMs)
  app.provider.setFault({ hangUp: true, only: `/v1/checkout/sessions/${rows[0]?.checkoutSessionId}` })
  expect(await sweepPayments(app.deps)).toEqual({ checked: 0, reachable: false })
  app.provider.setFault({})
  expect(await sweepPayments(app.deps)).toEqual({ checked: 2, reachable: true })
})

test('a payment whose request always times out stops one round, and the next begins behind it [FIX-39]', async () => {
  const app = await paymentApp({ timeoutMs: 200 })
  const rows = await paidWithoutWebhook(app, 4)
  app.advance(5 * minuteMs)
  const paid = () => rows.map(({ id }) => app.payment(id).status === 'succeeded')
  const onlyAt = (index: number) => `/v1/checkout/sessions/${rows[index]?.checkoutSessionId}`
  app.provider.setFault({ hangUp: true, only: onlyAt(1) })
  expect(await sweepPayments(app.deps)).toEqual({ checked: 1, reachable: false })
  expect(paid()).toEqual([true, false, false, false])
  expect(await sweepPayments(app.deps)).toEqual({ checked: 2, reachable: false })
  expect(paid()).toEqual([true, false, true, true])
  app.provider.setFault({})
  expect(await sweepPayments(app.deps)).toEqual({ checked: 1, reachable: true })
  expect(paid()).toEqual([true, true, true, true])
})

test('a retried checkout whose lookup always times out does not stop the lookups of others [FIX-39]', async () => {
  const app = await paymentApp()
  const rows = await paidWithoutWebhook(app, 2)
  for (const { id } of rows)
    await app.deps.write(tx =>
      tx
        .update(payments)
        .set({ checkoutAttempt: 1, checkoutSessionId: null, status: 'canceled' })
        .where(eq(payments.id, id))
        .run(),
    )
  app.provider.setFault({ hangUp: true, only: `/v1/checkout/sessions/${rows[1]?.checkoutSessionId}` })
  await sweepPayments(app.deps)
  await sweepPayments(app.deps)
  expect(rows.map(({ id }) => app.payment(id).status)).toEqual(['succeeded', 'canceled'])
})

test('a checkout begun while the clock was ahead is looked for at once [FIX-03]', async () => {
  const app = await paymentApp()
  app.provider.holdDeliveries(true)
  app.advance(20 * 60 * minuteMs)
  const [row] = await paidWithoutWebhook(app, 1)
  app.advance(-20 * 60 * minuteMs)
  await sweepPayments(app.deps)
  expect(app.payment(row?.id ?? '').status).toBe('succeeded')
})

test('a refund that was asked for while the clock was ahead, and never arrived, does not block the money [FIX-03]', async () => {
  const app = await paymentApp({ timeoutMs: 500 })
  const owner = app.as(await app.makeAdmin())
  const row = await app.checkout(await app.makeTenant())
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  app.advance(365 * 24 * 60 * minuteMs)
  app.provider.setFault({ hangUp: true })
  const refund = () => owner.payments.refund({ paymentId: row.id, requestId: randomUUID() })
  await expect(refund()).rejects.toThrow()
  app.provider.setFault({})
  app.advance(-365 * 24 * 60 * minuteMs)
  await expect(refund()).rejects.toThrow(/under way/)
  await sweepPayments(app.deps)
  await refund()
  expect(app.payment(row.id).status).toBe('refunded')
})

test('a bank payment on its way that the provider does not know is a notice and stays on its way [BANK-14]', async () => {
  const app = await paymentApp()
  const owner = await app.offerBank()
  const tenant = await app.makeTenant()
  const { id: applicationId, number } = await app.makeApplication(tenant, { submittedAt: testNow })
  const row = await app.checkout(tenant, {
    paymentType: 'rent',
    amount: 1000_00,
    applicationId,
    providerMethod: 'us_bank_account',
  })
  app.provider.completeUnpaid(row.checkoutSessionId)
  await app.provider.deliverDue()
  // The keys in the environment are now those of another account.
  const other = await startProvider({
    now: () => app.deps.clock.now(),
    webhookUrl: () => 'http://127.0.0.1:9/',
    webhookSecret: 'whsec_other',
  })
  afterThisTest(other.close)
  app.advance(26 * 60 * minuteMs)
  await sweepPayments({ ...app.deps, provider: connectProvider(other.url, 'sk_test_other', 'whsec_other') })
  expect(app.payment(row.id).status).toBe('processing')
  const unknown = async () =>
    (await app.as(owner).notices.list()).notices.filter(({ id }) => id.includes('unknown'))
  expect(await unknown()).toMatchObject([
    {
      tone: 'danger',
      title: 'The card provider does not know a bank payment that is on its way',
      detail: expect.stringContaining(`$1,000.00 for ${number}`),
    },
  ])
})
