import { expect, test } from 'vitest'
import { paymentPlans, payments } from '../../../../../db/schema.ts'
import { decodeForm } from '../../../../sandbox/provider/form.ts'
import { ApiError, errorResponse } from '../../../../sandbox/provider/http.ts'
import { buildCheckout, type PaymentApp, paymentApp } from '../../../../testing/build-payment.ts'
import type { Environment } from '../../../kernel/config.ts'
import { paymentMethodsOf } from '../../methods.ts'

const bank = { providerMethod: 'us_bank_account' as const }
const rent = { paymentType: 'rent' as const, amount: 1000_00 }

async function bankApp(env: Environment = {}) {
  const app = await paymentApp({ env })
  const owner = await app.offerBank()
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  return { app, owner, tenant, applicationId }
}

/** Records the decoded requests that open a checkout. */
function sentSessions({ provider }: PaymentApp) {
  const sent: ReturnType<typeof decodeForm>[] = []
  const { handle } = provider
  provider.handle = request => {
    if (request.method === 'POST' && request.path === '/v1/checkout/sessions')
      sent.push(decodeForm(request.body))
    return handle(request)
  }
  return sent
}

test('a checkout offers only the chosen method, and a bank account without fee and micro-deposits [BANK-01, BANK-03, BANK-04]', async () => {
  const { app, tenant, applicationId } = await bankApp()
  const sent = sentSessions(app)
  await app.checkout(tenant, { applicationId })
  const row = await app.checkout(tenant, { ...bank, ...rent, applicationId })
  const [card, account] = sent
  expect(card).toMatchObject({ allowed_payment_method_types: ['card'] })
  expect(card).not.toHaveProperty('payment_method_options')
  expect(card?.line_items).toHaveLength(2)
  expect(account).toMatchObject({
    allowed_payment_method_types: ['us_bank_account'],
    payment_method_options: { us_bank_account: { verification_method: 'instant' } },
    line_items: [{ price_data: { unit_amount: '100000' } }],
  })
  expect(account?.line_items).toHaveLength(1)
  for (const each of sent) expect(each).not.toHaveProperty('payment_method_types')
  expect(row).toMatchObject({
    method: 'card',
    providerMethod: 'us_bank_account',
    amountCents: 1000_00,
    feeCents: 0,
  })
})

test.each([
  ['a fee', { creditCardFee: 30_00, totalAmount: 1030_00 }, 'creditCardFee'],
  ['a total above the amount', { totalAmount: 1030_00 }, 'totalAmount'],
])('rejects a bank payment with %s at that field [BANK-04]', async (_name, wrong, field) => {
  const { app, tenant, applicationId } = await bankApp()
  await expect(app.checkout(tenant, { ...bank, ...rent, applicationId, ...wrong })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    cause: { fields: { [field]: expect.any(String) } },
  })
})

test('neither offers nor accepts bank payments when switched off; without a method, a payment is by card [BANK-02]', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  expect((await app.as(tenant).payments.options()).bankPayments).toBe(false)
  const refused = { code: 'CONFLICT', message: 'Bank payments are not offered here.' }
  await expect(app.checkout(tenant, { ...bank, ...rent })).rejects.toMatchObject(refused)
  const { providerMethod: _left, ...withoutMethod } = buildCheckout(rent)
  await app.as(tenant).payments.createCheckoutSession(withoutMethod)
  const [payment] = (await app.as(tenant).payments.history()).payments
  expect(payment).toMatchObject({ providerMethod: 'card', failureReason: null })
  const other = { ...buildCheckout(rent), providerMethod: 'sepa_debit' as 'card' }
  await expect(app.as(tenant).payments.createCheckoutSession(other)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
  await app.offerBank()
  expect((await app.as(tenant).payments.options()).bankPayments).toBe(true)
})

test('keeps one open checkout for both methods: repeats reuse it, another method expires it first [BANK-05]', async () => {
  // Without a card fee the amounts of both methods are the same.
  const { app, tenant, applicationId } = await bankApp({ CARD_FEE_PERCENT: '0' })
  const same = { ...rent, applicationId, creditCardFee: 0, totalAmount: rent.amount }
  const card = await app.checkout(tenant, same)
  const account = await app.checkout(tenant, { ...bank, ...same })
  expect(app.payment(card.id).status).toBe('canceled')
  const events = () => app.provider.events().map(({ type }) => type)
  expect(events()).toEqual(['checkout.session.expired'])
  expect((await app.checkout(tenant, { ...bank, ...same })).id).toBe(account.id)
  await app.checkout(tenant, same)
  expect(app.payment(account.id).status).toBe('canceled')
  expect(events()).toHaveLength(2)
})

test('does not open a second checkout next to one that another process opened in the meantime [BANK-05]', async () => {
  const { app, tenant, applicationId } = await bankApp()
  const { checkoutSessionId: _, id: first, ...card } = await app.checkout(tenant, { ...rent, applicationId })
  const { handle } = app.provider
  const { createdAt, userId } = card
  const rival = { userId, applicationId, createdAt, id: 'rival', type: 'rent', method: 'card' } as const
  app.provider.handle = async request => {
    const response = await handle(request)
    // After the lookup of open checkouts, before the new checkout is written.
    if (request.path.endsWith('/expire'))
      await app.deps.write(tx =>
        tx
          .insert(payments)
          .values({ ...rival, status: 'pending', amountCents: rent.amount })
          .run(),
      )
    return response
  }
  await expect(app.checkout(tenant, { ...bank, ...rent, applicationId })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'Another checkout was opened in the meantime. Please try again.',
  })
  const rows = app.deps.db.select().from(payments).all()
  expect(rows.map(({ id, status }) => [id, status])).toEqual([
    [first, 'canceled'],
    ['rival', 'pending'],
  ])
})

