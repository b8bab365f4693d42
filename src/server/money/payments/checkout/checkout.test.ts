import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { payments } from '../../../../../db/schema.ts'
import { minuteMs } from '../../../../domain/common/durations.ts'
import { buildCheckout, paymentApp } from '../../../../testing/build-payment.ts'
import { afterThisTest } from '../../../../testing/cleanups.ts'
import { testApp, testNow } from '../../../../testing/test-app.ts'
import { connectProvider } from '../stripe.ts'
import { lookUpOrCancel, openSession } from './checkout-session.ts'
import { sweepPayments } from './sweep.ts'

test('a checkout has two line items, a reference, metadata, a fixed email and an expiry [PAY-10]', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant({ email: 'maya@guest.example' })
  const application = await app.makeApplication(tenant)
  const row = await app.checkout(tenant, { applicationId: application.id, description: 'For June' })
  const stripe = app.deps.provider?.stripe
  const session = await stripe?.checkout.sessions.retrieve(row.checkoutSessionId, { expand: ['line_items'] })
  expect(session).toMatchObject({
    mode: 'payment',
    amount_total: 515_00,
    currency: 'usd',
    client_reference_id: row.id,
    customer_email: 'maya@guest.example',
    metadata: { paymentId: row.id, applicationId: application.id, applicationNumber: application.number },
    success_url: 'http://localhost:3000/payment/success?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost:3000/payment/cancel',
  })
  expect(session?.line_items?.data.map(item => item.amount_total)).toEqual([500_00, 15_00])
  expect((session?.expires_at ?? 0) * 1000 - app.deps.clock.now().getTime()).toBe(120 * minuteMs)
  expect(row).toMatchObject({ status: 'pending', amountCents: 500_00, feeCents: 15_00, paidAt: null })
})

test('an account begins at most a hundred checkouts a day', async () => {
  const app = await paymentApp({ env: { RATE_LIMITS: 'on' } })
  const tenant = await app.makeTenant()
  for (let i = 0; i < 100; i++) await app.deps.limits.consume('checkoutByUserAndDay', tenant.userId)
  await expect(app.checkout(tenant)).rejects.toThrow('Too many attempts')
  expect(app.deps.db.select().from(payments).all()).toEqual([])
})

test('accepts only cards, whatever else the provider account offers [FIX-08]', async () => {
  const app = await paymentApp()
  const row = await app.checkout(await app.makeTenant())
  const session = await app.deps.provider?.stripe.checkout.sessions.retrieve(row.checkoutSessionId)
  expect(session).toMatchObject({ allowed_payment_method_types: ['card'], payment_method_types: ['card'] })
  const page = await (await fetch(session?.url ?? '')).text()
  expect(page).toContain('Card number')
  expect(page).not.toContain('value="bank"')
})

test('the owner’s card fee overrides the server’s, and without a fee there is one line item', async () => {
  const app = await paymentApp({ env: { CARD_FEE_PERCENT: '2.5' } })
  const tenant = await app.makeTenant()
  const owner = app.as(await app.makeAdmin())
  expect((await owner.site.get()).site.cardFeeBasisPoints).toBe(250)
  await owner.settings.cardFee.save({ version: 0, body: { basisPoints: 0 } })
  expect((await owner.site.get()).site.cardFeeBasisPoints).toBe(0)
  expect((await app.as(tenant).payments.options()).feeBasisPoints).toBe(0)
  const row = await app.checkout(tenant, { creditCardFee: 0, totalAmount: 500_00 })
  const items = await app.deps.provider?.stripe.checkout.sessions.listLineItems(row.checkoutSessionId)
  expect(items?.data.map(item => item.amount_total)).toEqual([500_00])
  await expect(app.as(tenant).payments.createCheckoutSession(buildCheckout())).rejects.toThrow('fee')
})

