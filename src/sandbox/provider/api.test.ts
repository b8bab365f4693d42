import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildSessionParams, type RunningProvider, startProvider, stripeFor } from '../../testing/provider.ts'

let now: Date
let running: RunningProvider
let stripe: Stripe

beforeEach(async () => {
  now = new Date('2026-07-04T12:00:00Z')
  running = await startProvider({
    now: () => now,
    webhookSecret: 'whsec_test',
    webhookUrl: () => 'http://127.0.0.1:9/webhook',
  })
  stripe = stripeFor(running)
})
afterEach(() => running.close())

async function refusalOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error('The call was not refused')
  return error
}

async function paidSession(overrides?: Partial<Stripe.Checkout.SessionCreateParams>) {
  const { id } = await stripe.checkout.sessions.create(buildSessionParams(overrides))
  running.provider.pay(id)
  const session = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] })
  const intent = session.payment_intent as Stripe.PaymentIntent
  return { session, intent, charge: intent.latest_charge as Stripe.Charge }
}

test('creates an open, unpaid session with the given parameters', async () => {
  const params = buildSessionParams({
    client_reference_id: 'payment-1',
    customer_email: 'guest@example.com',
    metadata: { paymentId: 'payment-1', 'odd key': 'a&b=c[d]' },
    payment_intent_data: { metadata: { paymentId: 'payment-1' }, description: 'Deposit' },
    expires_at: Math.floor(now.getTime() / 1000) + 1800,
  })
  const session = await stripe.checkout.sessions.create(params)
  expect(session).toMatchObject({
    object: 'checkout.session',
    amount_total: 51_500,
    amount_subtotal: 51_500,
    client_reference_id: 'payment-1',
    created: now.getTime() / 1000,
    currency: 'usd',
    customer_email: 'guest@example.com',
    expires_at: now.getTime() / 1000 + 1800,
    livemode: false,
    metadata: { paymentId: 'payment-1', 'odd key': 'a&b=c[d]' },
    mode: 'payment',
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    url: `${running.url}/sandbox/pay/${session.id}`,
  })
  expect(session.id).toMatch(/^cs_test_\w{60}$/)
  expect(session.lastResponse.requestId).toMatch(/^req_\w+$/)
  const read = await stripe.checkout.sessions.retrieve(session.id, { expand: ['line_items'] })
  expect(read.line_items?.data.map(item => [item.description, item.amount_total])).toEqual([
    ['Security deposit', 50_000],
    ['Card fee', 1_500],
  ])
  const items = await stripe.checkout.sessions.listLineItems(session.id)
  expect(items.data).toEqual(read.line_items?.data)
})

test('expands a paid session to its charge, card and receipt', async () => {
  const { charge, intent, session } = await paidSession({
    payment_intent_data: { metadata: { paymentId: 'p1' } },
  })
  expect(session).toMatchObject({ status: 'complete', payment_status: 'paid', url: null })
  expect(intent).toMatchObject({
    amount: 51_500,
    amount_received: 51_500,
    metadata: { paymentId: 'p1' },
    status: 'succeeded',
  })
  expect(charge).toMatchObject({
    amount: 51_500,
    amount_refunded: 0,
    captured: true,
    paid: true,
    payment_intent: intent.id,
    payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
    receipt_url: `${running.url}/sandbox/receipts/${charge.id}`,
    status: 'succeeded',
  })
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ latest_charge: charge.id })
  expect(await stripe.charges.retrieve(charge.id, { expand: ['payment_intent'] })).toMatchObject({
    payment_intent: { id: intent.id },
  })
  const listed = await stripe.checkout.sessions.list({
    payment_intent: intent.id,
    expand: ['data.payment_intent'],
  })
  expect(listed.data).toMatchObject([{ id: session.id, payment_intent: { id: intent.id } }])
})

test.each([
  ['no line items', { line_items: undefined }, 'parameter_missing', 'line_items'],
  ['an unknown parameter', { colour: 'blue' }, 'parameter_unknown', 'colour'],
  [
    'a parameter that the API no longer has',
    { payment_method_types: ['card'] },
    'parameter_unknown',
    'payment_method_types',
  ],
  ['a bad address', { success_url: 'javascript:alert(1)' }, 'url_invalid', 'success_url'],
  ['a bad email', { customer_email: 'a@x.com,b@y.com' }, 'email_invalid', 'customer_email'],
  ['another mode', { mode: 'subscription' }, undefined, 'mode'],
  ['too short a life', { expires_at: 1_783_166_400 + 1799 }, undefined, 'expires_at'],
  ['too long a life', { expires_at: 1_783_166_400 + 86_401 }, undefined, 'expires_at'],
])('rejects a session with %s and creates none', async (_name, overrides, code, param) => {
  const params = buildSessionParams(overrides as Partial<Stripe.Checkout.SessionCreateParams>)
  const error = await refusalOf(stripe.checkout.sessions.create(params))
  expect(error).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, code, param })
  expect((await stripe.checkout.sessions.list()).data).toEqual([])
})

