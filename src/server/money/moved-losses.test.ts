import { expect, test } from 'vitest'
import { buildCheckout, buildManualPayment, paymentApp } from '../../testing/build-payment.ts'
import { testNow } from '../../testing/test-app.ts'

/** $1,000.00 was received for A, $500.00 of it as deposit by card, which was moved to B and is disputed. */
async function disputedAfterTransfer() {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const owner = () => app.as(admin)
  const a = await app.makeApplication(tenant, { submittedAt: testNow })
  const later = { requestedStartDate: '2026-09-01', requestedEndDate: '2026-10-01' }
  const b = await app.makeApplication(tenant, { submittedAt: testNow, ...later })
  const deposit = buildCheckout({ amount: 500_00, paymentType: 'deposit', applicationId: a.id })
  const paid = await app.checkout(tenant, deposit)
  app.provider.pay(paid.checkoutSessionId)
  await app.provider.deliverDue()
  await owner().payments.addManual({ ...buildManualPayment(a.id, { amount: 500_00 }), paymentType: 'rent' })
  const move = { fromApplicationId: a.id, toApplicationId: b.id, depositAmount: 500_00, transferNotes: '' }
  await owner().payments.transfer({ ...move, kind: 'deposit' })
  app.provider.openDispute(app.payment(paid.id).stripeChargeId ?? '')
  await app.provider.deliverDue()
  const sumsOf = async ({ id }: { id: string }) => (await owner().charges.list({ applicationId: id })).summary
  const listed = async ({ id }: { id: string }) => {
    const of = { userId: tenant.userId, applicationId: id }
    const { payments } = await owner().payments.adminHistory(of)
    return payments.reduce((sum, { creditedAmount }) => sum + creditedAmount, 0)
  }
  const giveBack = ({ id }: { id: string }, amount: number) =>
    owner().payments.recordReturn({ applicationId: id, kind: 'refund', amount, reason: 'x' })
  const noticesOf = async ({ number }: { number: string }) =>
    (await owner().notices.list()).notices.map(({ title }) => title).filter(title => title.includes(number))
  const decline = ({ id }: { id: string }) => owner().applications.adminSetStatus({ id, status: 'rejected' })
  return { a, b, decline, giveBack, listed, noticesOf, owner, paid, sumsOf, tenant, app }
}

test('a moved deposit that is disputed is due where it went, and no longer missing where it came from; both lists add up [FIX-38, DEP-42, LOOK-20]', async () => {
  const { a, b, listed, noticesOf, sumsOf } = await disputedAfterTransfer()
  expect(await sumsOf(a)).toMatchObject({ paidCents: 500_00, balanceCents: 2500_00 })
  expect(await sumsOf(b)).toMatchObject({ paidCents: 0, depositDueCents: 500_00, balanceCents: 3000_00 })
  expect([await listed(a), await listed(b)]).toEqual([500_00, 0])
  expect(await noticesOf(a)).toEqual([expect.stringContaining('is disputed')])
})

test('when both bookings end, what the dispute left is refunded once [FIX-38, CHANGE-09]', async () => {
  const { a, b, decline, giveBack, owner, sumsOf } = await disputedAfterTransfer()
  const { cancellation } = await owner().cancellations.cancel({
    applicationId: a.id,
    side: 'owner',
    reason: 'x',
  })
  expect(cancellation).toMatchObject({ paidCents: 500_00, refundCents: 500_00, keptCents: 0 })
  await decline(b)
  expect((await sumsOf(b)).ended).toMatchObject({ paidCents: 0, toReturnCents: 0 })
  expect((await sumsOf(a)).ended).toMatchObject({ paidCents: 500_00, toReturnCents: 500_00 })
  await expect(giveBack(b, 1)).rejects.toThrow('Only $0.00 was paid.')
  const [refund] = cancellation.refunds
  await owner().cancellations.refundByHand({ refundId: refund?.id ?? '' })
  expect((await sumsOf(a)).ended).toMatchObject({ returnedCents: 500_00, toReturnCents: 0 })
  await expect(giveBack(a, 1)).rejects.toThrow('Only $0.00 was paid.')
})

test('when only the booking where it went ends, the other one does not ask for anything twice [FIX-38]', async () => {
  const { a, app, b, decline, giveBack, noticesOf, tenant } = await disputedAfterTransfer()
  await decline(b)
  const { applications } = await app.as(tenant).payments.options()
  expect(applications.find(({ id }) => id === a.id)?.open).toEqual({
    depositCents: 500_00,
    rentCents: 2000_00,
  })
  // The rent can be refunded, because none of it was lost.
  await expect(giveBack(a, 500_01)).rejects.toThrow('Only $500.00 was paid.')
  await giveBack(a, 500_00)
  expect(await noticesOf(a)).toEqual([expect.stringContaining('is disputed')])
})

test('kept money is subtracted once from what can be refunded where moved money was lost [FIX-38, DEP-09]', async () => {
  const { b, giveBack, owner } = await disputedAfterTransfer()
  const pay = (amount: number, paymentType: 'rent' | 'deposit') =>
    owner().payments.addManual({ ...buildManualPayment(b.id, { amount }), paymentType })
  await pay(1000_00, 'rent')
  await pay(300_00, 'deposit')
  await owner().payments.recordReturn({ applicationId: b.id, kind: 'deduction', amount: 200_00, reason: 'x' })
  await expect(giveBack(b, 1100_01)).rejects.toThrow('Only $1,100.00 is not kept.')
  await giveBack(b, 1100_00)
})

