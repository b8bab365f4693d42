import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { payments, refunds } from '../../../db/schema.ts'
import { hourMs } from '../../domain/common/durations.ts'
import { stripeSection } from '../../domain/content/connections.ts'
import type { ProviderMethod } from '../../domain/money/ledger.ts'
import { bankSection } from '../../domain/money/payment-plan-form.ts'
import { buildCheckout, makeApplication } from '../../testing/build-payment.ts'
import { setupApp } from '../../testing/build-setup.ts'
import { afterThisTest } from '../../testing/cleanups.ts'
import { startProvider, stripeFor } from '../../testing/provider.ts'
import { proven, testNow } from '../../testing/test-app.ts'
import { sessionDeps } from '../kernel/session-write.ts'
import { fetchIfDue } from '../money/payments/reconcile/catch-up.ts'
import { syncSession } from '../money/payments/reconcile/provider-sync.ts'
import { readSection, saveSection } from '../site/settings.ts'
import { saveStripe } from './save-stripe.ts'

const body = { publishableKey: 'pk_test_of_the_site' }
const secrets = { secretKey: 'sk_test_of_the_site_1234' }
const site = 'https://condo.example/api/payment/webhook'

/** An address at which the keys with 'other' belong to another account. */
async function twoAccounts() {
  const shared = { now: () => new Date(testNow) }
  const options = {
    now: () => shared.now(),
    webhookUrl: () => 'http://127.0.0.1:9/',
    webhookSecret: 'whsec_of_nobody',
  }
  const [first, other] = [await startProvider(options), await startProvider(options)]
  /** The status that a request gets instead of an answer; 0 for an answer. */
  const fault = { status: 0, of: (_key: string, _path: string) => true }
  const onCall: { path: string; run: () => Promise<unknown> } = { path: 'none', run: async () => {} }
  const front = createServer(async (request, response) => {
    const { authorization = '' } = request.headers
    if (request.method === 'POST' && request.url?.endsWith(onCall.path)) {
      onCall.path = 'none'
      await onCall.run()
    }
    const { provider } = authorization.includes('other') ? other : first
    const { method = 'GET', url: path = '/' } = request
    const headers = request.headers as Record<string, string>
    if (fault.status > 0 && fault.of(authorization, path)) {
      response.writeHead(fault.status, { 'stripe-should-retry': 'false' }).end('{"error":{"message":"no"}}')
      return
    }
    const { body, ...head } = await provider.handle({ method, path, headers, body: await text(request) })
    response.writeHead(head.status, head.headers).end(body)
  })
  await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
  afterThisTest(async () => {
    front.closeAllConnections()
    front.close()
    await Promise.all([first.close(), other.close()])
  })
  const { port } = front.address() as AddressInfo
  const app = await setupApp({ env: { STRIPE_API_BASE: `http://127.0.0.1:${port}` } })
  shared.now = () => app.deps.clock.now()
  await app.setup.saveStripe({ version: 0, body, secrets })
  await saveSection(app.deps, app.owner, bankSection, { version: 0, body: { enabled: true } })
  const tenant = await app.makeTenant({ email: 'maya@guest.example' })
  const { id: applicationId } = await makeApplication(app.deps, tenant, {})
  const begin = async (providerMethod: ProviderMethod) => {
    const urls = { successUrl: undefined, cancelUrl: undefined }
    await app
      .as(tenant)
      .payments.createCheckoutSession(buildCheckout({ applicationId, providerMethod, ...urls }))
    return stored()?.checkoutSessionId ?? ''
  }
  const stored = () => app.deps.db.select().from(payments).get()
  return { ...app, begin, fault, onCall, stored, first: first.provider }
}
const leftThere = async ({ as, owner }: Awaited<ReturnType<typeof twoAccounts>>) =>
  (await as(owner).notices.list()).notices.filter(({ title }) => title.includes('the former Stripe account'))
const others = { version: 1, body, secrets: { secretKey: 'sk_test_other_account' } }

test('changing the Stripe account closes open checkouts in the former one [INST-19]', async () => {
  const app = await twoAccounts()
  const session = await app.begin('card')
  // Another key of the same account closes nothing.
  const same = { version: 1, body, secrets: { secretKey: 'sk_test_rolled' } }
  await app.setup.saveStripe(same)
  expect(app.stored()?.status).toBe('pending')
  await app.setup.saveStripe({ ...others, version: 2 })
  expect(app.stored()?.status).toBe('canceled')
  expect(() => app.first.pay(session)).toThrow()
})