test('rejects an unknown parameter in a query or a body, even if nested [FIX-04]', async () => {
  const { id } = await stripe.checkout.sessions.create(buildSessionParams())
  const send = (method: string, path: string, body?: string) =>
    fetch(`${running.url}${path}`, {
      method,
      headers: { authorization: 'Bearer sk_test_x', 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
  const cases: [string, Response][] = [
    ['colour', await send('GET', `/v1/checkout/sessions/${id}?colour=blue`)],
    ['client_reference_id', await send('GET', '/v1/checkout/sessions?client_reference_id=x')],
    ['created[since]', await send('GET', '/v1/checkout/sessions?created[since]=1')],
    ['colour', await send('POST', `/v1/checkout/sessions/${id}/expire`, 'colour=blue')],
    ['colour', await send('POST', `/v1/checkout/sessions/${id}/expire?colour=blue`)],
    ['customer', await send('GET', '/v1/refunds?customer=cus_1')],
    ['colour', await send('GET', '/v1/payment_intents/pi_1?colour=blue')],
  ]
  for (const [param, response] of cases) {
    expect(response.status, response.url).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { message: `Received unknown parameter: ${param}`, param },
    })
  }
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open' })
})

test.each([
  [49, 'amount_too_small', undefined],
  [100_000_000, 'amount_too_large', undefined],
  [10.5, 'parameter_invalid_integer', 'line_items[0][price_data][unit_amount]'],
  [-100, 'parameter_invalid_integer', 'line_items[0][price_data][unit_amount]'],
])('rejects a total of %s cents', async (unit_amount, code, param) => {
  const line_items = [{ price_data: { currency: 'usd', unit_amount, product_data: { name: 'Rent' } } }]
  const error = await refusalOf(stripe.checkout.sessions.create(buildSessionParams({ line_items })))
  expect(error).toMatchObject({ code, param, statusCode: 400 })
})

test('returns 404 for unknown ids and unknown paths', async () => {
  const calls = [
    stripe.checkout.sessions.retrieve('cs_test_none'),
    stripe.paymentIntents.retrieve('pi_none'),
    stripe.charges.retrieve('ch_none'),
    stripe.refunds.retrieve('re_none'),
    stripe.events.retrieve('evt_none'),
    stripe.refunds.create({ charge: 'ch_none' }),
  ]
  for (const call of calls) {
    expect(await refusalOf(call)).toMatchObject({ code: 'resource_missing', statusCode: 404 })
  }
  expect(await refusalOf(stripe.customers.list())).toMatchObject({ statusCode: 404 })
})

test.each([
  ['no key', undefined],
  ['another scheme', 'Basic c2tfdGVzdA=='],
  ['a publishable key', 'Bearer pk_test_1'],
  ['a live key', 'Bearer sk_live_1'],
])('returns 401 in the provider’s format for %s', async (_name, authorization) => {
  const response = await fetch(`${running.url}/v1/checkout/sessions`, {
    headers: authorization ? { authorization } : {},
  })
  expect(response.status).toBe(401)
  expect(response.headers.get('request-id')).toMatch(/^req_/)
  expect(await response.json()).toMatchObject({
    error: { type: 'invalid_request_error', message: expect.any(String) },
  })
})

test('returns the same session for a repeated idempotency key, and rejects another body', async () => {
  const options = { idempotencyKey: 'payment-1' }
  const first = await stripe.checkout.sessions.create(buildSessionParams(), options)
  const second = await stripe.checkout.sessions.create(buildSessionParams(), options)
  expect(second.id).toBe(first.id)
  expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined()
  const other = buildSessionParams({ client_reference_id: 'another' })
  const error = await refusalOf(stripe.checkout.sessions.create(other, options))
  expect(error).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 })
  expect((await stripe.checkout.sessions.list()).data).toHaveLength(1)
  now = new Date(now.getTime() + 25 * 60 * 60 * 1000)
  expect((await stripe.checkout.sessions.create(other, options)).id).not.toBe(first.id)
})

