import { join } from 'node:path'
import type Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildSessionParams, type RunningProvider, startProvider, stripeFor } from '../../testing/provider.ts'
import { testFolder } from '../../testing/test-folder.ts'

let now: Date
let running: RunningProvider
let stripe: Stripe

beforeEach(async () => {
  now = new Date('2026-07-04T12:00:00Z')
  running = await startProvider({
    merchantName: 'Sea & Sand',
    now: () => now,
    webhookSecret: 'whsec_test',
    webhookUrl: () => 'http://127.0.0.1:9/webhook',
  })
  stripe = stripeFor(running)
})
afterEach(() => running.close())

async function open(overrides?: Partial<Stripe.Checkout.SessionCreateParams>) {
  const session = await stripe.checkout.sessions.create(
    buildSessionParams({ customer_email: 'guest@example.com', ...overrides }),
  )
  return { id: session.id, url: session.url ?? '' }
}

async function see(url: string): Promise<string> {
  return (await fetch(url)).text()
}

function press(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
}

async function retrieve(id: string) {
  const session = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] })
  const intent = session.payment_intent as Stripe.PaymentIntent | null
  return { session, intent, charge: intent?.latest_charge as Stripe.Charge | null | undefined }
}

test('shows the demo notice, line items, amounts and the payer', async () => {
  const { url } = await open()
  const page = await see(url)
  for (const words of [
    'Demo: no real money moves',
    'Sea &amp; Sand',
    'Security deposit',
    '$500.00',
    'Card fee',
    '$15.00',
    '$515.00',
    '4242 4242 4242 4242',
    'Bank transfer (slow)',
    '>Pay</button>',
    '>Decline</button>',
    '>Cancel</button>',
  ]) {
    expect(page).toContain(words)
  }
  expect(page).toMatch(/<input[^>]*readOnly=""[^>]*value="guest@example.com"/i)
})