test('another key of the same account misses no event, also one that may not name its account [INST-19, INST-42]', async () => {
  for (const isNamed of [true, false]) {
    const app = await twoAccounts()
    if (!isNamed)
      Object.assign(app.fault, { status: 403, of: (_: string, path: string) => path === '/v1/account' })
    await app.setup.saveStripe({ version: 1, body, secrets: { secretKey: 'sk_test_first_key' } })
    app.first.pay(await app.begin('card'))
    await syncSession(app.deps, app.stored()?.checkoutSessionId ?? '')
    await fetchIfDue(app.deps)
    app.advance(2 * hourMs)
    await fetchIfDue(app.deps)
    app.first.openDispute(app.stored()?.stripeChargeId ?? '')
    app.advance(48 * hourMs)
    await app.setup.saveStripe({ version: 2, body, secrets: { secretKey: 'sk_test_rolled' } })
    await fetchIfDue(app.deps)
    expect(app.stored()?.status, `named: ${isNamed}`).toBe('disputed')
  }
})

test('events that cannot be fetched for hours are a notice, until they are fetched again [INST-42]', async () => {
  const app = await twoAccounts()
  const titles = async () => (await app.as(app.owner).notices.list()).notices.map(({ title }) => title)
  const title = 'Stripe’s messages could not be fetched'
  await fetchIfDue(app.deps)
  Object.assign(app.fault, { status: 403, of: (_: string, path: string) => path.startsWith('/v1/events') })
  for (const [hours, shown] of [
    [5, false],
    [1, true],
  ] as const) {
    app.advance(hours * hourMs)
    await expect(fetchIfDue(app.deps)).rejects.toThrow()
    expect((await titles()).includes(title)).toBe(shown)
  }
  app.fault.status = 0
  await fetchIfDue(app.deps)
  expect(await titles()).not.toContain(title)
})

test('a checkout that begins while the account changes is opened after it, in the new one [INST-19]', async () => {
  const app = await twoAccounts()
  let refused: unknown
  const run = async () => {
    refused = await app.begin('card').catch(error => error)
  }
  Object.assign(app.onCall, { path: '/webhook_endpoints', run })
  await app.setup.saveStripe(others)
  expect(refused).toMatchObject({ cause: { code: 'unavailable', retryAfterSeconds: 60 } })
  const session = await app.begin('card')
  expect(() => app.first.pay(session)).toThrow()
})

test('a checkout that is being opened when the account changes is closed in the former one [INST-19]', async () => {
  const app = await twoAccounts()
  let change: Promise<unknown> = Promise.resolve()
  const run = async () => {
    change = app.setup.saveStripe(others)
    await sleep(300)
  }
  Object.assign(app.onCall, { path: '/checkout/sessions', run })
  const session = await app.begin('card')
  await change
  expect(app.stored()).toMatchObject({ status: 'canceled', checkoutSessionId: session })
  expect(() => app.first.pay(session)).toThrow()
})

test('the Stripe account cannot be changed while a bank payment is being processed in it [INST-19]', async () => {
  const app = await twoAccounts()
  const session = await app.begin('us_bank_account')
  app.first.completeUnpaid(session)
  await syncSession(app.deps, session)
  expect(app.stored()?.status).toBe('processing')
  await expect(app.setup.saveStripe(others)).rejects.toThrow('A bank payment is on its way')
  app.first.settle(session, true)
  await syncSession(app.deps, session)
  expect((await app.setup.saveStripe(others)).on).toBe(true)
  expect(app.stored()?.status).toBe('succeeded')
})

test.each([
  ['card', 500],
  ['card', 429],
  ['card', 403],
  ['us_bank_account', 500],
] as const)(
  'the Stripe account is not changed while an open payment by %s is looked up in it with a %i [INST-19]',
  async (method, status) => {
    const app = await twoAccounts()
    const session = await app.begin(method)
    if (method !== 'card') {
      app.first.completeUnpaid(session)
      await syncSession(app.deps, session)
    }
    const before = app.stored()?.status
    app.fault.of = (key, path) => key.includes('other') && path.includes('/checkout/sessions/')
    app.fault.status = status
    const error = await app.setup.saveStripe(others).catch(cause => cause)
    expect(error).toMatchObject({ cause: { code: 'provider_failed' } })
    expect(error.message).toMatch(/nothing was changed.*Please try again/)
    expect(app.stored()?.status).toBe(before)
    expect(readSection(app.deps.db, stripeSection).version).toBe(1)
  },
)