test('a double click opens one session', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  const click = () => app.as(tenant).payments.createCheckoutSession(buildCheckout({ applicationId }))
  const answers = await Promise.all([click(), click(), click(), click(), click()])
  expect(new Set(answers.map(({ url }) => url)).size).toBe(1)
  expect(Object.keys(app.provider.truth())).toHaveLength(1)
  expect(app.deps.db.select().from(payments).all()).toHaveLength(1)
})

test('another amount expires the open checkout first; a checkout of another type stays open', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  const rent = { applicationId, paymentType: 'rent' as const }
  const first = await app.checkout(tenant, { ...rent, amount: 1000_00 })
  const deposit = await app.checkout(tenant, { applicationId })
  const second = await app.checkout(tenant, { ...rent, amount: 1500_00 })
  expect(second.id).not.toBe(first.id)
  expect(app.payment(first.id).status).toBe('canceled')
  expect(app.payment(deposit.id).status).toBe('pending')
  expect(() => app.provider.pay(first.checkoutSessionId)).toThrow('expired')
  expect((await app.as(tenant).payments.history()).payments.map(({ id }) => id).toSorted()).toEqual(
    [deposit.id, second.id].toSorted(),
  )
})

test('reconciles a checkout that was paid in the meantime instead of expiring it', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  const deposit = await app.checkout(tenant, { applicationId })
  app.provider.pay(deposit.checkoutSessionId)
  await expect(app.checkout(tenant, { applicationId })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(app.payment(deposit.id).status).toBe('succeeded')

  const rent = { applicationId, paymentType: 'rent' as const }
  const first = await app.checkout(tenant, { ...rent, amount: 1000_00 })
  app.provider.pay(first.checkoutSessionId)
  const second = await app.checkout(tenant, { ...rent, amount: 1500_00 })
  expect(app.payment(first.id).status).toBe('succeeded')
  app.provider.pay(second.checkoutSessionId)
  const third = await app.checkout(tenant, { ...rent, amount: 1500_00 })
  expect(third.id).not.toBe(second.id)
  expect(app.receipts()).toHaveLength(3)
})

test('every rejection, also for a draft, leaves database, outbox and provider unchanged [PAY-09, PAY-28, FIX-34]', async () => {
  const app = await paymentApp()
  const [tenant, stranger, admin] = [await app.makeTenant(), await app.makeTenant(), await app.makeAdmin()]
  const own = await app.makeApplication(tenant)
  const declined = await app.makeApplication(tenant, { status: 'rejected' })
  const draft = await app.makeApplication(tenant, { status: 'draft', submittedAt: null })
  const deleted = await app.makeApplication(tenant, { deletedAt: '2026-03-01T00:00:00.000Z' })
  const foreign = await app.makeApplication(stranger)
  const otherDeposit = await app.makeApplication(tenant, { depositCents: 750_00 })
  const paid = await app.makeApplication(tenant)
  const paidRow = await app.checkout(tenant, { applicationId: paid.id })
  app.provider.pay(paidRow.checkoutSessionId)
  await app.provider.deliverDue()
  const rent = (amount: number) => ({ paymentType: 'rent' as const, amount, applicationId: own.id })
  const before = app.snapshotState()
  const cases: [string, Parameters<typeof buildCheckout>[0]][] = [
    ['NOT_FOUND', { applicationId: foreign.id }],
    ['NOT_FOUND', { applicationId: deleted.id }],
    ['NOT_FOUND', { applicationId: 'nowhere' }],
    ['CONFLICT', { applicationId: declined.id }],
    ['CONFLICT', { applicationId: draft.id }],
    ['CONFLICT', { applicationId: paid.id }],
    ['BAD_REQUEST', { applicationId: own.id, amount: 499_99 }],
    ['BAD_REQUEST', { applicationId: otherDeposit.id, amount: 500_00 }],
    ['BAD_REQUEST', rent(0)],
    ['BAD_REQUEST', rent(-100)],
    ['BAD_REQUEST', rent(99)],
    ['BAD_REQUEST', rent(100.5)],
    ['BAD_REQUEST', rent(Number.NaN)],
    ['BAD_REQUEST', rent(100_000_000)],
    ['BAD_REQUEST', { applicationId: own.id, creditCardFee: 0 }],
    ['BAD_REQUEST', { applicationId: own.id, creditCardFee: 14_99, totalAmount: 514_99 }],
    ['BAD_REQUEST', { applicationId: own.id, totalAmount: 515_01 }],
    ['BAD_REQUEST', { applicationId: own.id, paymentType: 'late_fee' as 'rent' }],
    ['BAD_REQUEST', { applicationId: own.id, successUrl: 'https://elsewhere.example/payment/success' }],
    ['BAD_REQUEST', { applicationId: own.id, successUrl: 'http://localhost:3000@elsewhere.example/' }],
    ['BAD_REQUEST', { applicationId: own.id, successUrl: '//elsewhere.example/' }],
    ['BAD_REQUEST', { applicationId: own.id, cancelUrl: 'javascript:alert(1)' }],
  ]
  for (const [code, overrides] of cases) {
    const call = app.as(tenant).payments.createCheckoutSession(buildCheckout(overrides))
    await expect(call, JSON.stringify(overrides)).rejects.toMatchObject({ code })
  }
  await expect(
    app.as(admin).payments.createCheckoutSession(buildCheckout({ applicationId: own.id })),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(app.snapshotState()).toEqual(before)
})

test('uses the deposit of the lease, or of the booking before it, if the admin set a different one [PAY-05, CHG-30]', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant, { depositCents: 750_00 })
  expect((await app.checkout(tenant, { applicationId, amount: 750_00 })).amountCents).toBe(750_00)
  const { id: draft } = await app.makeApplication(tenant, { depositCents: 900_00, lease: null })
  expect((await app.checkout(tenant, { applicationId: draft, amount: 900_00 })).amountCents).toBe(900_00)
})

