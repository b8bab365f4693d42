import { createHmac } from 'node:crypto'
import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectProvider } from '../../server/money/payments/stripe.ts'
import { type Account, apply, checkout, openPortal, type Portal, waitFor, webhookSecret } from './portal.ts'

let portal: Portal
let admin: Account
beforeAll(async () => {
  portal = await openPortal()
  admin = await portal.admin()
  // The tests send every event themselves.
  portal.providerServer.provider.holdDeliveries(true)
})
afterAll(() => portal.close())

/** Signs by the provider's published scheme, without its SDK. */
function sign(payload: string, { secret = webhookSecret, ageSeconds = 0 } = {}): string {
  const at = Math.floor(Date.now() / 1000) - ageSeconds
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')}`
}

function send(payload: string, signature: string | undefined = sign(payload)) {
  const headers = { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) }
  return portal.call('POST', '/api/payment/webhook', { raw: payload, headers })
}

async function openCheckout() {
  const tenant = await portal.tenant()
  const { id: applicationId } = await apply(portal, tenant, admin)
  const body = checkout({ applicationId })
  const { url } = await portal.expectOk(
    portal.call('POST', '/api/payment/create-checkout-session', { token: tenant.token, body }),
  )
  return { tenant, applicationId, sessionId: new URL(url).pathname.split('/').at(-1) ?? '' }
}

/** A paid checkout and the provider's event about it, which has not been sent yet. */
async function paidCheckout() {
  const open = await openCheckout()
  portal.providerServer.provider.pay(open.sessionId)
  return { ...open, event: eventOf(open.sessionId, 'checkout.session.completed') }
}

function eventOf(sessionId: string, type: string): Stripe.Event {
  const event = portal.providerServer.provider
    .events()
    .find(({ data, type: found }) => found === type && 'id' in data.object && data.object.id === sessionId)
  if (!event) throw new Error(`no ${type}`)
  return event
}

const payments = (sessionId: string) =>
  portal.database(db =>
    db.prepare('select status, paid_at from payments where checkout_session_id = ?').all(sessionId),
  ) as { status: string; paid_at: string | null }[]
const receipts = (tenant: Account) =>
  portal.database(db =>
    db
      .prepare("select count(*) from outbox where kind = 'payment-receipt' and to_address = ?")
      .pluck()
      .get(tenant.email),
  )
const altered = (event: Stripe.Event, overrides: object, of: object = {}): string =>
  JSON.stringify({
    ...event,
    id: `evt_${crypto.randomUUID()}`,
    ...of,
    data: { object: { ...event.data.object, ...overrides } },
  })

test('rejects a missing, wrong or five-minute-old signature, and a re-serialized body', async () => {
  const { event, sessionId } = await paidCheckout()
  const payload = JSON.stringify(event, null, 2)
  for (const signature of [
    '',
    't=1,v1=00',
    'garbage',
    sign(payload, { secret: 'whsec_of_somebody' }),
    sign(payload, { ageSeconds: 301 }),
    sign(JSON.stringify(event)),
    sign(payload).replace('v1=', 'v0='),
  ])
    await portal.expectRejected(400, () => send(payload, signature))
  await portal.expectRejected(400, () => send(JSON.stringify(event), sign(payload)))
  await portal.expectRejected(400, () => send('', sign('')))
  for (const none of ['{}', 'null', '[]', '"x"', '{"id":{},"type":"checkout.session.completed"}'])
    await portal.expectRejected(400, () => send(none))
  await portal.expectRejected(413, () => send(`{"x":"${'x'.repeat(513 * 1024)}"}`))
  expect((await send(payload)).status).toBe(200)
  expect(payments(sessionId)).toMatchObject([{ status: 'succeeded' }])
})

