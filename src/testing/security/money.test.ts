import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Account, apply, checkout, openPortal, type Portal } from './portal.ts'

let portal: Portal
let admin: Account
beforeAll(async () => {
  portal = await openPortal()
  admin = await portal.admin()
})
afterAll(() => portal.close())

const pay = (token: string, body: object) =>
  portal.call('POST', '/api/payment/create-checkout-session', { token, body })
const total = (amount: number) => {
  const creditCardFee = Math.floor((amount * 3 + 50) / 100)
  return { amount, creditCardFee, totalAmount: amount + creditCardFee }
}
const manual = (applicationId: string, overrides: object = {}) =>
  portal.call('POST', '/api/payment/admin/manual-payment', {
    token: admin.token,
    body: {
      amount: 1000_00,
      paymentType: 'rent',
      paymentDate: '',
      checkNumber: '',
      notes: '',
      applicationId,
      ...overrides,
    },
  })
const transfer = (fromApplicationId: string, toApplicationId: string, depositAmount: unknown) =>
  portal.call('POST', '/api/payment/admin/transfer-amount', {
    token: admin.token,
    body: { fromApplicationId, toApplicationId, depositAmount, transferNotes: '' },
  })
const revenue = async () =>
  (await portal.expectOk(portal.call('GET', '/api/payment/admin/revenue-summary', { token: admin.token })))
    .summary

const notAmounts = [
  0,
  -1,
  -500_00,
  0.5,
  500_00.5,
  1e15,
  1_000_000_001,
  2 ** 53,
  '50000',
  '5e4',
  null,
  true,
  [],
  {},
]

test('the client cannot change amounts, fees, totals or currency', async () => {
  const tenant = await portal.tenant()
  const { id: applicationId } = await apply(portal, tenant, admin)
  const wrong = [
    { amount: 1_00, creditCardFee: 3, totalAmount: 1_03 },
    { creditCardFee: 0, totalAmount: 500_00 },
    { creditCardFee: -15_00, totalAmount: 485_00 },
    { creditCardFee: 14_99, totalAmount: 514_99 },
    { totalAmount: 1_00 },
    { totalAmount: 500_00 },
    { paymentType: 'rent', ...total(1000_00), totalAmount: 1 },
    { paymentType: 'free' },
  ]
  for (const overrides of wrong)
    await portal.expectRejected(400, () => pay(tenant.token, checkout({ applicationId, ...overrides })))
  const { url } = await portal.expectOk(
    pay(tenant.token, checkout({ applicationId, currency: 'jpy', status: 'succeeded', mode: 'setup' })),
  )
  const session = Object.entries(portal.providerServer.provider.truth()).find(([id]) => url.includes(id))
  expect(session?.[1].amount_total).toBe(515_00)
  const rows = portal.database(db =>
    db.prepare('select status, amount_cents, fee_cents from payments where user_id = ?').all(tenant.id),
  )
  expect(rows).toEqual([{ status: 'pending', amount_cents: 500_00, fee_cents: 15_00 }])
})

test('rejects zero, negative, fractional, NaN and huge amounts in every endpoint that takes an amount', async () => {
  const tenant = await portal.tenant()
  const { id: applicationId } = await apply(portal, tenant, admin)
  const other = await apply(portal, tenant, admin)
  for (const amount of notAmounts) {
    await portal.expectRejected(400, () =>
      pay(tenant.token, checkout({ applicationId, paymentType: 'rent', amount, totalAmount: amount })),
    )
    await portal.expectRejected(400, () => manual(applicationId, { amount }))
    await portal.expectRejected(400, () => transfer(applicationId, other.id, amount))
    const recordReturn = { applicationId, kind: 'refund', amount, reason: 'x' }
    await portal.expectRejected(400, () =>
      portal.mutate('payments.recordReturn', { token: admin.token, body: recordReturn }),
    )
  }
  const head = `{"paymentType":"rent","description":"","creditCardFee":30,"totalAmount":1030,"applicationId":"${applicationId}","amount":`
  for (const amount of ['NaN', 'Infinity', '1e400', '-0', '0x10'])
    await portal.expectRejected(400, () =>
      portal.call('POST', '/api/payment/create-checkout-session', {
        token: tenant.token,
        body: `${head}${amount}}`,
      }),
    )
  for (const rentalAmount of [-1, 0.001, 1e12, 'NaN'])
    await portal.expectRejected(400, () =>
      portal.call('POST', `/api/lease/generate/${applicationId}`, {
        token: admin.token,
        body: { rentalAmount },
      }),
    )
})

test('rejects a deposit other than $500, unless the lease has a different one', async () => {
  const tenant = await portal.tenant()
  const { id: applicationId } = await apply(portal, tenant, admin)
  for (const cents of [499_99, 500_01, 1_00, 5000_00])
    await portal.expectRejected(400, () => pay(tenant.token, checkout({ applicationId, ...total(cents) })))
  await portal.expectRejected(400, () => pay(tenant.token, checkout(total(750_00))))
  await portal.expectOk(
    portal.call('POST', `/api/lease/generate/${applicationId}`, {
      token: admin.token,
      body: { depositAmount: 750 },
    }),
  )
  await portal.expectRejected(400, () => pay(tenant.token, checkout({ applicationId })))
  await portal.expectOk(pay(tenant.token, checkout({ applicationId, ...total(750_00) })))
})