test('runs no script, loads no resources, and escapes names', async () => {
  const name = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
  const { url } = await open({
    line_items: [{ price_data: { currency: 'usd', unit_amount: 5000, product_data: { name } } }],
  })
  const response = await fetch(url)
  const page = await response.text()
  expect(page).not.toMatch(/<script|<img|src=(?!x)|@import|url\(/)
  expect(page).toContain('&lt;script&gt;')
  const policy = response.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("form-action 'self' http://localhost:3000;")
  expect(policy).not.toContain('unsafe')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
})

test('Pay charges the card and redirects to the success page with the session id', async () => {
  const { id, url } = await open()
  const response = await press(url, { action: 'pay', card: '5555555555554444', name: 'Ann Guest' })
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe(`http://localhost:3000/payment/success?session_id=${id}`)
  const { charge, session } = await retrieve(id)
  expect(session).toMatchObject({
    payment_status: 'paid',
    customer_details: { email: 'guest@example.com', name: 'Ann Guest' },
  })
  expect(charge?.payment_method_details?.card).toMatchObject({ brand: 'mastercard', last4: '4444' })
})

test('the payer cannot change an email address set by the merchant', async () => {
  const { id, url } = await open()
  await press(url, { action: 'pay', email: 'other@example.com' })
  expect((await retrieve(id)).session.customer_details?.email).toBe('guest@example.com')
  const without = await open({ customer_email: undefined })
  expect(await (await press(without.url, { action: 'pay' })).text()).toContain('enter your email address')
  await press(without.url, { action: 'pay', email: 'own@example.com' })
  expect((await retrieve(without.id)).session.customer_details?.email).toBe('own@example.com')
})

test('a double click pays once', async () => {
  const { id, url } = await open()
  const both = await Promise.all([press(url, { action: 'pay' }), press(url, { action: 'pay' })])
  expect(both.map(response => response.status)).toEqual([303, 303])
  expect(both[0].headers.get('location')).toBe(both[1].headers.get('location'))
  const { intent } = await retrieve(id)
  expect((await stripe.charges.list({ payment_intent: intent?.id })).data).toHaveLength(1)
})

test.each([
  ['Decline', { action: 'decline' }, 'Your card was declined.'],
  ['a declined card', { action: 'pay', card: '4000 0000 0000 0002' }, 'Your card was declined.'],
  ['an empty account', { action: 'pay', card: '4000000000009995' }, 'insufficient funds'],
])('%s shows an error, charges nothing, and leaves the session open', async (_name, fields, message) => {
  const { id, url } = await open()
  const response = await press(url, fields)
  expect(response.status).toBe(200)
  const page = await response.text()
  expect(page).toMatch(/role="alert"/)
  expect(page).toContain(message)
  const { charge, intent, session } = await retrieve(id)
  expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid' })
  expect(intent).toMatchObject({
    amount_received: 0,
    status: 'requires_payment_method',
    last_payment_error: { code: 'card_declined' },
  })
  expect(charge).toMatchObject({ status: 'failed', paid: false, receipt_url: null })
  expect(running.provider.events().map(event => event.type)).toContain('payment_intent.payment_failed')
  expect((await press(url, { action: 'pay' })).status).toBe(303)
  expect((await retrieve(id)).session).toMatchObject({
    payment_status: 'paid',
    payment_intent: { id: intent?.id },
  })
})

test.each([
  ['an unknown card', { card: '4111 1111 1111 1111' }, 'Only the test cards work here'],
  ['an expired card', { expiry: '06 / 26' }, 'expiry date in the future'],
  ['a month that is none', { expiry: '13 / 30' }, 'expiry date in the future'],
  ['a short CVC', { cvc: '1' }, 'three or four digits'],
  ['an unknown account', { method: 'bank', account: '1234' }, 'Only the test accounts work here'],
])('%s does not count as an attempt to pay', async (_name, fields, message) => {
  const { id, url } = await open()
  expect(await (await press(url, { action: 'pay', ...fields })).text()).toContain(message)
  expect((await retrieve(id)).intent).toBeNull()
  expect(running.provider.events()).toEqual([])
})

test('does not echo a number that could be a real card', async () => {
  const { url } = await open()
  expect(await (await press(url, { action: 'pay', card: '4111 1111 1111 1111' })).text()).not.toContain(
    '4111',
  )
})

test('Cancel redirects back and changes nothing', async () => {
  const { id, url } = await open()
  const response = await press(url, { action: 'cancel' })
  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    'http://localhost:3000/payment/cancel',
  ])
  expect((await retrieve(id)).session.status).toBe('open')
})

test.each([
  ['000123456789', 'paid', 'checkout.session.async_payment_succeeded'],
  ['000222222227', 'unpaid', 'checkout.session.async_payment_failed'],
])('a transfer from account %s ends as %s', async (account, payment_status, type) => {
  const { id, url } = await open()
  expect((await press(url, { action: 'pay', method: 'bank', account })).status).toBe(303)
  expect((await retrieve(id)).session).toMatchObject({ status: 'complete', payment_status: 'unpaid' })
  expect(await see(url)).toContain('Your bank transfer has started')
  now = new Date(now.getTime() + 30_000)
  expect((await retrieve(id)).session).toMatchObject({ status: 'complete', payment_status })
  expect(running.provider.events().at(-1)?.type).toBe(type)
})

test('a returned transfer settles first, and a restart loses neither step [BANK-15]', async () => {
  const file = join(testFolder(), 'provider.sqlite')
  const options = {
    file,
    now: () => now,
    webhookSecret: 'whsec_test',
    webhookUrl: () => 'http://127.0.0.1:9/',
  }
  const restart = async () => {
    await running.close()
    running = await startProvider({ ...options, port: running.port })
  }
  await restart()
  const { id, url } = await open({ allowed_payment_method_types: ['us_bank_account'] })
  await press(url, { action: 'pay', method: 'bank', account: '000555555559' })
  const pass = async (ms: number) => {
    now = new Date(now.getTime() + ms)
    await restart()
    const { session } = await retrieve(id)
    const disputes = running.provider.events().filter(({ type }) => type.startsWith('charge.dispute'))
    return [session.payment_status, disputes.length]
  }
  expect(await pass(29_999)).toEqual(['unpaid', 0])
  // The return comes 30 seconds after the settlement, even if the settlement was processed late.
  expect(await pass(600_000)).toEqual(['paid', 0])
  expect(await pass(29_999)).toEqual(['paid', 0])
  expect(await pass(1)).toEqual(['paid', 3])
  expect(await pass(600_000)).toEqual(['paid', 3])
  expect(running.provider.truth()[id]).toMatchObject({ paid: 515_00, disputed: 515_00 })
  const [dispute] = (await stripe.disputes.list({ limit: 10 })).data
  expect(dispute).toMatchObject({ status: 'lost', reason: 'insufficient_funds' })
})