test('the Stripe account is not changed while a checkout of the former one cannot be closed for now [INST-19]', async () => {
  const app = await twoAccounts()
  await app.begin('card')
  app.fault.of = (key, path) => !key.includes('other') && path.includes('/checkout/sessions/')
  app.fault.status = 500
  await expect(app.setup.saveStripe(others)).rejects.toThrow(/could not be closed.*Please try again/)
  expect(readSection(app.deps.db, stripeSection).version).toBe(1)
})

test('a checkout that stays open in the former Stripe account, whose key was revoked, is a notice [INST-19]', async () => {
  const app = await twoAccounts()
  const session = await app.begin('card')
  app.fault.of = key => !key.includes('other')
  app.fault.status = 401
  await app.setup.saveStripe(others)
  expect(await leftThere(app)).toMatchObject([
    {
      tone: 'danger',
      title: 'A payment is still open in the former Stripe account',
      detail: expect.stringMatching(/\$515\.00 for APP-.*cs_test_/),
      action: { kind: 'dismiss_event', eventId: `left:${session}` },
    },
  ])
})

test('the Stripe account is not changed while a refund in it has no answer, and what stays there is a notice [INST-19]', async () => {
  const app = await twoAccounts()
  const session = await app.begin('us_bank_account')
  app.first.completeUnpaid(session)
  app.first.settle(session, true)
  await syncSession(app.deps, session)
  const ofRefunds = (_key: string, path: string) => path.startsWith('/v1/refunds')
  Object.assign(app.fault, { status: 500, of: ofRefunds })
  const input = { paymentId: app.stored()?.id ?? '', requestId: randomUUID(), totalCents: 100 }
  await expect(app.as(app.owner).payments.refund(input)).rejects.toThrow('did not answer')
  await expect(app.setup.saveStripe(others)).rejects.toThrow(/what became of a refund.*Please try again/)
  app.fault.status = 0
  await expect(app.setup.saveStripe(others)).rejects.toThrow('A refund is on its way')
  app.advance(16 * 60_000)
  expect((await app.setup.saveStripe(others)).on).toBe(true)
  expect(app.deps.db.select().from(refunds).all()).toEqual([])
  expect(await leftThere(app)).toMatchObject([
    {
      title: 'Payments are in the former Stripe account',
      detail: expect.stringMatching(/A payment of \$500\.00 is.*until Aug 31, 2026/),
    },
  ])
})

test('a bank payment on its way to an account whose key was revoked is a notice, and can be deleted [INST-19]', async () => {
  const app = await twoAccounts()
  const session = await app.begin('us_bank_account')
  app.first.completeUnpaid(session)
  await syncSession(app.deps, session)
  const remove = () => app.as(app.owner).payments.remove({ paymentId: app.stored()?.id ?? '' })
  await expect(remove()).rejects.toThrow('on its way')
  Object.assign(app.fault, { status: 401, of: (key: string) => !key.includes('other') })
  expect((await app.setup.saveStripe(others)).on).toBe(true)
  expect(await leftThere(app)).toMatchObject([
    { detail: expect.stringContaining('Delete it here in any case') },
  ])
  await remove()
  await app.begin('card')
})

test('a refund without an answer in an account whose key was revoked is a notice [INST-19]', async () => {
  const app = await twoAccounts()
  const session = await app.begin('card')
  app.first.pay(session)
  await syncSession(app.deps, session)
  Object.assign(app.fault, { status: 500, of: (key: string) => !key.includes('other') })
  const input = { paymentId: app.stored()?.id ?? '', requestId: randomUUID(), totalCents: 100 }
  await expect(app.as(app.owner).payments.refund(input)).rejects.toThrow('did not answer')
  app.fault.status = 401
  expect((await app.setup.saveStripe(others)).on).toBe(true)
  expect((await leftThere(app)).map(({ title }) => title).toSorted()).toEqual([
    'A refund is open in the former Stripe account',
    'Payments are in the former Stripe account',
  ])
})

test('an open site says that its cards are in test mode, a closed one does not', async () => {
  const app = await cardApp()
  const notices = async () => (await app.as(app.owner).notices.list()).notices.map(({ id }) => id)
  expect(await notices()).not.toContain('cards-in-test-mode')
  await app.setup.saveStripe({ version: 0, body, secrets })
  expect(await notices()).toContain('cards-in-test-mode')
  const { version, body: saved } = readSection(app.deps.db, stripeSection)
  const live = { ...saved, publishableKey: 'pk_live_1234' }
  await saveSection(app.deps, app.owner, stripeSection, { version, body: live })
  expect(await notices()).not.toContain('cards-in-test-mode')
  await saveSection(app.deps, app.owner, stripeSection, { version: version + 1, body: saved })
  expect(await notices()).toContain('cards-in-test-mode')
  await app.as(app.owner).opening.close()
  expect(await notices()).not.toContain('cards-in-test-mode')
})