test('stores a failed action under its idempotency key, but not a parameter error', async () => {
  const { charge } = await paidSession()
  const options = { idempotencyKey: 'refund-1' }
  const tooMuch = { charge: charge.id, amount: 60_000 }
  expect(await refusalOf(stripe.refunds.create(tooMuch, options))).toMatchObject({ param: 'amount' })
  const again = await refusalOf(stripe.refunds.create(tooMuch, options))
  expect(again.headers?.['idempotent-replayed']).toBe('true')
  const wrong = { idempotencyKey: 'refund-2' }
  await refusalOf(stripe.refunds.create({ charge: charge.id, amount: -1 }, wrong))
  expect(await stripe.refunds.create({ charge: charge.id, amount: 1 }, wrong)).toMatchObject({ amount: 1 })
})

test('expires an open session once, and never a paid session', async () => {
  const open = await stripe.checkout.sessions.create(buildSessionParams())
  running.provider.decline(open.id)
  expect(await stripe.checkout.sessions.expire(open.id)).toMatchObject({ status: 'expired', url: null })
  expect(await refusalOf(stripe.checkout.sessions.expire(open.id))).toMatchObject({ statusCode: 400 })
  const { session } = await paidSession()
  expect(await refusalOf(stripe.checkout.sessions.expire(session.id))).toMatchObject({ statusCode: 400 })
  expect(() => running.provider.pay(open.id)).toThrow('expired')
  const expired = await stripe.checkout.sessions.retrieve(open.id, { expand: ['payment_intent'] })
  expect(expired.payment_intent).toMatchObject({ status: 'canceled' })
})

test('expires a session automatically at its expiration time', async () => {
  const { id } = await stripe.checkout.sessions.create(buildSessionParams())
  now = new Date(now.getTime() + 24 * 60 * 60 * 1000 - 1)
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open' })
  now = new Date(now.getTime() + 1)
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'expired' })
  const { data } = await stripe.events.list({ type: 'checkout.session.expired' })
  expect(data).toMatchObject([{ data: { object: { id, status: 'expired' } }, livemode: false }])
})

test('refunds a part and then the rest, but not more', async () => {
  const { charge, intent, session } = await paidSession()
  const part = await stripe.refunds.create({
    payment_intent: intent.id,
    amount: 10_000,
    reason: 'requested_by_customer',
    metadata: { why: 'early departure' },
  })
  expect(part).toMatchObject({
    object: 'refund',
    amount: 10_000,
    charge: charge.id,
    metadata: { why: 'early departure' },
    payment_intent: intent.id,
    status: 'succeeded',
  })
  const tooMuch = await refusalOf(stripe.refunds.create({ charge: charge.id, amount: 41_501 }))
  expect(tooMuch.message).toContain('($415.01) is greater than unrefunded amount on charge ($415.00)')
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 10_000, refunded: false })
  expect(await stripe.refunds.create({ charge: charge.id })).toMatchObject({ amount: 41_500 })
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 51_500, refunded: true })
  const done = await refusalOf(stripe.refunds.create({ charge: charge.id }))
  expect(done).toMatchObject({ code: 'charge_already_refunded' })
  expect(await stripe.refunds.retrieve(part.id, { expand: ['charge'] })).toMatchObject({
    charge: { id: charge.id },
  })
  for (const filter of [{ payment_intent: intent.id }, { charge: charge.id }]) {
    expect((await stripe.refunds.list(filter)).data.map(refund => refund.amount)).toEqual([41_500, 10_000])
  }
  expect(running.provider.truth()[session.id]).toEqual({
    amount_total: 51_500,
    paid: 51_500,
    refunded: 51_500,
    disputed: 0,
  })
  const { data } = await stripe.events.list({ type: 'charge.refunded' })
  expect(data.map(event => (event.data.object as Stripe.Charge).amount_refunded)).toEqual([51_500, 10_000])
})

test('rejects a refund of an unpaid session', async () => {
  const { id } = await stripe.checkout.sessions.create(buildSessionParams())
  running.provider.decline(id)
  const session = await stripe.checkout.sessions.retrieve(id)
  const error = await refusalOf(stripe.refunds.create({ payment_intent: String(session.payment_intent) }))
  expect(error.statusCode).toBe(400)
  expect(await refusalOf(stripe.refunds.create({}))).toMatchObject({ statusCode: 400 })
})