test('a payment without an application stays unlinked', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const row = await app.checkout(tenant, { paymentType: 'rent', amount: 1000_00 })
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  const { payments: history } = await app.as(tenant).payments.history()
  expect(history).toMatchObject([{ id: row.id, status: 'succeeded', applicationId: null }])
})

test('a retry after a provider outage opens one session and one payment', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  app.provider.setFault({ hangUp: true })
  await expect(app.checkout(tenant, { applicationId })).rejects.toThrow('Failed to create checkout session')
  app.provider.setFault({ status: 500 })
  await expect(app.checkout(tenant, { applicationId })).rejects.toThrow('Failed to create checkout session')
  expect((await app.as(tenant).payments.history()).payments).toEqual([])
  app.provider.setFault({})
  const row = await app.checkout(tenant, { applicationId })
  expect(Object.keys(app.provider.truth())).toEqual([row.checkoutSessionId])
  expect(app.deps.db.select().from(payments).all()).toHaveLength(1)
})

test('the next click and the sweep find a session that the provider opened without responding', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const lateAnswer = { answerAfterTimeout: true, hangUp: true }
  const one = await app.makeApplication(tenant)
  app.provider.setFault(lateAnswer)
  await expect(app.checkout(tenant, { applicationId: one.id })).rejects.toThrow('Failed')
  app.provider.setFault({})
  const again = await app.checkout(tenant, { applicationId: one.id })
  expect(Object.keys(app.provider.truth())).toEqual([again.checkoutSessionId])

  const two = await app.makeApplication(tenant)
  app.provider.setFault(lateAnswer)
  await expect(app.checkout(tenant, { applicationId: two.id })).rejects.toThrow('Failed')
  app.provider.setFault({})
  app.advance(5 * minuteMs)
  await sweepPayments(app.deps)
  const ofTwo = app.deps.db.select().from(payments).where(eq(payments.applicationId, two.id)).all()
  expect(ofTwo).toHaveLength(1)
  expect(Object.keys(app.provider.truth())).toContain(ofTwo[0]?.checkoutSessionId)
  expect(Object.keys(app.provider.truth())).toHaveLength(2)
})