test('rejects payments for a declined application', async () => {
  const tenant = await portal.tenant()
  const { id: applicationId } = await apply(portal, tenant)
  await portal.expectOk(
    portal.call('PUT', `/api/application/admin/${applicationId}/status`, {
      token: admin.token,
      body: { status: 'rejected' },
    }),
  )
  await portal.expectRejected(409, () => pay(tenant.token, checkout({ applicationId })))
  await portal.expectRejected(409, () =>
    pay(tenant.token, checkout({ applicationId, paymentType: 'rent', ...total(1000_00) })),
  )
})

test('rejects a transfer above the paid amount, between two tenants, or to the same application', async () => {
  const [tenant, stranger] = [await portal.tenant(), await portal.tenant()]
  const [from, to, foreign] = [
    await apply(portal, tenant, admin),
    await apply(portal, tenant, admin),
    await apply(portal, stranger, admin),
  ]
  await portal.expectOk(manual(from.id, { amount: 300_00 }))
  await portal.expectRejected(400, () => transfer(from.id, to.id, 300_01))
  await portal.expectRejected(400, () => transfer(from.id, foreign.id, 100_00))
  await portal.expectRejected(400, () => transfer(from.id, from.id, 100_00))
  await portal.expectRejected(404, () => transfer(from.id, 'nowhere', 100_00))
  const both = await Promise.all([transfer(from.id, to.id, 200_00), transfer(from.id, to.id, 200_00)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
})

test('opening the success page without paying records no payment', async () => {
  const tenant = await portal.tenant()
  const { id: applicationId } = await apply(portal, tenant, admin)
  const { url } = await portal.expectOk(pay(tenant.token, checkout({ applicationId })))
  const sessionId = new URL(url).pathname.split('/').at(-1)
  const { body } = await portal.expectRejected(200, () =>
    portal.call('GET', `/api/payment/by-session/${sessionId}`, { token: tenant.token }),
  )
  expect(body.payment).toMatchObject({ status: 'pending', creditedAmount: 0, paidAt: null })
  await portal.expectRejected(200, () => portal.call('GET', `/payment/success?session_id=${sessionId}`))
  const [application] = (await portal.expectOk(portal.query('payments.options', { token: tenant.token })))
    .result.data.applications
  expect(application.balance).toMatchObject({ paidCents: 0, owedCents: 3000_00 })
})

test('a double click opens one checkout', async () => {
  const tenant = await portal.tenant()
  const { id: applicationId } = await apply(portal, tenant, admin)
  const sessions = () => Object.keys(portal.providerServer.provider.truth()).length
  const before = sessions()
  const clicks = await Promise.all(
    Array.from({ length: 8 }, () => pay(tenant.token, checkout({ applicationId }))),
  )
  expect(new Set(clicks.map(({ body }) => body.url)).size).toBe(1)
  expect(sessions()).toBe(before + 1)
})

test('a refunded or removed payment is in no total', async () => {
  const tenant = await portal.tenant()
  const { id: applicationId } = await apply(portal, tenant, admin)
  const balances = async () => {
    const options = await portal.expectOk(portal.query('payments.options', { token: tenant.token }))
    const list = await portal.expectOk(portal.call('GET', '/api/payment/history', { token: tenant.token }))
    return {
      balance: options.result.data.applications[0].balance,
      credited: list.payments.map((row: { creditedAmount: number }) => row.creditedAmount),
    }
  }
  const csv = async () =>
    (await portal.call('GET', '/api/payment/admin/revenue.csv', { token: admin.token })).text
  const [before, csvBefore, nothing] = [await revenue(), await csv(), await balances()]
  const { payment: byHand } = await portal.expectOk(manual(applicationId, { amount: 700_00 }))
  const { url } = await portal.expectOk(pay(tenant.token, checkout({ applicationId })))
  const sessionId = new URL(url).pathname.split('/').at(-1) ?? ''
  portal.providerServer.provider.pay(sessionId)
  const bySession = () =>
    portal.expectOk(portal.call('GET', `/api/payment/by-session/${sessionId}`, { token: tenant.token }))
  const { payment: byCard } = await bySession()
  expect(byCard.status).toBe('succeeded')
  expect((await revenue()).totalRevenue).toBe(before.totalRevenue + 700_00 + 515_00)
  expect((await balances()).balance.paidCents).toBe(1200_00)

  await portal.expectOk(
    portal.call('DELETE', `/api/payment/admin/remove/${byHand.id}`, { token: admin.token }),
  )
  const refund = { paymentId: byCard.id, requestId: crypto.randomUUID() }
  await portal.expectOk(portal.mutate('payments.refund', { token: admin.token, body: refund }))
  expect(await revenue()).toEqual(before)
  expect(await csv()).toBe(csvBefore)
  // The returned deposit is not owed again.
  expect((await balances()).balance).toEqual({
    ...nothing.balance,
    depositReturnedCents: 500_00,
    balanceCents: nothing.balance.balanceCents - 500_00,
    amountCents: nothing.balance.amountCents - 500_00,
  })
  expect((await balances()).credited).toEqual([0])
  expect((await bySession()).payment).toMatchObject({ status: 'refunded', creditedAmount: 0 })
  await portal.expectRejected([400, 409], () =>
    portal.mutate('payments.refund', {
      token: admin.token,
      body: { ...refund, requestId: crypto.randomUUID() },
    }),
  )
  await portal.expectRejected(404, () =>
    portal.call('DELETE', `/api/payment/admin/remove/${byHand.id}`, { token: admin.token }),
  )
})