/** A site with nothing saved, and the sandbox at the provider's address, with an endpoint that somebody else made. */
async function cardApp() {
  let now = () => new Date(testNow)
  let deliver: typeof fetch = () => Promise.reject(new Error('nowhere'))
  const running = await startProvider({
    now: () => now(),
    webhookUrl: () => 'http://127.0.0.1:9/',
    webhookSecret: 'whsec_of_nobody',
    // Events go to the address of the production site, which is this app.
    fetch: (url, init) => deliver(url, init),
  })
  afterThisTest(running.close)
  const app = await setupApp({ env: { STRIPE_API_BASE: running.url } })
  now = () => app.deps.clock.now()
  deliver = async (url, init) => {
    expect(String(url)).toBe(site)
    const { statusCode } = await app.http.inject({
      method: 'POST',
      url: '/api/payment/webhook',
      headers: init?.headers as Record<string, string>,
      payload: String(init?.body),
    })
    return new Response(null, { status: statusCode })
  }
  const stripe = stripeFor(running)
  const foreign = await stripe.webhookEndpoints.create({ url: site, enabled_events: ['charge.refunded'] })
  const endpoints = async () =>
    (await stripe.webhookEndpoints.list()).data.map(({ id }) => id).filter(id => id !== foreign.id)
  return { ...app, provider: running.provider, stripe, foreign, endpoints }
}

test('two keys turn card payments on without a restart: a checkout is paid, and its event arrives at the endpoint that the site made [INST-19, INST-22]', async () => {
  const app = await cardApp()
  // As seen by a request that began before.
  const before = sessionDeps(app.deps, 'session')
  expect(before.provider).toBeUndefined()
  const saved = await app.setup.saveStripe({ version: 0, body, secrets })
  expect(before.provider).toBeDefined()
  expect(saved).toMatchObject({
    on: true,
    isLive: false,
    body: { account: 'Sandbox Rentals', accountId: 'acct_sandbox' },
    secrets: { secretKey: { set: true, hint: '1234' }, webhookSecret: { set: true } },
  })
  const [made] = (await app.stripe.webhookEndpoints.list()).data
  expect(made).toMatchObject({ id: saved.body.endpointId, url: site })
  expect(made?.enabled_events.toSorted()).toEqual(saved.webhook.events.toSorted())

  const tenant = await app.makeTenant({ email: 'maya@guest.example' })
  const { id } = await makeApplication(app.deps, tenant, {})
  const { url } = await app
    .as(tenant)
    .payments.createCheckoutSession(
      buildCheckout({ applicationId: id, successUrl: undefined, cancelUrl: undefined }),
    )
  const stored = () => app.deps.db.select().from(payments).where(eq(payments.checkoutUrl, url)).get()
  app.provider.pay(stored()?.checkoutSessionId ?? '')
  await app.provider.deliverDue()
  expect(stored()?.status).toBe('succeeded')
  // The payment page may load the provider's script from now on.
  const policy = (await app.http.inject('/api/health')).headers['content-security-policy']
  expect(policy).toContain('https://js.stripe.com')
  expect(await app.as(tenant).site.get()).toMatchObject({ site: { publishableKey: body.publishableKey } })
})

test('a change replaces the site’s own endpoint and no other, also one that a crash left behind [INST-19]', async () => {
  const app = await cardApp()
  const { body: first } = await app.setup.saveStripe({ version: 0, body, secrets })
  expect(await app.endpoints()).toEqual([first.endpointId])
  const provider = app.deps.provider
  const { body: same } = await app.setup.saveStripe({ version: 1, body: { publishableKey: 'pk_test_other' } })
  expect(same.endpointId).toBe(first.endpointId)
  expect(app.deps.provider).not.toBe(provider)

  const [left] = (await app.stripe.webhookEndpoints.list()).data
  const lost = await app.stripe.webhookEndpoints.create({
    url: site,
    enabled_events: ['charge.refunded'],
    metadata: left?.metadata ?? {},
  })
  const elsewhere = await app.stripe.webhookEndpoints.create({
    url: 'https://copy.example/api/payment/webhook',
    enabled_events: ['charge.refunded'],
    metadata: left?.metadata ?? {},
  })
  const { body: next } = await app.setup.saveStripe({ version: 2, body, secrets })
  const now = await app.endpoints()
  expect(now).toEqual(expect.arrayContaining([next.endpointId, elsewhere.id]))
  expect(now).not.toContain(lost.id)
  expect(now).not.toContain(first.endpointId)
  expect((await app.stripe.webhookEndpoints.list()).data).toContainEqual(
    expect.objectContaining({ id: app.foreign.id }),
  )
})