test('a silent provider is given up after ten seconds and one repetition', async () => {
  const { stripe } = connectProvider(undefined, 'sk_test_of_nobody', 'whsec_of_nobody')
  expect([stripe.getApiField('timeout'), stripe.getMaxNetworkRetries()]).toEqual([10_000, 1])
  let asked = 0
  const silent = createServer(() => asked++).listen(0, '127.0.0.1')
  afterThisTest(() => silent.close().closeAllConnections())
  await once(silent, 'listening')
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const hasty = connectProvider(url, 'sk_test_of_nobody', 'whsec_of_nobody', 200)
  await expect(hasty.stripe.checkout.sessions.list()).rejects.toThrow()
  expect(asked).toBe(2)
})

test('clicks on a slow provider, also past the timeout, still end in one session', async () => {
  const app = await paymentApp({ timeoutMs: 400 })
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  const click = () => app.as(tenant).payments.createCheckoutSession(buildCheckout({ applicationId }))
  app.provider.setFault({ answerAfterTimeout: true, delayMs: 700 })
  const late = await Promise.allSettled([click(), click()])
  expect(late.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  app.provider.setFault({ delayMs: 100 })
  const [first, second] = await Promise.all([click(), click()])
  expect(first).toEqual(second)
  expect(Object.keys(app.provider.truth())).toHaveLength(1)
  expect(app.deps.db.select().from(payments).all()).toHaveLength(1)
})

test('a checkout of an application that is declined and approved while it opens is closed [FIX-01]', async () => {
  const app = await paymentApp()
  const [tenant, owner] = [await app.makeTenant(), app.as(await app.makeAdmin())]
  const { id } = await app.makeApplication(tenant, { submittedAt: testNow })
  const { sessions } = app.deps.provider?.stripe.checkout ?? {}
  if (!sessions) throw new Error('no provider')
  const create = sessions.create.bind(sessions)
  let declined: Promise<unknown> = Promise.resolve()
  const creating = vi.spyOn(sessions, 'create')
  creating.mockImplementationOnce(async (...given: Parameters<typeof create>) => {
    // It waits for this checkout.
    declined = owner.applications.adminSetStatus({ id, status: 'rejected' })
    const status = async () => (await owner.applications.adminGet({ id })).application.status
    await vi.waitFor(async () => expect(await status()).toBe('rejected'))
    await owner.applications.adminSetStatus({ id, status: 'approved' })
    return create(...given)
  })
  await expect(app.checkout(tenant, { applicationId: id })).rejects.toThrow('has been closed in the meantime')
  await declined
  expect(app.deps.db.select().from(payments).all()).toMatchObject([{ status: 'canceled' }])
})

test('a checkout that was canceled before it was opened is not opened', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  app.provider.setFault({ hangUp: true })
  await expect(app.checkout(tenant)).rejects.toThrow('Failed')
  app.provider.setFault({})
  const [row] = app.deps.db.select().from(payments).all()
  if (!row) throw new Error('no payment')
  const [canceled, opened] = await Promise.allSettled([
    lookUpOrCancel(app.deps, row),
    openSession(app.deps, row),
  ])
  expect(canceled).toMatchObject({ value: { status: 'canceled' } })
  expect(opened).toMatchObject({ reason: { message: expect.stringContaining('has been closed') } })
  expect(app.provider.truth()).toEqual({})
})

test('a refused request cancels its payment, and a new checkout can be opened', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  app.provider.setFault({ status: 400 })
  await expect(app.checkout(tenant, { applicationId })).rejects.toThrow('Failed')
  app.provider.setFault({})
  const row = await app.checkout(tenant, { applicationId })
  expect(row.status).toBe('pending')
  expect(app.deps.db.select().from(payments).all()).toHaveLength(2)
  expect(Object.keys(app.provider.truth())).toHaveLength(1)
})

