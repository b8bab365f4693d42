import { expect, test } from 'vitest'
import { bookingChecklist } from '../domain/bookings/checklist.ts'
import { createAdmin } from '../server/auth/accounts/admins.ts'
import { mailSources } from '../server/mail-sources.ts'
import { startMailWorker } from '../server/messages/worker.ts'
import { connectProvider } from '../server/money/payments/stripe.ts'
import { signatureDataUrl } from './png.ts'
import { startProvider } from './provider.ts'
import { testApp, testNow } from './test-app.ts'

const webhookSecret = 'whsec_journey'
const keeper = { email: 'keeper@condo.example', password: 'Lighthouse-7!' }
const maya = { firstName: 'Maya', lastName: 'Rivers', email: 'Maya@Guest.example', password: 'sandcastle' }

test('completes a booking over the documented REST paths, from registration through the signed lease and payments to its completion', async () => {
  let siteUrl = ''
  const providerServer = await startProvider({
    webhookSecret,
    webhookUrl: () => `${siteUrl}/api/payment/webhook`,
    now: () => new Date(testNow),
  })
  const app = await testApp({
    replace: { provider: connectProvider(providerServer.url, 'sk_test_journey', webhookSecret) },
  })
  siteUrl = await app.listen()
  const origin = app.deps.config.origin
  await createAdmin(app.deps, { email: keeper.email }, keeper.password)

  const call = async (method: string, path: string, token?: string, body?: unknown) => {
    const response = await fetch(`${siteUrl}${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      body: isJson ? await response.json() : Buffer.from(await response.arrayBuffer()),
    }
  }
  const ok = async (method: string, path: string, token?: string, body?: unknown) => {
    const answer = await call(method, path, token, body)
    expect(answer, `${method} ${path}`).toMatchObject({
      status: expect.toSatisfy(status => status === 200 || status === 201),
    })
    return answer.body
  }

  // The visitor registers, logs in and applies.
  await ok('POST', '/api/auth/register', undefined, maya)
  const { token: tenant } = await ok('POST', '/api/auth/login', undefined, {
    email: 'maya@guest.example',
    password: maya.password,
  })
  const created = await ok('POST', '/api/application', tenant, {
    firstName: 'Maya',
    lastName: 'Rivers',
    secondApplicantFirstName: 'Iván',
    secondApplicantLastName: 'Σωτήρης',
    phone: '(850) 555-0123',
    address: { street: '4 Dune Road', city: 'Tallahassee', state: 'FL', zipCode: '32301' },
    requestedStartDate: '2026-06-01',
    requestedEndDate: '2026-07-01',
    additionalGuests: [
      { firstName: 'Lea', lastName: 'Rivers', isAdult: false },
      { firstName: 'Sol', lastName: 'Rivers', isAdult: true },
    ],
  })
  expect(created.application).toMatchObject({ status: 'draft', applicationNumber: 'APP-2026-0001' })
  const id = created.application._id
  expect(await ok('POST', `/api/application/${id}/submit`, tenant)).toMatchObject({
    application: { status: 'pending' },
  })

  // The owner approves the application, sets the terms and generates the lease.
  const { token: owner } = await ok('POST', '/api/auth/login', undefined, keeper)
  await ok('PUT', `/api/application/admin/${id}/status`, owner, { status: 'approved' })
  await ok('PUT', `/api/application/admin/${id}/edit`, owner, { rentalAmount: 2750.5, depositAmount: 500 })
  const terms = {
    leaseStartDate: '2026-06-01',
    leaseEndDate: '2026-07-01',
    rentalAmount: 2750.5,
    depositAmount: 500,
  }
  expect((await ok('POST', `/api/lease/generate/${id}`, owner, terms)).leaseAgreement).toContain(
    'Iván Σωτήρης',
  )

  // The tenant reads, downloads and signs the lease.
  const preview = await ok('GET', `/api/lease/preview/${id}`, tenant)
  expect(preview.leaseText).toContain('$2,750.50')
  const pdf = await ok('GET', `/api/lease/download?applicationId=${id}`, tenant)
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  const signature = {
    typedName: 'Maya Rivers',
    typedName2: 'Iván Σωτήρης',
    signatureImageBase64: signatureDataUrl(),
    signatureImageBase64_2: signatureDataUrl(),
    consent: true,
    leaseTextSha256: preview.leaseTextSha256,
  }
  expect((await ok('POST', `/api/lease/sign/${id}`, tenant, signature)).application).toMatchObject({
    leaseSigned: true,
  })
  expect((await ok('GET', `/api/lease/view-signed/${id}`, tenant)).subarray(0, 5).toString()).toBe('%PDF-')

  // The tenant pays the $500.00 deposit by card, $515.00 with the fee.
  const { url } = await ok('POST', '/api/payment/create-checkout-session', tenant, {
    amount: 50_000,
    creditCardFee: 1_500,
    totalAmount: 51_500,
    paymentType: 'deposit',
    applicationId: id,
    description: '',
    successUrl: `${origin}/payment/success?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${origin}/payment/cancel`,
  })
  const sessionId = new URL(url).pathname.split('/').at(-1) ?? ''
  providerServer.provider.pay(sessionId, { card: '4242424242424242' })
  await providerServer.provider.deliverDue()
  const paid = await ok('GET', `/api/payment/by-session/${sessionId}`, tenant)
  expect(paid.payment).toMatchObject({
    status: 'succeeded',
    amount: 50_000,
    feeAmount: 1_500,
    cardBrand: 'visa',
    cardLast4: '4242',
  })
  expect(providerServer.provider.truth()[sessionId]).toMatchObject({ paid: 51_500 })

  const worker = startMailWorker(app.deps, mailSources)
  await worker.deliverDue()
  await worker.stop()
  const receipts = app.sentMails.filter(mail => mail.text.includes('$515.00') && mail.to === maya.email)
  expect(receipts).toHaveLength(1)
  expect(receipts[0]?.attachments.map(({ contentType }) => contentType)).toEqual(['application/pdf'])

  // The owner records the rent as a check, sees it to the cent, and completes the booking.
  await ok('POST', '/api/payment/admin/manual-payment', owner, {
    amount: 275_050,
    paymentType: 'rent',
    paymentDate: '2026-03-04',
    checkNumber: '1042',
    notes: 'June',
    applicationId: id,
  })
  expect((await ok('GET', '/api/payment/admin/revenue-summary', owner)).summary).toEqual({
    totalRevenue: 326_550,
    netRevenue: 325_050,
    totalFees: 1_500,
    paymentCount: 2,
    averagePayment: 163_275,
  })
  await ok('PUT', `/api/application/admin/${id}/status`, owner, { status: 'completed' })

  const { application } = await ok('GET', `/api/application/${id}`, tenant)
  expect(bookingChecklist(application)).toMatchObject({ completed: 6, percent: 100 })
  expect((await ok('GET', '/api/payment/history', tenant)).payments).toHaveLength(2)
  await providerServer.close()
})
