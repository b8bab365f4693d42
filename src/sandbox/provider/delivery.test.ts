import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildSessionParams, type RunningProvider, startProvider, stripeFor } from '../../testing/provider.ts'
import { testFolder } from '../../testing/test-folder.ts'

const webhookSecret = 'whsec_test'
let now: Date
let running: RunningProvider
let stripe: Stripe
let receiver: Awaited<ReturnType<typeof startReceiver>>
let folder: string

/** A webhook that verifies and stores events; `answer` returns the response status, or undefined to never respond. */
async function startReceiver() {
  const received: Stripe.Event[] = []
  const state = { received, answer: (): number | undefined => 200 }
  const server = createServer(async (request, response) => {
    const payload = await text(request)
    const event = Stripe.webhooks.constructEvent(
      payload,
      request.headers['stripe-signature'] ?? '',
      webhookSecret,
      300,
      undefined,
      now.getTime(),
    )
    received.push(event)
    const status = state.answer()
    if (status) response.writeHead(status).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}/api/webhook`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
}

function start(): Promise<RunningProvider> {
  return startProvider({
    file: join(folder, 'provider.sqlite'),
    now: () => now,
    webhookSecret,
    webhookUrl: () => receiver.url,
  })
}

function wait(seconds: number): void {
  now = new Date(now.getTime() + seconds * 1000)
}

const types = () => receiver.received.map(event => event.type)

beforeEach(async () => {
  folder = testFolder()
  now = new Date('2026-07-04T12:00:00Z')
  receiver = await startReceiver()
  running = await start()
  stripe = stripeFor(running)
})
afterEach(async () => {
  await running.close()
  receiver.close()
})

test('delivers a payment as signed events, each once', async () => {
  const { id } = await stripe.checkout.sessions.create(
    buildSessionParams({ client_reference_id: 'payment-1' }),
  )
  running.provider.pay(id)
  await running.provider.deliverDue()
  await running.provider.deliverDue()
  expect(types()).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'checkout.session.completed',
  ])
  expect(receiver.received[3]).toMatchObject({
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: now.getTime() / 1000,
    data: { object: { id, client_reference_id: 'payment-1', payment_status: 'paid', amount_total: 51_500 } },
    livemode: false,
  })
  expect(running.provider.waitingDeliveries()).toEqual([])
  const event = await stripe.events.retrieve(receiver.received[3]?.id ?? '')
  expect(event).toMatchObject({ pending_webhooks: 0, type: 'checkout.session.completed' })
})

test('delivers events for refunds, disputes and expiry', async () => {
  const { id } = await stripe.checkout.sessions.create(buildSessionParams())
  running.provider.pay(id)
  const session = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] })
  const chargeId = String((session.payment_intent as Stripe.PaymentIntent).latest_charge)
  running.provider.refund(chargeId, 500)
  const dispute = running.provider.openDispute(chargeId)
  running.provider.closeDispute(dispute.id, 'won')
  await stripe.checkout.sessions.create(buildSessionParams())
  wait(24 * 60 * 60)
  await running.provider.deliverDue()
  expect(types().slice(4)).toEqual([
    'refund.created',
    'charge.refunded',
    'refund.updated',
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.closed',
    'charge.dispute.funds_reinstated',
    'checkout.session.expired',
  ])
  expect(receiver.received.every(event => !event.livemode)).toBe(true)
})

test('retries a rejected or unanswered event with growing delays until it is accepted', async () => {
  receiver.answer = () => 500
  const { id } = await stripe.checkout.sessions.create(buildSessionParams())
  await stripe.checkout.sessions.expire(id)
  await running.provider.deliverDue()
  await running.provider.deliverDue()
  expect(types()).toEqual(['checkout.session.expired'])
  wait(1)
  await running.provider.deliverDue()
  wait(4)
  await running.provider.deliverDue()
  expect(receiver.received).toHaveLength(2)
  wait(1)
  receiver.answer = () => 302
  await running.provider.deliverDue()
  expect(receiver.received).toHaveLength(3)
  receiver.close()
  wait(15)
  await running.provider.deliverDue()
  expect(running.provider.waitingDeliveries()).toMatchObject([{ attempts: 4 }])
  receiver = await startReceiver()
  wait(60)
  await running.provider.deliverDue()
  expect(types()).toEqual(['checkout.session.expired'])
  expect(running.provider.waitingDeliveries()).toEqual([])
})

test('gives up on an undeliverable event after days; the API still returns it', async () => {
  receiver.answer = () => 503
  const { id } = await stripe.checkout.sessions.create(buildSessionParams())
  await stripe.checkout.sessions.expire(id)
  for (let hour = 0; hour < 120; hour++) {
    await running.provider.deliverDue()
    wait(3600)
  }
  expect(receiver.received.length).toBeGreaterThan(72)
  expect(running.provider.waitingDeliveries()).toEqual([])
  expect((await stripe.events.list({ type: 'checkout.session.expired' })).data).toHaveLength(1)
})

test('can hold, repeat and reorder deliveries', async () => {
  const { provider } = running
  provider.holdDeliveries(true)
  const { id } = await stripe.checkout.sessions.create(buildSessionParams())
  provider.pay(id)
  await provider.deliverDue()
  expect(receiver.received).toEqual([])
  const completed = provider.events().at(-1)
  expect(await provider.deliverEvent(completed?.id ?? '', 10)).toEqual(Array(10).fill(200))
  expect(new Set(receiver.received.map(event => event.id))).toEqual(new Set([completed?.id]))
  receiver.received.length = 0
  provider.holdDeliveries(false)
  provider.setDeliveryOrder('newest-first')
  await provider.deliverDue()
  expect(types()).toEqual([
    'checkout.session.completed',
    'payment_intent.succeeded',
    'charge.succeeded',
    'payment_intent.created',
  ])
})

test('keeps sessions, idempotency keys, payments and undelivered events after a restart', async () => {
  const params = buildSessionParams()
  const open = await stripe.checkout.sessions.create(params, { idempotencyKey: 'key-1' })
  const paid = await stripe.checkout.sessions.create(buildSessionParams())
  running.provider.pay(paid.id, { card: '5555 5555 5555 4444' })
  const truth = running.provider.truth()
  await running.close()
  running = await start()
  stripe = stripeFor(running)
  expect(running.provider.truth()).toEqual(truth)
  expect((await stripe.checkout.sessions.create(params, { idempotencyKey: 'key-1' })).id).toBe(open.id)
  const read = await stripe.checkout.sessions.retrieve(paid.id, {
    expand: ['payment_intent.latest_charge', 'line_items'],
  })
  expect(read).toMatchObject({
    line_items: { data: [{ amount_total: 50_000 }, { amount_total: 1_500 }] },
    payment_intent: {
      latest_charge: { payment_method_details: { card: { brand: 'mastercard', last4: '4444' } } },
    },
  })
  await running.provider.deliverDue()
  expect(types()).toContain('checkout.session.completed')
})

test('delivers events in the background, and aborts a hanging delivery on stop to send it later', async () => {
  receiver.answer = () => undefined
  const { id } = await stripe.checkout.sessions.create(buildSessionParams())
  await stripe.checkout.sessions.expire(id)
  running.provider.start()
  await expect.poll(() => receiver.received.length, { timeout: 5000 }).toBe(1)
  await running.provider.stop()
  expect(running.provider.waitingDeliveries()).toMatchObject([{ attempts: 0 }])
  receiver.answer = () => 204
  running.provider.start()
  await expect.poll(() => running.provider.waitingDeliveries().length, { timeout: 5000 }).toBe(0)
  expect(receiver.received).toHaveLength(2)
})

test('simulates an API that fails, is slow, drops connections or responds after the client’s timeout', async () => {
  const hurried = stripeFor(running, { timeout: 200 })
  const sessions = async () => (await stripe.checkout.sessions.list()).data.length
  const create = (key: string, client = stripe) =>
    client.checkout.sessions.create(buildSessionParams(), { idempotencyKey: key })

  running.provider.setFault({ failNext: 2 })
  await expect(create('a')).rejects.toMatchObject({ type: 'StripeAPIError', statusCode: 500 })
  await expect(create('a')).rejects.toMatchObject({ statusCode: 500 })
  expect(await sessions()).toBe(0)
  running.provider.setFault({ status: 429 })
  await expect(create('a')).rejects.toMatchObject({ type: 'StripeRateLimitError' })
  // The SDK retries once when a connection is dropped, regardless of `maxNetworkRetries`.
  running.provider.setFault({ hangUp: true, failNext: 2 })
  await expect(create('a')).rejects.toMatchObject({ type: 'StripeConnectionError' })
  running.provider.setFault({ delayMs: 60_000, failNext: 1 })
  await expect(create('a', hurried)).rejects.toMatchObject({ type: 'StripeConnectionError' })
  expect(await sessions()).toBe(0)

  running.provider.setFault({ answerAfterTimeout: true, delayMs: 400, failNext: 1 })
  await expect(create('b', hurried)).rejects.toMatchObject({ type: 'StripeConnectionError' })
  running.provider.setFault({ answerAfterTimeout: true, hangUp: true, failNext: 2 })
  await expect(create('c')).rejects.toMatchObject({ type: 'StripeConnectionError' })
  expect(await sessions()).toBe(2)
  const repeated = await create('b')
  expect(repeated.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect(await sessions()).toBe(2)
})
