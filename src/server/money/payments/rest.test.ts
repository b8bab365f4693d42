import { expect, test } from 'vitest'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { type Account, signUp, signUpAdmin } from '../../../testing/build-account.ts'
import { buildCheckout, type PaymentApp, paymentApp } from '../../../testing/build-payment.ts'
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