test('rejects a second deposit or equal amount while a payment is processing; with a plan, the open amount decides [BANK-07]', async () => {
  const { app, tenant, applicationId } = await bankApp()
  for (const more of [{}, rent]) {
    const row = await app.checkout(tenant, { ...bank, ...more, applicationId })
    app.provider.completeUnpaid(row.checkoutSessionId)
    await app.provider.deliverDue()
    expect(app.payment(row.id).status).toBe('processing')
  }
  const refused = (cents: string) => ({
    code: 'CONFLICT',
    message: `A payment of ${cents} is on its way already.`,
  })
  for (const method of [{}, bank]) {
    await expect(app.checkout(tenant, { ...method, applicationId })).rejects.toMatchObject(refused('$500.00'))
    await expect(app.checkout(tenant, { ...method, ...rent, applicationId })).rejects.toMatchObject(
      refused('$1,000.00'),
    )
  }
  await app.checkout(tenant, { ...rent, amount: 900_00, applicationId })
  // Payments for another application, or for none, are separate.
  await app.checkout(tenant, { ...rent, applicationId: (await app.makeApplication(tenant)).id })
  await app.checkout(tenant, rent)

  const madeAt = app.deps.clock.now().toISOString()
  await app.deps.write(tx =>
    tx.insert(paymentPlans).values({ applicationId, kind: 'full', version: 1, madeAt }).run(),
  )
  await expect(app.checkout(tenant, { applicationId })).rejects.toMatchObject(refused('$500.00'))
})

const unavailable = {
  code: 'CONFLICT',
  message: 'Bank payments are not available at the moment. Please pay by card or in another way.',
}

test('does not try bank payments again after the provider refuses them, until the section is saved [BANK-13]', async () => {
  const { app, owner, tenant, applicationId } = await bankApp()
  const board = async () =>
    (await app.as(owner).notices.list()).notices.filter(({ id }) => id.startsWith('bank-'))
  const sent = sentSessions(app)
  const ask = () => app.checkout(tenant, { ...bank, ...rent, applicationId })
  app.provider.setFault({ status: 400, only: 'POST /v1/checkout/sessions' })
  await expect(ask()).rejects.toMatchObject(unavailable)
  expect(paymentMethodsOf(app.deps)).toMatchObject({ card: true, bank: false })
  expect((await app.as(tenant).payments.options()).bankPayments).toBe(false)
  expect((await app.as(tenant).payments.history()).payments).toEqual([])
  expect(await board()).toMatchObject([
    {
      id: 'bank-refused',
      tone: 'danger',
      detail: expect.stringContaining('The card provider says: An unknown error occurred.'),
    },
  ])
  app.provider.setFault({})
  await expect(ask()).rejects.toMatchObject(unavailable)
  expect(sent).toHaveLength(1)
  await app.checkout(tenant, { ...rent, applicationId })

  await app.as(owner).settings.bank.save({ version: 1, body: { enabled: true } })
  expect(paymentMethodsOf(app.deps).bank).toBe(true)
  expect(await board()).toEqual([])
  expect(await ask()).toMatchObject({ providerMethod: 'us_bank_account' })
})

test.each([
  ['a 500', { status: 500 }],
  ['a 429', { status: 429 }],
  ['a 500 that the provider repeats', { failurePoint: 'before-work' as const }],
  ['a dropped connection', { hangUp: true }],
])('still offers bank payments after %s [BANK-13]', async (_name, fault) => {
  const { app, tenant, applicationId } = await bankApp()
  app.provider.setFault({ ...fault, only: 'POST /v1/checkout/sessions' })
  const ask = () => app.checkout(tenant, { ...bank, ...rent, applicationId })
  await expect(ask()).rejects.toThrow('Failed to create checkout session')
  expect(paymentMethodsOf(app.deps).bank).toBe(true)
  app.provider.setFault({})
  expect(await ask()).toMatchObject({ status: 'pending' })
})

test('ignores a refusal of a request that was sent before the section was saved [BANK-13]', async () => {
  const { app, owner, tenant, applicationId } = await bankApp()
  const { handle } = app.provider
  app.provider.handle = async request => {
    if (request.method !== 'POST' || request.path !== '/v1/checkout/sessions') return handle(request)
    await app.as(owner).settings.bank.save({ version: 1, body: { enabled: true } })
    return errorResponse(new ApiError('Not switched on.'))
  }
  await expect(app.checkout(tenant, { ...bank, ...rent, applicationId })).rejects.toMatchObject(unavailable)
  expect(paymentMethodsOf(app.deps).bank).toBe(true)
})

test('still offers bank payments after the provider refuses the amount or a card payment [BANK-13]', async () => {
  const { app, tenant, applicationId } = await bankApp()
  const { handle } = app.provider
  app.provider.handle = async request =>
    request.method === 'POST' && request.path === '/v1/checkout/sessions'
      ? errorResponse(new ApiError('Too little.', { code: 'amount_too_small' }))
      : handle(request)
  await expect(app.checkout(tenant, { ...bank, ...rent, applicationId })).rejects.toThrow('Failed')
  app.provider.handle = handle
  app.provider.setFault({ status: 400, only: 'POST /v1/checkout/sessions' })
  await expect(app.checkout(tenant, { ...rent, applicationId })).rejects.toThrow('Failed')
  app.provider.setFault({})
  expect(paymentMethodsOf(app.deps).bank).toBe(true)
  expect(await app.checkout(tenant, { ...bank, ...rent, applicationId })).toMatchObject({ status: 'pending' })
})