test('a bank-only session offers and accepts only bank accounts, and lists the test accounts [BANK-15]', async () => {
  const { id, url } = await open({ allowed_payment_method_types: ['us_bank_account'] })
  const page = await see(url)
  for (const words of ['000123456789', '000222222227', '000555555559', 'Test accounts', 'name="account"'])
    expect(page).toContain(words)
  for (const words of ['name="card"', '4242', 'method-card', 'test card']) expect(page).not.toContain(words)
  const refused = await (await press(url, { action: 'decline', method: 'bank' })).text()
  expect(refused).toContain(
    'Your bank refused the payment. Nothing was charged. Try another account, or go back.',
  )
  expect((await retrieve(id)).charge?.payment_method_details?.type).toBe('us_bank_account')
  await press(url, { action: 'pay', method: 'card' })
  expect((await retrieve(id)).session).toMatchObject({ status: 'complete', payment_status: 'unpaid' })
})

test('a card-only session neither offers nor accepts bank transfers [BANK-15]', async () => {
  const { id, url } = await open({ allowed_payment_method_types: ['card'] })
  const page = await see(url)
  for (const words of ['Bank transfer', 'name="account"', '000123456789']) expect(page).not.toContain(words)
  await press(url, { action: 'pay', method: 'bank' })
  expect((await retrieve(id)).charge?.payment_method_details?.type).toBe('card')
})

test('shows a message and a link back for a paid or expired session', async () => {
  const paid = await open()
  await press(paid.url, { action: 'pay' })
  const paidPage = await see(paid.url)
  expect(paidPage).toContain('This payment is complete')
  expect(paidPage).toContain(`href="http://localhost:3000/payment/success?session_id=${paid.id}"`)
  expect(paidPage).not.toContain('<form')
  const late = await open()
  now = new Date(now.getTime() + 24 * 60 * 60 * 1000)
  const latePage = await (await press(late.url, { action: 'pay' })).text()
  expect(latePage).toContain('This checkout has expired')
  expect(latePage).toContain('href="http://localhost:3000/payment/cancel"')
  expect(running.provider.truth()[late.id]?.paid).toBe(0)
})

test('the receipt shows the amount, the payment method and refunds', async () => {
  const { id, url } = await open()
  await press(url, { action: 'pay', card: '378282246310005' })
  const { charge } = await retrieve(id)
  const receiptUrl = charge?.receipt_url ?? ''
  const receipt = await see(receiptUrl)
  for (const words of [
    'Receipt from Sea &amp; Sand',
    '$515.00',
    'American Express ending in 0005',
    'Security deposit',
    'July 4, 2026',
  ]) {
    expect(receipt).toContain(words)
  }
  running.provider.refund(charge?.id ?? '', 1_500)
  const afterRefund = await see(receiptUrl)
  expect(afterRefund).toContain('Partly refunded')
  expect(afterRefund).toContain('−$15.00')
  expect(afterRefund).toContain('$500.00')
})

test('returns 404 for unknown sessions, charges and paths', async () => {
  const { id } = await open()
  running.provider.decline(id)
  const { charge } = await retrieve(id)
  for (const path of [
    '/sandbox/pay/cs_none',
    '/sandbox/receipts/ch_none',
    `/sandbox/receipts/${charge?.id}`,
    `/sandbox/pay/${id}/more`,
  ]) {
    expect((await fetch(running.url + path)).status).toBe(404)
  }
})
