import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { applications, events, outbox, payments, providerEvents } from '../../../../../db/schema.ts'
import { type PaymentApp, paymentApp, webhookSecret } from '../../../../testing/build-payment.ts'
import { listCriticalNotices } from '../../../operations/notices/list-notices.ts'
import { sweepPayments } from '../checkout/sweep.ts'

type Post = { payload: string; signature?: string; secret?: string; ageSeconds?: number }

function post(app: PaymentApp, { payload, signature, secret = webhookSecret, ageSeconds = 0 }: Post) {
  const timestamp = Math.floor(app.deps.clock.now().getTime() / 1000) - ageSeconds
  const header = signature ?? Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return fetch(`${app.address}/api/payment/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(header && { 'stripe-signature': header }) },
    body: payload,
  })
}

/** The event of this type for this session, as the provider would send it. */
function eventOf(app: PaymentApp, type: string, sessionId: string): Stripe.Event {
  const found = app.provider
    .events()
    .find(event => event.type === type && 'id' in event.data.object && event.data.object.id === sessionId)
  if (!found) throw new Error(`no ${type}`)
  return found
}

/** A paid deposit whose events wait at the provider. */
async function paidCheckout(app: PaymentApp) {
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  const row = await app.checkout(tenant, { applicationId })
  app.provider.pay(row.checkoutSessionId)
  return {
    tenant,
    row,
    applicationId,
    completed: eventOf(app, 'checkout.session.completed', row.checkoutSessionId),
  }
}

async function settled(app: PaymentApp) {
  const paid = await paidCheckout(app)
  await app.provider.deliverDue()
  const { stripeChargeId } = app.payment(paid.row.id)
  if (!stripeChargeId) throw new Error('the charge is not known')
  return { ...paid, chargeId: stripeChargeId }
}

test('a paid checkout succeeds once, with its card, one receipt and one mail to the owner [MONEY-07]', async () => {
  const app = await paymentApp()
  const { row } = await paidCheckout(app)
  await app.provider.deliverDue()
  expect(app.payment(row.id)).toMatchObject({
    status: 'succeeded',
    paidAt: app.deps.clock.now().toISOString(),
    cardBrand: 'visa',
    cardLast4: '4242',
    stripePaymentIntentId: expect.stringMatching(/^pi_/),
    receiptUrl: expect.stringContaining('/sandbox/receipts/'),
  })
  expect(app.receipts()).toMatchObject([{ status: 'queued', props: { paymentId: row.id } }])
  const toOwner = app.deps.db.select().from(outbox).where(eq(outbox.kind, 'owner-payment-received')).all()
  expect(toOwner).toMatchObject([
    { props: { amountCents: 500_00, feeCents: 15_00, paymentTypeLabel: 'Deposit' } },
  ])
})

test('rejects a missing, wrong or stale signature and a modified body, and changes nothing', async () => {
  const app = await paymentApp()
  const { completed } = await paidCheckout(app)
  const payload = JSON.stringify(completed, null, 2)
  const before = app.snapshotState()
  const good = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: webhookSecret,
    timestamp: Math.floor(app.deps.clock.now().getTime() / 1000),
  })
  const answers = await Promise.all([
    post(app, { payload, signature: '' }),
    post(app, { payload, signature: 't=1,v1=00' }),
    post(app, { payload, secret: 'whsec_of_somebody_else' }),
    post(app, { payload, ageSeconds: 301 }),
    post(app, { payload: JSON.stringify(completed), signature: good }),
    post(app, { payload, signature: good.replace('v1=', 'v0=') }),
    ...['{}', 'null', '[]', '"x"'].map(payload => post(app, { payload })),
  ])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
  expect(await answers[0]?.json()).toMatchObject({ error: expect.stringContaining('signature') })
  expect(app.snapshotState()).toEqual(before)
  expect((await post(app, { payload, signature: good })).status).toBe(200)
})

test('with a shifted clock, checks the signature but not its age', async () => {
  const app = await paymentApp({ env: { CLOCK_OFFSET: '+30d' } })
  const { completed } = await paidCheckout(app)
  const payload = JSON.stringify(completed, null, 2)
  const month = 30 * 24 * 3600
  expect((await post(app, { payload, secret: 'whsec_of_somebody_else' })).status).toBe(400)
  expect((await post(app, { payload, signature: 't=1,v1=00' })).status).toBe(400)
  expect((await post(app, { payload, ageSeconds: month })).status).toBe(200)
})

test('rejects a body above 512 KB with 413', async () => {
  const app = await paymentApp()
  expect((await post(app, { payload: `{"a":"${'x'.repeat(513 * 1024)}"}` })).status).toBe(413)
})

test('counts the same event once when it is delivered ten times concurrently and again days later [MONEY-07]', async () => {
  const app = await paymentApp()
  const { row, completed } = await paidCheckout(app)
  expect(new Set(await app.provider.deliverEvent(completed.id, 10))).toEqual(new Set([200]))
  const once = app.payment(row.id)
  app.advance(3 * 24 * 3600_000)
  await app.provider.deliverEvent(completed.id, 3)
  await app.provider.deliverDue()
  await sweepPayments(app.deps)
  expect(app.payment(row.id)).toEqual(once)
  expect(app.receipts()).toHaveLength(1)
  const stored = app.deps.db.select().from(providerEvents).where(eq(providerEvents.id, completed.id)).all()
  expect(stored).toMatchObject([{ outcome: 'applied', type: 'checkout.session.completed' }])
})

test('quarantines a mismatched event with its reason, responds with 200 and shows it to the owner until dismissed', async () => {
  const app = await paymentApp()
  const admin = await app.makeAdmin()
  const { row, completed } = await paidCheckout(app)
  const session = completed.data.object as Stripe.Checkout.Session
  const altered: [string, Partial<Stripe.Checkout.Session>][] = [
    ['total is 51499 cents', { amount_total: 514_99 }],
    ['currency is eur', { currency: 'eur' }],
    ['real money', { livemode: true }],
    ['mode is subscription', { mode: 'subscription' }],
    ['No payment here', { id: 'cs_test_other', client_reference_id: 'unknown', metadata: {} }],
    ['another checkout', { id: 'cs_test_other' }],
    ['reference', { client_reference_id: null }],
    ['asks for no payment', { payment_status: 'no_payment_required' }],
    ['could not be read', { amount_total: '51500' as unknown as number }],
    ['could not be read', { payment_intent: '../refunds', expires_at: null as unknown as number }],
  ]
  const { outbox: mails, payments: rows } = app.snapshotState()
  for (const [i, [, changes]] of altered.entries()) {
    const payload = JSON.stringify({
      ...completed,
      id: `evt_${i}`,
      data: { object: { ...session, ...changes } },
    })
    const response = await post(app, { payload })
    expect([response.status, await response.json()]).toEqual([200, { received: true }])
  }
  expect(app.snapshotState()).toMatchObject({ outbox: mails, payments: rows })
  expect(app.payment(row.id).status).toBe('pending')
  const { events: shown } = await app.as(admin).payments.quarantined()
  const reasons = new Map(shown.map(({ id, reason }) => [id, reason]))
  for (const [i, [reason]] of altered.entries()) expect(reasons.get(`evt_${i}`)).toContain(reason)
  await app.as(admin).payments.dismissQuarantined({ eventId: 'evt_0' })
  expect((await app.as(admin).payments.quarantined()).events).toHaveLength(altered.length - 1)
  // The unaltered event still counts.
  await app.provider.deliverDue()
  expect(app.payment(row.id).status).toBe('succeeded')
})

test('a bank transfer is processing until the money arrives, and fails if it does not [MONEY-04]', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  const open = (amount: number) => app.checkout(tenant, { applicationId, paymentType: 'rent', amount })
  const arriving = await open(1000_00)
  app.provider.completeUnpaid(arriving.checkoutSessionId)
  await app.provider.deliverDue()
  expect(app.payment(arriving.id)).toMatchObject({ status: 'processing', paidAt: null })
  expect(app.receipts()).toEqual([])
  const paid = async () => (await app.as(tenant).payments.options()).applications[0]?.balance.paidCents
  expect(await paid()).toBe(0)

  const failing = await open(2000_00)
  app.provider.completeUnpaid(failing.checkoutSessionId)
  app.advance(3 * 24 * 3600_000)
  app.provider.settle(arriving.checkoutSessionId, true)
  app.provider.settle(failing.checkoutSessionId, false)
  app.provider.setDeliveryOrder('newest-first')
  await app.provider.deliverDue()
  expect(app.payment(arriving.id)).toMatchObject({
    status: 'succeeded',
    paidAt: app.deps.clock.now().toISOString(),
    cardBrand: 'us_bank_account',
    cardLast4: '6789',
  })
  expect(app.payment(failing.id)).toMatchObject({ status: 'failed', paidAt: null })
  expect(await paid()).toBe(1000_00)
})

test('a declined card leaves the checkout open; a payment with another card counts', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const row = await app.checkout(tenant)
  app.provider.decline(row.checkoutSessionId)
  await app.provider.deliverDue()
  expect(app.payment(row.id).status).toBe('pending')
  app.provider.pay(row.checkoutSessionId, { card: '5555555555554444' })
  await app.provider.deliverDue()
  expect(app.payment(row.id)).toMatchObject({ status: 'succeeded', cardBrand: 'mastercard' })
})

test('subtracts a partial refund from amount and fee, keeps the amounts after a full one, and never returns to pending [MONEY-08]', async () => {
  const app = await paymentApp()
  const { row, chargeId, completed, tenant } = await settled(app)
  app.provider.refund(chargeId, 103_00)
  await app.provider.deliverDue()
  expect(app.payment(row.id)).toMatchObject({
    status: 'succeeded',
    refundedAmountCents: 100_00,
    refundedFeeCents: 3_00,
  })
  app.provider.refund(chargeId)
  app.provider.setDeliveryOrder('newest-first')
  await app.provider.deliverDue()
  await app.provider.deliverEvent(completed.id)
  expect(app.payment(row.id)).toMatchObject({
    status: 'refunded',
    refundedAmountCents: 500_00,
    refundedFeeCents: 15_00,
  })
  expect((await app.as(tenant).payments.options()).applications[0]?.balance.paidCents).toBe(0)
  expect(app.receipts()).toHaveLength(1)
})

test('a failed refund of a disputed payment does not ask the owner to return the money another way [FIX-34]', async () => {
  const app = await paymentApp({ env: { OWNER_EMAIL: 'owner@condo.example' } })
  const owner = app.as(await app.makeAdmin())
  const { chargeId, row } = await settled(app)
  await owner.payments.refund({
    paymentId: row.id,
    requestId: 'e2f4f9ba-7a4f-4ad9-a4f5-0a2c3b5c8b11',
    totalCents: 100_00,
  })
  app.provider.openDispute(chargeId, { amount: 515_00 })
  await app.provider.deliverDue()
  const made = app.provider.events().find(({ type }) => type === 'refund.created')
  const object = { ...made?.data.object, status: 'failed' }
  await post(app, {
    payload: JSON.stringify({ ...made, id: 'evt_f', type: 'refund.failed', data: { object } }),
  })
  const notice = (await owner.notices.list()).notices.find(({ title }) => title.startsWith('A refund did'))
  expect(notice?.detail).toContain('only once you have won that')
  // A bank's return takes all of it: nothing is left to return.
  await app.deps.write(tx => tx.update(payments).set({ status: 'returned' }).run())
  const titles = (await owner.notices.list()).notices.map(({ title }) => title)
  expect(titles).not.toContain(notice?.title)
})

test.each(['failed', 'canceled'])(
  'a refund that is %s after the provider had accepted it is a danger notice until dismissed, and mailed [FIX-34]',
  async status => {
    const app = await paymentApp({ env: { OWNER_EMAIL: 'owner@condo.example' } })
    const owner = app.as(await app.makeAdmin())
    const { applicationId, row } = await settled(app)
    const refund = { paymentId: row.id, requestId: 'e2f4f9ba-7a4f-4ad9-a4f5-0a2c3b5c8b11' }
    await owner.payments.refund(refund)
    await app.provider.deliverDue()
    expect(app.payment(row.id).status).toBe('refunded')
    const made = app.provider.events().find(({ type }) => type === 'refund.created')
    const failed = async (id: string) => {
      const object = { ...made?.data.object, status }
      await post(app, { payload: JSON.stringify({ ...made, id, type: 'refund.failed', data: { object } }) })
    }
    await failed('evt_failed_1')
    await failed('evt_failed_2')
    await expect(owner.payments.refund(refund)).rejects.toThrow('This refund did not go through.')
    expect(app.payment(row.id).status).toBe('succeeded')
    const number = app.deps.db
      .select()
      .from(applications)
      .where(eq(applications.id, applicationId))
      .get()?.number
    const found = async () => (await owner.notices.list()).notices.filter(({ id }) => id.includes('refund'))
    const [notice, ...more] = await found()
    expect(more).toEqual([])
    expect(notice).toMatchObject({
      tone: 'danger',
      title: 'A refund did not go through',
      detail: expect.stringContaining(`$515.00 for ${number} was to be refunded with $515.00`),
    })
    expect(listCriticalNotices(app.deps).map(({ id }) => id)).toContain(notice?.id)
    if (notice?.action?.kind !== 'dismiss_event') throw new Error('cannot be dismissed')
    await owner.payments.dismissQuarantined({ eventId: notice.action.eventId })
    expect(await found()).toEqual([])
  },
)

test('a payment does not count while disputed; it counts again if the dispute is won, not if it is lost', async () => {
  const app = await paymentApp()
  const { row, chargeId } = await settled(app)
  const won = app.provider.openDispute(chargeId)
  await app.provider.deliverDue()
  expect(app.payment(row.id).status).toBe('disputed')
  app.provider.closeDispute(won.id, 'won')
  app.provider.setDeliveryOrder('newest-first')
  await app.provider.deliverDue()
  expect(app.payment(row.id).status).toBe('succeeded')

  const other = await settled(app)
  const lost = app.provider.openDispute(other.chargeId)
  app.provider.closeDispute(lost.id, 'lost')
  await app.provider.deliverDue()
  expect(app.payment(other.row.id)).toMatchObject({ status: 'refunded', refundedAmountCents: 500_00 })
})

test('does not quarantine a refund whose payment is reconciled while it is looked up [MONEY-07]', async () => {
  const app = await paymentApp()
  const { row, completed } = await paidCheckout(app)
  const charge = app.provider.events().find(({ type }) => type === 'charge.succeeded')?.data
    .object as Stripe.Charge
  app.provider.refund(charge.id, 103_00)
  const refunded = app.provider.events().findLast(({ type }) => type === 'charge.refunded')
  app.provider.setFault({ answerAfterTimeout: true, delayMs: 600, failNext: 1 })
  const overtaking = post(app, { payload: JSON.stringify(refunded) })
  await new Promise(resolve => setTimeout(resolve, 200))
  expect((await post(app, { payload: JSON.stringify(completed) })).status).toBe(200)
  expect((await overtaking).status).toBe(200)
  const outcomes = app.deps.db.select().from(providerEvents).all()
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['applied', 'applied'])
  expect(app.payment(row.id)).toMatchObject({ status: 'succeeded', refundedAmountCents: 100_00 })
})

test('during an outage, counts a payment without card details, which the sweep adds, and asks for refunds to be redelivered', async () => {
  const app = await paymentApp()
  const { row, tenant } = await paidCheckout(app)
  app.provider.setFault({ hangUp: true })
  await app.provider.deliverDue()
  expect(app.payment(row.id)).toMatchObject({ status: 'succeeded', cardLast4: null })
  expect((await app.as(tenant).payments.history()).payments).toMatchObject([{ cardLast4: null }])
  const charge = app.provider.events().find(({ type }) => type === 'charge.succeeded')?.data
    .object as Stripe.Charge
  app.provider.refund(charge.id)
  const refunded = app.provider.events().find(({ type }) => type === 'charge.refunded')
  expect(await app.provider.deliverEvent(refunded?.id ?? '')).toEqual([503])
  expect(
    app.deps.db
      .select()
      .from(providerEvents)
      .where(eq(providerEvents.id, refunded?.id ?? ''))
      .all(),
  ).toEqual([])
  app.provider.setFault({})
  await sweepPayments(app.deps)
  expect(app.payment(row.id)).toMatchObject({ cardBrand: 'visa', cardLast4: '4242' })
  expect(await app.provider.deliverEvent(refunded?.id ?? '')).toEqual([200])
  expect(app.payment(row.id).status).toBe('refunded')
})

test('without webhooks, the sweep reconciles payments, and stops when the provider does not respond', async () => {
  const app = await paymentApp()
  const [one, two] = [await paidCheckout(app), await paidCheckout(app)]
  expect(await sweepPayments(app.deps)).toEqual({ checked: 0, reachable: true })
  app.advance(5 * 60_000)
  app.provider.setFault({ hangUp: true })
  expect(await sweepPayments(app.deps)).toEqual({ checked: 0, reachable: false })
  app.provider.setFault({})
  expect(await sweepPayments(app.deps)).toEqual({ checked: 2, reachable: true })
  expect([app.payment(one.row.id).status, app.payment(two.row.id).status]).toEqual(['succeeded', 'succeeded'])
  await app.provider.deliverDue()
  expect(app.receipts()).toHaveLength(2)
})

test('the sweep finds a bank transfer that failed without an event', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const row = await app.checkout(tenant, { paymentType: 'rent', amount: 1000_00 })
  app.provider.completeUnpaid(row.checkoutSessionId)
  app.advance(5 * 60_000)
  await sweepPayments(app.deps)
  expect(app.payment(row.id).status).toBe('processing')
  app.provider.settle(row.checkoutSessionId, false)
  await sweepPayments(app.deps)
  expect(app.payment(row.id).status).toBe('failed')
})

test('dates a bank transfer found by the sweep at that time, until its late event says when the bank paid [BOOK-01, MONEY-07]', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const row = await app.checkout(tenant, { paymentType: 'rent', amount: 1000_00 })
  app.provider.completeUnpaid(row.checkoutSessionId)
  const paidAt = `${app.deps.clock.now().toISOString().slice(0, 19)}.000Z`
  app.provider.settle(row.checkoutSessionId, true)
  app.advance(5 * 60_000)
  await sweepPayments(app.deps)
  const found = app.payment(row.id)
  expect(found).toMatchObject({ status: 'succeeded', paidAt: app.deps.clock.now().toISOString() })
  app.advance(24 * 3600_000)
  await app.provider.deliverDue()
  expect(app.payment(row.id)).toEqual({ ...found, paidAt })
  await sweepPayments(app.deps)
  expect(app.payment(row.id).paidAt).toBe(paidAt)
  const log = app.deps.db.select().from(events).where(eq(events.subjectId, row.id)).all()
  expect(log.filter(({ kind }) => kind === 'payment.paid')).toHaveLength(1)
})

test('the success page reconciles a payment before its webhook arrives, once and only for its tenant', async () => {
  const app = await paymentApp()
  const [stranger, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const tenant = await app.makeTenant()
  const row = await app.checkout(tenant)
  const ask = { sessionId: row.checkoutSessionId }
  expect(await app.as(tenant).payments.bySession(ask)).toMatchObject({
    payment: { status: 'pending', paidAt: null, receiptEmail: 'off' },
    receiptUrl: null,
  })
  expect(app.receipts()).toEqual([])
  app.provider.pay(row.checkoutSessionId)
  const before = app.snapshotState()
  await expect(app.as(stranger).payments.bySession(ask)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(app.as(tenant).payments.bySession({ sessionId: 'cs_test_none' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  expect(app.snapshotState()).toEqual(before)
  const answers = await Promise.all([1, 2, 3].map(() => app.as(tenant).payments.bySession(ask)))
  expect(answers[0]).toMatchObject({
    payment: { id: row.id, status: 'succeeded', cardLast4: '4242', receiptEmail: 'queued' },
    receiptUrl: expect.stringContaining('/receipts/'),
  })
  await app.provider.deliverDue()
  expect(app.receipts()).toHaveLength(1)
  expect(await app.as(admin).payments.bySession(ask)).toMatchObject({ payment: { status: 'succeeded' } })
})

test('shows the owner a mismatched response too', async () => {
  const app = await paymentApp()
  const { row, tenant } = await paidCheckout(app)
  await app.deps.write(tx =>
    tx.update(payments).set({ amountCents: 400_00 }).where(eq(payments.id, row.id)).run(),
  )
  await app.as(tenant).payments.bySession({ sessionId: row.checkoutSessionId })
  expect(app.payment(row.id).status).toBe('pending')
  const shown = await app.as(await app.makeAdmin()).payments.quarantined()
  expect(shown.events).toMatchObject([{ reason: expect.stringContaining('51500 cents where 41500') }])
})