test('a dispute withholds the money until it is won', async () => {
  const { charge, intent, session } = await paidSession()
  const dispute = running.provider.openDispute(charge.id)
  const { data } = await stripe.disputes.list({ payment_intent: intent.id })
  expect(data).toMatchObject([
    { id: dispute.id, amount: 51_500, charge: charge.id, status: 'needs_response' },
  ])
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ disputed: true })
  expect(running.provider.truth()[session.id]).toMatchObject({ disputed: 51_500, paid: 51_500 })
  expect(await refusalOf(stripe.refunds.create({ charge: charge.id }))).toMatchObject({
    code: 'charge_disputed',
  })
  running.provider.closeDispute(dispute.id, 'won')
  expect(await stripe.disputes.retrieve(dispute.id)).toMatchObject({ status: 'won' })
  expect(running.provider.truth()[session.id]).toMatchObject({ disputed: 0 })
  expect(await stripe.refunds.create({ charge: charge.id, amount: 500 })).toMatchObject({ amount: 500 })
  expect(() => running.provider.closeDispute(dispute.id, 'lost')).toThrow('closed already')
})

test('several partial disputes withhold their amounts; an inquiry withholds nothing until it becomes a dispute', async () => {
  const { charge, session } = await paidSession()
  const withheld = () => running.provider.truth()[session.id]?.disputed
  const inquiry = running.provider.openDispute(charge.id, {
    amount: 20_000,
    status: 'warning_needs_response',
  })
  expect(withheld()).toBe(0)
  running.provider.openDispute(charge.id, { amount: 10_000 })
  expect(running.provider.advanceDispute(inquiry.id).status).toBe('needs_response')
  expect(running.provider.advanceDispute(inquiry.id).status).toBe('under_review')
  expect(withheld()).toBe(30_000)
  expect(await stripe.refunds.create({ charge: charge.id })).toMatchObject({ amount: 21_500 })
  expect(running.provider.closeDispute(inquiry.id, 'won').status).toBe('won')
  const other = running.provider.openDispute(charge.id, { status: 'warning_needs_response' })
  expect(other.amount).toBe(20_000)
  expect(running.provider.closeDispute(other.id, 'lost').status).toBe('warning_closed')
  expect(withheld()).toBe(10_000)
})

test('a lost dispute withholds the money for good', async () => {
  const { charge, session } = await paidSession()
  running.provider.refund(charge.id, 1_500)
  const dispute = running.provider.openDispute(charge.id)
  running.provider.closeDispute(dispute.id, 'lost')
  expect(running.provider.truth()[session.id]).toMatchObject({ disputed: 50_000, refunded: 1_500 })
})

test('a bank transfer completes the session unpaid, and later settles or fails', async () => {
  const arrives = await stripe.checkout.sessions.create(buildSessionParams())
  const fails = await stripe.checkout.sessions.create(buildSessionParams())
  for (const { id } of [arrives, fails]) {
    expect(running.provider.completeUnpaid(id)).toEqual({ paid: false, pending: true })
    expect(
      await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] }),
    ).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
      payment_intent: { status: 'processing', latest_charge: { status: 'pending', receipt_url: null } },
    })
  }
  running.provider.settle(arrives.id, true)
  running.provider.settle(fails.id, false)
  expect(await stripe.checkout.sessions.retrieve(arrives.id)).toMatchObject({ payment_status: 'paid' })
  expect(await stripe.checkout.sessions.retrieve(fails.id, { expand: ['payment_intent'] })).toMatchObject({
    status: 'complete',
    payment_status: 'unpaid',
    payment_intent: {
      status: 'requires_payment_method',
      last_payment_error: { code: 'insufficient_funds' },
    },
  })
  const types = running.provider.events().map(event => event.type)
  expect(types.filter(type => type.startsWith('checkout.session.async'))).toEqual([
    'checkout.session.async_payment_succeeded',
    'checkout.session.async_payment_failed',
  ])
  const truth = running.provider.truth()
  expect([truth[arrives.id]?.paid, truth[fails.id]?.paid]).toEqual([51_500, 0])
  expect(() => running.provider.settle(fails.id, true)).toThrow('on its way')
})