test('a copy of the site at another address leaves the endpoint of the site alone [INST-19]', async () => {
  const app = await cardApp()
  const { body: first } = await app.setup.saveStripe({ version: 0, body, secrets })
  const copy = { ...app.deps, config: { ...app.deps.config, origin: 'https://copy.example' } }
  const { body: second } = await saveStripe(copy, proven(app.deps, app.owner), { version: 1, body, secrets })
  expect(await app.endpoints()).toEqual(expect.arrayContaining([first.endpointId, second.endpointId]))
})

test('a key that may not make an endpoint is saved, and the secret of an endpoint of the owner’s own turns cards on [INST-19]', async () => {
  const app = await cardApp()
  const restricted = { secretKey: 'rk_test_may_only_charge' }
  const saved = await app.setup.saveStripe({ version: 0, body, secrets: restricted })
  expect(saved).toMatchObject({
    on: false,
    body: { endpointId: '', account: '' },
    webhook: { url: site, events: expect.arrayContaining(['charge.refunded']) },
    secrets: { secretKey: { set: true }, webhookSecret: { set: false } },
  })
  const entered = await app.setup.saveStripe({
    version: 1,
    body,
    secrets: { webhookSecret: 'whsec_entered_by_hand' },
  })
  expect(entered).toMatchObject({ on: true, secrets: { webhookSecret: { set: true, hint: 'hand' } } })
  expect(app.deps.provider?.webhookSecret).toBe('whsec_entered_by_hand')
  expect(await app.endpoints()).toEqual([])
  // With a full key the site makes its own again.
  expect((await app.setup.saveStripe({ version: 2, body, secrets })).body.endpointId).not.toBe('')
})

test('refuses keys of two modes, unknown keys and a provider that does not answer, and saves nothing [INST-19]', async () => {
  const app = await cardApp()
  const live = { secretKey: 'sk_live_of_the_site' }
  const save = (change: object) => app.setup.saveStripe({ version: 0, body, secrets, ...change })
  const swapped = save({ body: { publishableKey: 'sk_test_x' }, secrets: { secretKey: 'pk_test_x' } })
  await expect(swapped).rejects.toThrow(/begins with pk_.+begins with sk_/s)
  await expect(save({ secrets: live })).rejects.toThrow('two live keys or two test keys')
  const unknown = await save({ body: { publishableKey: 'pk_live_x' }, secrets: live }).catch(
    (error: Error) => error,
  )
  expect(unknown).toMatchObject({ message: 'Stripe does not accept this key. Please copy it again.' })
  await expect(save({ secrets: {} })).rejects.toThrow('Please enter the secret key')
  await expect(save({ version: 3 })).rejects.toThrow('in the meantime')
  app.provider.setFault({ status: 500 })
  await expect(save({})).rejects.toThrow('Stripe does not answer.')
  app.provider.setFault({})
  expect(await app.setup.stripe()).toMatchObject({ version: 0, on: false })
  expect(await app.endpoints()).toEqual([])
})

test('changing card payments needs a step-up before anything is sent; what the environment sets stays [INST-22]', async () => {
  const app = await cardApp()
  const stolen = { ...app.owner, sessionId: 'without proof' }
  await expect(saveStripe(app.deps, stolen, { version: 0, body, secrets })).rejects.toThrow(
    'Please confirm that it is you.',
  )
  expect(await app.endpoints()).toEqual([])
  const ending = saveStripe(app.deps, proven(app.deps, app.owner), { version: 0, body, secrets })
  app.advance(hourMs)
  await expect(ending).rejects.toThrow('Please confirm that it is you.')
  expect(await app.setup.stripe()).toMatchObject({ version: 0, on: false })
  const env = {
    STRIPE_SECRET_KEY: 'sk_live_x',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
  }
  const set = await setupApp({ env })
  expect(await set.setup.stripe()).toMatchObject({
    source: 'server',
    secrets: { secretKey: { from: 'server' } },
  })
  await expect(set.setup.saveStripe({ version: 0, body, secrets })).rejects.toThrow(
    'This is set on the server.',
  )
})