test('rejects removing a disputed payment whose money was transferred, or a refunded payment on the booking that bears the loss [FIX-05, FIX-38]', async () => {
  const { a, app, b, giveBack, owner, paid, sumsOf } = await disputedAfterTransfer()
  const rent = { ...buildManualPayment(b.id, { amount: 300_00 }), paymentType: 'rent' } as const
  const { payment } = await owner().payments.addManual(rent)
  await giveBack(b, 300_00)
  const before = app.snapshotState()
  await expect(owner().payments.remove({ paymentId: paid.id })).rejects.toThrow(
    `−$500.00 would be left of the deposit of ${a.number}.`,
  )
  await expect(owner().payments.remove({ paymentId: payment.id })).rejects.toThrow(
    `−$300.00 would be left of the deposit of ${a.number}.`,
  )
  expect(app.snapshotState()).toEqual(before)
  expect([(await sumsOf(a)).paidCents, (await sumsOf(b)).paidCents]).toEqual([500_00, 0])
})

test('disputed money cannot be transferred from the booking that bears the loss; the other booking can transfer what was paid [FIX-38]', async () => {
  const { a, app, b, owner, sumsOf, tenant } = await disputedAfterTransfer()
  const c = await app.makeApplication(tenant, {
    submittedAt: testNow,
    requestedStartDate: '2026-11-01',
    requestedEndDate: '2026-12-01',
  })
  const { applications } = await owner().payments.availableDeposits({ userId: tenant.userId })
  const offered = new Map(applications.map(row => [row.applicationId, row.availableOfKind]))
  expect(offered.get(a.id)).toEqual({ deposit: 0, other: 500_00 })
  expect(offered.get(b.id)).toEqual({ deposit: 0, other: 0 })
  const move = (fromApplicationId: string) =>
    owner().payments.transfer({
      fromApplicationId,
      toApplicationId: c.id,
      depositAmount: 500_00,
      transferNotes: '',
    })
  await expect(move(b.id)).rejects.toThrow('At most $0.00 can be transferred from')
  await move(a.id)
  expect(await Promise.all([a, b, c].map(async row => (await sumsOf(row)).paidCents))).toEqual([0, 0, 500_00])
})

test('rejects a transfer that a loss from a dispute would undo [FIX-38]', async () => {
  const { a, app, b, owner, sumsOf, tenant } = await disputedAfterTransfer()
  const c = await app.makeApplication(tenant, {
    submittedAt: testNow,
    requestedStartDate: '2026-11-01',
    requestedEndDate: '2026-12-01',
  })
  await owner().payments.addManual({
    ...buildManualPayment(b.id, { amount: 70_00 }),
    paymentType: 'deposit',
  })
  const move = { fromApplicationId: b.id, toApplicationId: c.id, depositAmount: 70_00, transferNotes: '' }
  await expect(owner().payments.transfer(move)).rejects.toThrow(
    'A dispute about money that was moved would undo this transfer.',
  )
  expect(await Promise.all([a, b, c].map(async row => (await sumsOf(row)).paidCents))).toEqual([
    500_00, 70_00, 0,
  ])
})

test('a disputed deposit of a deleted booking is not listed as held, and is due without a booking [FIX-38, DEP-40]', async () => {
  const { app, b, noticesOf, owner, tenant } = await disputedAfterTransfer()
  const body = { amountCents: 500_00, enabled: true, ruleId: 'general', since: '2026-01-01' }
  await owner().settings.deposit.save({ version: 0, body })
  const deposit = { ...buildManualPayment(b.id, { amount: 20_00 }), paymentType: 'deposit' } as const
  const { payment } = await owner().payments.addManual(deposit)
  await owner().applications.adminDelete({ id: b.id })
  expect(await noticesOf(b)).toContain(`$20.00 of the deposit of ${b.number} is still held`)
  await owner().payments.remove({ paymentId: payment.id })
  expect((await noticesOf(b)).filter(title => title.includes('still held'))).toEqual([])
  expect(await app.as(tenant).payments.options()).toMatchObject({ depositDueCents: 500_00 })
})

test('cancelling shows disputed money on the booking that bears the loss [FIX-38, CHANGE-09]', async () => {
  const { a, b, owner } = await disputedAfterTransfer()
  const disputedOf = async ({ id }: { id: string }) =>
    (await owner().cancellations.adminGet({ applicationId: id, side: 'owner' })).proposal?.disputedCents
  expect([await disputedOf(a), await disputedOf(b)]).toEqual([0, 500_00])
})

test('the notice of a returned bank payment does not say that a transferred deposit was returned or kept [DEP-43, FIX-38]', async () => {
  const app = await paymentApp()
  const [owner, tenant] = [app.as(await app.offerBank()), await app.makeTenant()]
  const a = await app.makeApplication(tenant, { submittedAt: testNow })
  const later = { requestedStartDate: '2026-09-01', requestedEndDate: '2026-10-01' }
  const b = await app.makeApplication(tenant, { submittedAt: testNow, ...later })
  const deposit = { amount: 500_00, paymentType: 'deposit', applicationId: a.id } as const
  const paid = await app.checkout(tenant, { ...deposit, providerMethod: 'us_bank_account' })
  app.provider.completeUnpaid(paid.checkoutSessionId)
  app.provider.settle(paid.checkoutSessionId, true)
  await app.provider.deliverDue()
  await owner.payments.transfer({
    fromApplicationId: a.id,
    toApplicationId: b.id,
    depositAmount: 500_00,
    transferNotes: '',
  })
  app.provider.openDispute(app.payment(paid.id).stripeChargeId ?? '')
  await app.provider.deliverDue()
  const notice = async () =>
    (await owner.notices.list()).notices.find(({ id }) => id === `bank-returned-${paid.id}`)
  expect((await notice())?.detail).toMatch(/The amount is open again\.$/)
})