test('quarantines an event with an unknown session, wrong amount, currency or mode with a 2xx, and shows it to the owner', async () => {
  const { event, sessionId, tenant } = await paidCheckout()
  const strange: [string, string][] = [
    [
      'No payment here',
      altered(event, { id: 'cs_test_unknown', client_reference_id: 'unknown', metadata: {} }),
    ],
    ['total is 1 cents', altered(event, { amount_total: 1 })],
    ['currency is jpy', altered(event, { currency: 'jpy' })],
    ['mode is subscription', altered(event, { mode: 'subscription' })],
    ['could not be read', altered(event, { amount_total: '51500' })],
    ['could not be read', altered(event, { payment_intent: '../refunds', expires_at: null })],
    ['real money', altered(event, { livemode: true }, { livemode: true })],
  ]
  for (const [reason, payload] of strange) {
    const { status, body } = await send(payload)
    expect({ status, body }).toEqual({ status: 200, body: { received: true } })
    const { notices } = (await portal.expectOk(portal.query('notices.list', { token: admin.token }))).result
      .data
    expect(notices.map(({ detail }: { detail: string }) => detail)).toContainEqual(
      expect.stringContaining(reason),
    )
  }
  expect(payments(sessionId)).toEqual([{ status: 'pending', paid_at: null }])
  expect(receipts(tenant)).toBe(0)
})

test('payment_status=unpaid does not count as paid', async () => {
  const { sessionId, tenant, applicationId } = await openCheckout()
  portal.providerServer.provider.completeUnpaid(sessionId)
  const event = eventOf(sessionId, 'checkout.session.completed')
  expect(event.data.object).toMatchObject({ payment_status: 'unpaid' })
  expect((await send(JSON.stringify(event))).status).toBe(200)
  expect(payments(sessionId)).toEqual([{ status: 'processing', paid_at: null }])
  expect(receipts(tenant)).toBe(0)
  const options = (await portal.expectOk(portal.query('payments.options', { token: tenant.token }))).result
    .data
  expect(options.applications).toMatchObject([{ id: applicationId, balance: { paidCents: 0 } }])
})

test('counts an event once when it is sent twice, ten times at once, in reverse order, or before the session’s commit', async () => {
  const twice = await paidCheckout()
  const payload = JSON.stringify(twice.event)
  const answers = [
    await send(payload),
    await send(payload),
    ...(await Promise.all(Array.from({ length: 10 }, () => send(payload)))),
  ]
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(payments(twice.sessionId)).toHaveLength(1)
  expect(receipts(twice.tenant)).toBe(1)

  const reversed = await paidCheckout()
  const charge = portal.providerServer.provider
    .events()
    .findLast(({ type }) => type === 'charge.succeeded' || type === 'payment_intent.succeeded')
  if (charge) expect((await send(JSON.stringify(charge))).status).toBe(200)
  expect((await send(JSON.stringify(reversed.event))).status).toBe(200)
  expect(payments(reversed.sessionId)).toMatchObject([{ status: 'succeeded' }])

  // The refund arrives before the payment's event and still counts.
  const returned = await paidCheckout()
  const intent = returned.event.data.object as Stripe.Checkout.Session
  const { stripe } = connectProvider(portal.providerServer.url, 'sk_test_of_the_wire', webhookSecret)
  await stripe.refunds.create({ payment_intent: String(intent.payment_intent) })
  const refunded = portal.providerServer.provider.events().findLast(({ type }) => type === 'charge.refunded')
  expect((await send(JSON.stringify(refunded))).status).toBe(200)
  expect((await send(JSON.stringify(returned.event))).status).toBe(200)
  expect((await send(JSON.stringify(refunded))).status).toBe(200)
  expect(payments(returned.sessionId)).toMatchObject([{ status: 'refunded' }])

  // The provider is slow: its event arrives before the response with the session.
  portal.providerServer.provider.setFault({ answerAfterTimeout: true, delayMs: 2000, failNext: 1 })
  const tenant = await portal.tenant()
  const { id: applicationId } = await apply(portal, tenant, admin)
  const known = Object.keys(portal.providerServer.provider.truth())
  const asked = portal.call('POST', '/api/payment/create-checkout-session', {
    token: tenant.token,
    body: checkout({ applicationId }),
  })
  const sessionId = await waitFor(() =>
    Object.keys(portal.providerServer.provider.truth()).find(id => !known.includes(id)),
  )
  portal.providerServer.provider.pay(sessionId)
  const early = JSON.stringify(eventOf(sessionId, 'checkout.session.completed'))
  expect((await send(early)).status).toBe(200)
  // Nothing is left to pay: the response leads to the payment that was made.
  const { url } = await portal.expectOk(asked)
  expect(url).toBe(`${portal.url}/payment/success?session_id=${sessionId}`)
  expect(payments(sessionId)).toMatchObject([{ status: 'succeeded' }])
  expect(receipts(tenant)).toBe(1)
})