test('paginates lists, newest first', async () => {
  const ids: string[] = []
  for (let i = 0; i < 5; i++) {
    now = new Date(now.getTime() + 1000)
    ids.unshift((await stripe.checkout.sessions.create(buildSessionParams())).id)
  }
  const first = await stripe.checkout.sessions.list({ limit: 2 })
  expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect(first.has_more).toBe(true)
  const all: string[] = []
  for await (const session of stripe.checkout.sessions.list({ limit: 2 })) all.push(session.id)
  expect(all).toEqual(ids)
  const since = await stripe.checkout.sessions.list({ created: { gte: Math.floor(now.getTime() / 1000) } })
  expect(since.data.map(({ id }) => id)).toEqual(ids.slice(0, 1))
  expect(await refusalOf(stripe.checkout.sessions.list({ limit: 101 }))).toMatchObject({ param: 'limit' })
})

test('rejects a property that cannot be expanded', async () => {
  const { id } = await stripe.checkout.sessions.create(buildSessionParams())
  const error = await refusalOf(stripe.checkout.sessions.retrieve(id, { expand: ['nonsense'] }))
  expect(error.message).toBe('This property cannot be expanded (nonsense).')
})

test('stores a 500 during the work under its idempotency key and replays it for 24 hours [FIX-04]', async () => {
  const options = { idempotencyKey: 'payment-1' }
  const create = () => stripe.checkout.sessions.create(buildSessionParams(), options)
  running.provider.setFault({ failurePoint: 'before-work', failNext: 1 })
  const first = await refusalOf(create())
  expect(first).toMatchObject({ type: 'StripeAPIError', statusCode: 500 })
  expect(first.headers?.['stripe-should-retry']).toBe('false')
  const again = await refusalOf(create())
  expect(again).toMatchObject({ type: 'StripeAPIError', statusCode: 500, message: first.message })
  expect(again.headers?.['idempotent-replayed']).toBe('true')
  expect((await stripe.checkout.sessions.list()).data).toEqual([])
  const other = stripe.checkout.sessions.create(buildSessionParams({ client_reference_id: 'b' }), options)
  expect(await refusalOf(other)).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 })
  now = new Date(now.getTime() + 24 * 60 * 60 * 1000)
  expect(await refusalOf(create())).toMatchObject({ statusCode: 500 })
  now = new Date(now.getTime() + 1)
  expect(await create()).toMatchObject({ status: 'open' })
})

test('stores a 500 after the work too, and keeps the created object [FIX-04]', async () => {
  const options = { idempotencyKey: 'payment-1' }
  const params = buildSessionParams({ client_reference_id: 'payment-1' })
  running.provider.setFault({ failurePoint: 'after-work', failNext: 1 })
  expect(await refusalOf(stripe.checkout.sessions.create(params, options))).toMatchObject({ statusCode: 500 })
  expect(await refusalOf(stripe.checkout.sessions.create(params, options))).toMatchObject({ statusCode: 500 })
  const { data } = await stripe.checkout.sessions.list()
  expect(data).toMatchObject([{ client_reference_id: 'payment-1', status: 'open' }])
})

test('stores nothing under the key for a 500 or 429 before the work, a lost connection or a parameter error [FIX-04]', async () => {
  const options = { idempotencyKey: 'payment-1' }
  for (const [fault, statusCode] of [
    [{ status: 500 }, 500],
    [{ status: 429 }, 429],
    [{ hangUp: true }, undefined],
  ] as const) {
    running.provider.setFault(fault)
    const refused = await refusalOf(stripe.checkout.sessions.create(buildSessionParams(), options))
    expect(refused.statusCode).toBe(statusCode)
  }
  running.provider.setFault({ failurePoint: 'after-work' })
  const wrong = buildSessionParams({ success_url: 'nowhere' })
  expect(await refusalOf(stripe.checkout.sessions.create(wrong, options))).toMatchObject({ statusCode: 400 })
  // The SDK retries once when a connection is dropped.
  running.provider.setFault({ answerAfterTimeout: true, hangUp: true, failNext: 2 })
  const lost = stripe.checkout.sessions.create(buildSessionParams(), options)
  await expect(lost).rejects.toThrow(Stripe.errors.StripeConnectionError)
  const made = await stripe.checkout.sessions.create(buildSessionParams(), options)
  expect(made.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect((await stripe.checkout.sessions.list()).data.map(({ id }) => id)).toEqual([made.id])
})

test('limits a fault to matching calls, and counts only those [FIX-04]', async () => {
  const { id } = await stripe.checkout.sessions.create(buildSessionParams())
  running.provider.setFault({ status: 500, only: `GET /v1/checkout/sessions/${id}`, failNext: 1 })
  await stripe.checkout.sessions.list()
  expect(await refusalOf(stripe.checkout.sessions.retrieve(id))).toMatchObject({ statusCode: 500 })
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ id })
})
