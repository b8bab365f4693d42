import { expect, test } from 'vitest'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { type Account, signUp, signUpAdmin } from '../../../testing/build-account.ts'
import {
  buildCheckout,
  buildManualPayment,
  type PaymentApp,
  paymentApp,
} from '../../../testing/build-payment.ts'
import { testOrigin } from '../../../testing/test-app.ts'

type Method = 'GET' | 'POST' | 'DELETE'

async function ask(app: PaymentApp, who: Account | undefined, method: Method, path: string, body?: object) {
  const response = await fetch(`${app.address}${path}`, {
    method,
    headers: {
      ...(who && { authorization: `Bearer ${who.token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

const actorOf = (account: Account): SignedIn => ({
  role: account.user.role,
  userId: account.user.id,
  requestOrigin: testOrigin,
})

async function people() {
  const app = await paymentApp()
  const tenant = await signUp(app)
  const stranger = await signUp(app, { email: 'stranger@guest.example' })
  const admin = await signUpAdmin(app)
  const application = await app.makeApplication(actorOf(tenant))
  const second = await app.makeApplication(actorOf(tenant))
  return { app, tenant, stranger, admin, application, second }
}

test('each documented path responds to guest, tenant, another tenant and admin as specified', async () => {
  const { app, tenant, stranger, admin, application, second } = await people()
  const row = await app.checkout(actorOf(tenant), { applicationId: application.id })
  const { addManual } = app.as(actorOf(admin)).payments
  const manual = await addManual(buildManualPayment(application.id))
  await addManual(buildManualPayment(application.id, { amount: 100_00 }))
  const transfer = {
    fromApplicationId: application.id,
    toApplicationId: second.id,
    depositAmount: 100_00,
    transferNotes: '',
  }
  const rent = buildCheckout({ applicationId: application.id, paymentType: 'rent', amount: 1000_00 })
  const rows: [Method, string, object | undefined, number[]][] = [
    ['GET', '/api/payment/history', undefined, [401, 200, 200, 200]],
    ['GET', `/api/payment/history?applicationId=${application.id}`, undefined, [401, 200, 404, 404]],
    ['GET', '/api/payment/history?applicationId=', undefined, [401, 200, 200, 200]],
    ['GET', `/api/payment/by-session/${row.checkoutSessionId}`, undefined, [401, 200, 404, 200]],
    ['POST', '/api/payment/create-checkout-session', rent, [401, 200, 404, 403]],
    ['GET', `/api/payment/admin/history/${tenant.user.id}`, undefined, [401, 403, 403, 200]],
    ['GET', '/api/payment/admin/revenue-summary', undefined, [401, 403, 403, 200]],
    ['GET', '/api/payment/admin/revenue-summary?period=year&year=2026', undefined, [401, 403, 403, 200]],
    [
      'GET',
      '/api/payment/admin/revenue-summary?period=month&year=2026&month=x',
      undefined,
      [401, 403, 403, 400],
    ],
    ['POST', '/api/payment/admin/manual-payment', buildManualPayment(second.id), [401, 403, 403, 201]],
    [
      'GET',
      `/api/payment/admin/available-deposits?userId=${tenant.user.id}`,
      undefined,
      [401, 403, 403, 200],
    ],
    ['POST', '/api/payment/admin/transfer-amount', transfer, [401, 403, 403, 200]],
    ['DELETE', `/api/payment/admin/remove/${manual.payment.id}`, undefined, [401, 403, 403, 200]],
    ['DELETE', '/api/payment/admin/remove/nowhere', undefined, [401, 403, 403, 404]],
  ]
  for (const [method, path, body, expected] of rows) {
    const found: number[] = []
    for (const who of [undefined, tenant, stranger, admin])
      found.push((await ask(app, who, method, path, body)).status)
    expect(found, `${method} ${path}`).toEqual(expected)
  }
  expect((await ask(app, undefined, 'POST', '/api/payment/webhook', {})).status).toBe(400)
})

test('a payment over REST has the specified fields, in cents [REST-10, MONEY-02]', async () => {
  const { app, tenant, application } = await people()
  const { url } = (
    await ask(app, tenant, 'POST', '/api/payment/create-checkout-session', {
      ...buildCheckout({ applicationId: application.id, description: 'Our deposit' }),
      userId: 'somebody else',
      status: 'succeeded',
    })
  ).body
  const sessionId = String(url).split('/').at(-1) ?? ''
  app.provider.pay(sessionId)
  const { body } = await ask(app, tenant, 'GET', `/api/payment/by-session/${sessionId}`)
  expect(body.receiptUrl).toBe(body.payment.receiptUrl)
  expect(body.payment).toMatchObject({
    _id: body.payment.id,
    amount: 500_00,
    feeAmount: 15_00,
    refundedAmount: 0,
    paymentType: 'deposit',
    status: 'succeeded',
    description: 'Our deposit',
    createdAt: expect.stringMatching(/Z$/),
    paidAt: expect.stringMatching(/Z$/),
    stripePaymentIntentId: expect.stringMatching(/^pi_/),
    receiptUrl: expect.stringMatching(/^http/),
    cardBrand: 'visa',
    cardLast4: '4242',
    receiptEmail: 'queued',
    applicationId: {
      _id: application.id,
      applicationNumber: application.number,
      firstName: 'Maya',
      lastName: 'Rivers',
    },
    userId: { _id: tenant.user.id, firstName: 'Maya', lastName: 'Rivers', email: tenant.email },
  })
})

test('manual payment and transfer over REST return what they created', async () => {
  const { app, admin, application, second } = await people()
  const made = await ask(
    app,
    admin,
    'POST',
    '/api/payment/admin/manual-payment',
    buildManualPayment(application.id),
  )
  expect(made.body).toMatchObject({ payment: { amount: 1000_00, notes: 'By check' } })
  const moved = await ask(app, admin, 'POST', '/api/payment/admin/transfer-amount', {
    fromApplicationId: application.id,
    toApplicationId: second.id,
    depositAmount: 400_00,
    transferNotes: 'To July',
  })
  expect(moved.body).toMatchObject({
    message: 'Transfer completed successfully!',
    payments: [{ amount: -400_00 }, { amount: 400_00 }],
  })
  const missing = await ask(app, admin, 'POST', '/api/payment/admin/manual-payment', {
    ...buildManualPayment(application.id),
    amount: undefined,
  })
  expect(missing).toMatchObject({
    status: 400,
    body: {
      error: 'Please fill in all required fields',
      fields: { amount: 'Please fill in all required fields' },
    },
  })
})
