import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { payments } from '../../../../db/schema.ts'
import { buildManualPayment, paymentApp } from '../../../testing/build-payment.ts'
import { testNow } from '../../../testing/test-app.ts'

const minuteMs = 60_000

async function people() {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const owner = app.as(admin)
  const setStatus = (id: string, status: 'approved' | 'rejected') => {
    app.advance(minuteMs)
    return owner.applications.adminSetStatus({ id, status })
  }
  return {
    app,
    owner,
    makeApplication: () => app.makeApplication(tenant, { submittedAt: testNow }),
    pay: async (applicationId: string, changes: { amount?: number; paymentType?: 'rent' } = {}) => {
      const row = await app.checkout(tenant, { applicationId, ...changes })
      app.provider.pay(row.checkoutSessionId)
      await app.provider.deliverDue()
      return app.payment(row.id)
    },
    decline: (id: string) => setStatus(id, 'rejected'),
    approve: (id: string) => setStatus(id, 'approved'),
    giveBack: (applicationId: string, amount: number) =>
      owner.payments.recordReturn({ applicationId, kind: 'refund', amount, reason: 'By check' }),
    transfer: (fromApplicationId: string, toApplicationId: string, depositAmount: number) =>
      owner.payments.transfer({ fromApplicationId, toApplicationId, depositAmount, transferNotes: '' }),
    notices: async () => (await owner.notices.list()).notices.filter(({ id }) => id.startsWith('payment-')),
  }
}

test('money returned by hand is not requested again after the declined application is deleted [FIX-01]', async () => {
  const { decline, giveBack, makeApplication, notices, owner, pay } = await people()
  const { id, number } = await makeApplication()
  const { id: paymentId } = await pay(id)
  await decline(id)
  await giveBack(id, 400_00)
  await owner.applications.adminDelete({ id })
  expect(await notices()).toMatchObject([
    {
      title: 'A declined or withdrawn application still holds a payment',
      detail: `Maya Rivers paid $103.00 for ${number}, which was declined or withdrawn afterwards. Refund it to the card here, or dismiss this if the money stays.`,
      action: { applicationId: null, leftCents: 103_00 },
    },
  ])
  await owner.payments.refund({
    paymentId,
    totalCents: 103_00,
    requestId: 'e2f4f9ba-7a4f-4ad9-a4f5-0a2c3b5c8b11',
  })
  expect(await notices()).toEqual([])

  const other = await makeApplication()
  await pay(other.id)
  await decline(other.id)
  await giveBack(other.id, 500_00)
  await owner.applications.adminDelete({ id: other.id })
  expect(await notices()).toEqual([])
})

test('no card refund is offered for money of a deleted application that was not paid by card [FIX-01]', async () => {
  const { decline, makeApplication, notices, owner, pay, transfer } = await people()
  const [manual, first, second] = [await makeApplication(), await makeApplication(), await makeApplication()]
  await owner.payments.addManual({
    ...buildManualPayment(manual.id),
    amount: 20_00,
    paymentDate: '2026-03-02',
  })
  await pay(first.id)
  await transfer(first.id, second.id, 500_00)
  for (const { id } of [manual, second]) {
    await decline(id)
    await owner.applications.adminDelete({ id })
  }
  const found = await notices()
  expect(found).toHaveLength(2)
  for (const { action, detail } of found) {
    expect(detail).toContain('afterwards. Return it by hand, or dismiss this if the money stays.')
    expect(action).toMatchObject({ applicationId: null, isByHand: true })
  }
})

test('money that comes back to a declined application after a won dispute is a notice [FIX-01]', async () => {
  const { app, decline, makeApplication, notices, pay } = await people()
  const { id } = await makeApplication()
  const row = await pay(id)
  const dispute = app.provider.openDispute(row.stripeChargeId ?? '')
  await app.provider.deliverDue()
  await decline(id)
  expect(await notices()).toEqual([])
  app.provider.closeDispute(dispute.id, 'won')
  await app.provider.deliverDue()
  expect(await notices()).toMatchObject([{ action: { paymentId: row.id, leftCents: 515_00 } }])
})

test('a payment whose earlier notice was dismissed is a notice again after the decline [FIX-01]', async () => {
  const { app, decline, makeApplication, notices, owner, pay } = await people()
  const { id } = await makeApplication()
  const row = await pay(id)
  await app.deps.write(tx =>
    tx.update(payments).set({ cancelRequestedAt: testNow }).where(eq(payments.id, row.id)).run(),
  )
  await owner.payments.dismissUnexpected({ paymentId: row.id })
  await decline(id)
  expect(await notices()).toMatchObject([{ action: { paymentId: row.id, leftCents: 515_00 } }])
})

test('a notice shows at most what the application still holds, and lists moved money once [FIX-01]', async () => {
  const { decline, giveBack, makeApplication, notices, pay, transfer } = await people()
  const [first, second] = [await makeApplication(), await makeApplication()]
  const [deposit, rent] = [await pay(first.id), await pay(first.id, { amount: 1000_00, paymentType: 'rent' })]
  await transfer(first.id, second.id, 1000_00)
  const left = async () =>
    new Map(
      (await notices()).map(({ action, id }) => [
        id,
        action?.kind === 'unexpected_payment' ? action.leftCents : undefined,
      ]),
    )
  await decline(first.id)
  await decline(second.id)
  expect(await left()).toEqual(
    new Map([
      [`payment-${deposit.id}`, 515_00],
      [`payment-${rent.id}`, 515_00],
    ]),
  )
  await giveBack(first.id, 500_00)
  expect([...(await left()).values()]).toEqual([1000_00])
})