test('webhook and success page find a payment by its reference if it is paid before the session id is stored', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const forget = (id: string) =>
    app.deps.write(tx =>
      tx
        .update(payments)
        .set({ checkoutSessionId: null, checkoutUrl: null })
        .where(eq(payments.id, id))
        .run(),
    )
  const byWebhook = await app.checkout(tenant)
  await forget(byWebhook.id)
  app.provider.pay(byWebhook.checkoutSessionId)
  await app.provider.deliverDue()
  expect(app.payment(byWebhook.id)).toMatchObject({
    status: 'succeeded',
    checkoutSessionId: byWebhook.checkoutSessionId,
  })
  const bySuccess = await app.checkout(tenant, { paymentType: 'rent', amount: 1000_00 })
  await forget(bySuccess.id)
  app.provider.pay(bySuccess.checkoutSessionId)
  const { payment } = await app.as(tenant).payments.bySession({ sessionId: bySuccess.checkoutSessionId })
  expect(payment).toMatchObject({ id: bySuccess.id, status: 'succeeded' })
})

test("a payment made before the provider's response leads to the success page", async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  app.provider.setFault({ answerAfterTimeout: true, delayMs: 500, failNext: 1 })
  const asked = app.as(tenant).payments.createCheckoutSession(buildCheckout({ applicationId }))
  const sessionId = await vi.waitUntil(() => Object.keys(app.provider.truth())[0])
  app.provider.pay(sessionId)
  await app.provider.deliverDue()
  expect(await asked).toEqual({ url: `http://localhost:3000/payment/success?session_id=${sessionId}` })
  const { payment } = await app.as(tenant).payments.bySession({ sessionId })
  expect(payment).toMatchObject({ applicationId: { _id: applicationId }, status: 'succeeded' })
  expect(app.deps.db.select().from(payments).all()).toHaveLength(1)
  expect(app.receipts()).toHaveLength(1)
})

test('an expired checkout is canceled and leaves the history; the next one is new', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const first = await app.checkout(tenant)
  app.advance(121 * minuteMs)
  const second = await app.checkout(tenant)
  expect(second.id).not.toBe(first.id)
  expect(app.payment(first.id).status).toBe('canceled')
  app.advance(121 * minuteMs)
  await sweepPayments(app.deps)
  expect(app.payment(second.id).status).toBe('canceled')
  expect((await app.as(tenant).payments.history()).payments).toEqual([])
})

test('without a provider, checkout fails with a message and writes nothing', async () => {
  const app = await testApp({ replace: { provider: undefined } })
  const tenant = await app.makeTenant()
  await expect(app.as(tenant).payments.createCheckoutSession(buildCheckout())).rejects.toThrow('not set up')
  expect(app.deps.db.select().from(payments).all()).toEqual([])
  expect(await app.as(tenant).payments.options()).toMatchObject({ cardPayments: false })
})

test('rejects more than thirty checkouts in ten minutes', async () => {
  const app = await paymentApp({ env: { RATE_LIMITS: 'on' } })
  const tenant = await app.makeTenant()
  const click = () => app.as(tenant).payments.createCheckoutSession(buildCheckout())
  for (let i = 0; i < 30; i++) await click()
  await expect(click()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
})

test("the options contain the tenant's payable applications with their balances, and the payment settings", async () => {
  const app = await paymentApp()
  const [tenant, stranger] = [await app.makeTenant({ email: 'maya@guest.example' }), await app.makeTenant()]
  const older = await app.makeApplication(tenant)
  app.advance(minuteMs)
  const newer = await app.makeApplication(tenant, { lease: null, totalCents: 0 })
  await app.makeApplication(tenant, { status: 'rejected' })
  await app.makeApplication(stranger)
  const row = await app.checkout(tenant, { applicationId: older.id })
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  const options = await app.as(tenant).payments.options()
  expect(options).toMatchObject({
    email: 'maya@guest.example',
    cardPayments: true,
    feeBasisPoints: 300,
    depositCents: 500_00,
    applications: [
      { id: newer.id, depositPaid: false, balance: { owedCents: 0, balanceCents: 0 } },
      {
        id: older.id,
        depositPaid: true,
        balance: { owedCents: 3000_00, paidCents: 500_00, balanceCents: 2500_00, label: 'Amount owed' },
      },
    ],
  })
  expect(options.applications).toHaveLength(2)
})
