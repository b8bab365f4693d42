import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, payments, refunds } from '../../../../db/schema.ts'
import type { Admin, SignedIn } from '../../../domain/accounts/access.ts'
import { paidCents } from '../../../domain/money/ledger.ts'
import { buildManualPayment, type PaymentApp, paymentApp } from '../../../testing/build-payment.ts'
import { stayApp } from '../../../testing/build-stay.ts'
import { sweepPayments } from './checkout/sweep.ts'
import { recordPayment } from './manual-payments.ts'

async function withPaidDeposit() {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const application = await app.makeApplication(tenant)
  const row = await app.checkout(tenant, { applicationId: application.id })
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  const balance = async () =>
    (await app.as(tenant).payments.options()).applications.find(({ id }) => id === application.id)?.balance
  return { app, tenant, admin, application, row, balance }
}

const requestId = () => randomUUID()
const deposits = async (app: PaymentApp, admin: SignedIn, tenant: SignedIn) => {
  const { applications } = await app.as(admin).payments.availableDeposits({ userId: tenant.userId })
  return new Map(applications.map(each => [each.applicationId, each]))
}

test('a manual payment counts on its date, sends no receipt automatically, and shows its check number to the owner [MONEY-04]', async () => {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const application = await app.makeApplication(tenant)
  const { payment } = await app.as(admin).payments.addManual(buildManualPayment(application.id))
  expect(payment).toMatchObject({
    amount: 1000_00,
    feeAmount: 0,
    paymentType: 'rent',
    method: 'manual',
    status: 'succeeded',
    checkNumber: '1042',
    notes: 'By check',
    paidAt: '2026-03-02T17:00:00.000Z',
    applicationId: { _id: application.id, applicationNumber: application.number },
    userId: { _id: tenant.userId },
  })
  const { payments: history } = await app.as(tenant).payments.history({ applicationId: application.id })
  expect(history).toMatchObject([{ id: payment.id, amount: 1000_00, status: 'succeeded' }])
  expect(history[0]).not.toHaveProperty('notes')
  expect((await deposits(app, admin, tenant)).get(application.id)).toMatchObject({
    totalBalance: 2000_00,
    availableToTransfer: 1000_00,
  })
  expect(app.receipts()).toEqual([])
})

test('sent twice, also at once, a form of the owner records its money once, and only for its application [ADMAPP-33, MONEY-09]', async () => {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const [{ id }, other] = [await app.makeApplication(tenant), await app.makeApplication(tenant)]
  const { payments: money } = app.as(admin)
  const paid = buildManualPayment(id, { amount: 1000_00 })
  const returned = { applicationId: id, kind: 'refund' as const, amount: 100_00, reason: 'Heating' }
  const moved = { fromApplicationId: id, toApplicationId: other.id, depositAmount: 200_00 }
  const forms = [
    (requestId: string) => money.addManual({ ...paid, requestId }),
    (requestId: string) => money.addManual({ ...paid, paymentType: 'deposit', requestId }),
    (requestId: string) => money.recordReturn({ ...returned, requestId }),
    (requestId: string) => money.transfer({ ...moved, requestId }),
    (requestId: string) => money.transfer({ ...moved, kind: 'deposit', requestId }),
  ]
  for (const send of forms) {
    const key = requestId()
    await Promise.all([send(key), send(key)])
    await send(key)
    const elsewhere = money.addManual({ ...buildManualPayment(other.id), requestId: key })
    await expect(elsewhere).rejects.toThrow('This was recorded already')
  }
  const rows = app.deps.db.select().from(payments).where(eq(payments.applicationId, id)).all()
  expect(rows.map(({ amountCents }) => amountCents)).toEqual([1000_00, 1000_00, -100_00, -200_00, -200_00])
})

test('sent again after a change or once its payment was removed, a form of the owner asks to be opened again [ADMAPP-33, MONEY-09]', async () => {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const make = async () => (await app.makeApplication(tenant)).id
  const [id, to, third] = [await make(), await make(), await make()]
  const { payments: money } = app.as(admin)
  const [paid, elsewhere, returned, moved, divided] = Array.from({ length: 5 }, requestId)
  const payment = buildManualPayment(id, { amount: 500_00 })
  const pay = (changes = {}) => money.addManual({ ...payment, requestId: paid, ...changes })
  const give = (changes = {}) => {
    const refund = { applicationId: id, kind: 'refund' as const, amount: 100_00, reason: 'Heating' }
    return money.recordReturn({ ...refund, requestId: returned, ...changes })
  }
  const move = (changes = {}) =>
    money.transfer({
      fromApplicationId: id,
      toApplicationId: to,
      depositAmount: 200_00,
      requestId: moved,
      ...changes,
    })
  await pay()
  await pay({ amount: 300_00, paymentType: 'deposit', requestId: requestId() })
  await give()
  const whole = await move()
  // Other money and a part of the deposit.
  const divide = () => move({ depositAmount: 350_00, requestId: divided })
  const parts = await divide()
  await divide()
  const rows = () => app.deps.db.select().from(payments).all().length
  const before = rows()
  const changed = [
    () => pay({ amount: 900_00 }),
    () => pay({ paymentType: 'deposit' }),
    () => pay({ paymentDate: '2026-02-28' }),
    () => pay({ checkNumber: '556' }),
    () => pay({ notes: 'Paid twice' }),
    () => give({ amount: 50_00 }),
    () => give({ kind: 'deduction' }),
    () => give({ date: '2026-02-28' }),
    () => give({ checkNumber: '556' }),
    () => give({ reason: 'Parking' }),
    () => give({ requestId: paid }),
    () => move({ depositAmount: 100_00 }),
    () => move({ toApplicationId: third }),
    () => move({ transferNotes: 'As agreed' }),
    () => move({ kind: 'deposit' }),
    () => move({ depositAmount: 200_00, requestId: divided }),
  ]
  for (const send of changed) await expect(send()).rejects.toThrow('This was recorded already')
  const pay3 = () => pay({ applicationId: third, requestId: elsewhere })
  const { payment: mistyped } = await pay3()
  for (const made of [mistyped, whole.payments[0], parts.payments.at(-1)])
    await money.remove({ paymentId: made?.id ?? '' })
  for (const again of [pay3, move, divide]) await expect(again()).rejects.toThrow('This was recorded already')
  expect(rows()).toBe(before + 1)
})

test('a payment dated tomorrow is stored with the current time, so that its return comes after it', async () => {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const { id } = await app.makeApplication(tenant)
  const ofTomorrow = { ...buildManualPayment(id), paymentDate: '2026-03-05' }
  const { payment } = await app.as(admin).payments.addManual(ofTomorrow)
  expect(payment.paidAt).toBe(app.deps.clock.now().toISOString())
})

test('rejects a manual payment without amount or type, of zero, of the last century or in the future, and writes nothing', async () => {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const application = await app.makeApplication(tenant)
  const before = app.snapshotState()
  const add = (changes: object) =>
    app.as(admin).payments.addManual({ ...buildManualPayment(application.id), ...changes })
  for (const changes of [{ amount: undefined }, { paymentType: undefined }, { paymentType: 'late_fee' }])
    await expect(add(changes)).rejects.toThrow('Please fill in all required fields')
  for (const amount of [0, -5, 1.5, Number.NaN, 1e15])
    await expect(add({ amount })).rejects.toThrow('Please enter a valid amount')
  await expect(add({ paymentDate: '2026-03-06' })).rejects.toThrow('future')
  const old = 'Please enter a date of Jan 1, 2000 or later'
  await expect(add({ paymentDate: '1999-12-31' })).rejects.toThrow(old)
  const returned = { applicationId: application.id, kind: 'refund' as const, amount: 1, date: '1999-12-31' }
  await expect(app.as(admin).payments.recordReturn(returned)).rejects.toThrow(old)
  await expect(add({ applicationId: 'nowhere' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(app.snapshotState()).toEqual(before)
})

test('a removed payment disappears from every list and total, and stays in the audit log', async () => {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const application = await app.makeApplication(tenant)
  const { payment } = await app.as(admin).payments.addManual(buildManualPayment(application.id))
  const answer = await app.as(admin).payments.remove({ paymentId: payment.id })
  expect(answer).toEqual({ message: 'Payment deleted successfully!' })
  const caller = app.as(admin).payments
  expect((await app.as(tenant).payments.history()).payments).toEqual([])
  expect((await caller.adminHistory({ userId: tenant.userId })).payments).toEqual([])
  expect(await caller.revenueSummary()).toMatchObject({ summary: { totalRevenue: 0 }, payments: [] })
  expect((await deposits(app, admin, tenant)).get(application.id)?.totalBalance).toBe(3000_00)
  const log = app.deps.db.select().from(events).where(eq(events.kind, 'payment.removed')).all()
  expect(log).toMatchObject([{ subjectId: payment.id, actorId: admin.userId }])
  await expect(caller.remove({ paymentId: payment.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('removing a card payment warns that the money is not refunded; later webhook events change no total', async () => {
  const { app, admin, row, balance } = await withPaidDeposit()
  const { message } = await app.as(admin).payments.remove({ paymentId: row.id })
  expect(message).toContain('not returned to the card')
  app.provider.refund(app.payment(row.id).stripeChargeId ?? '')
  await app.provider.deliverDue()
  expect(await balance()).toMatchObject({ paidCents: 0 })
})

test('removing an open checkout closes it at the provider; a payment that is made or in progress stays', async () => {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const open = await app.checkout(tenant)
  await app.as(admin).payments.remove({ paymentId: open.id })
  expect(() => app.provider.pay(open.checkoutSessionId)).toThrow('expired')
  const paid = await app.checkout(tenant)
  app.provider.pay(paid.checkoutSessionId)
  await expect(app.as(admin).payments.remove({ paymentId: paid.id })).rejects.toThrow('just been made')
  expect(app.payment(paid.id)).toMatchObject({ status: 'succeeded', voidedAt: null })
  const slow = await app.checkout(tenant, { paymentType: 'rent', amount: 1000_00 })
  app.provider.completeUnpaid(slow.checkoutSessionId)
  await app.provider.deliverDue()
  await expect(app.as(admin).payments.remove({ paymentId: slow.id })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
})

test('a transfer is two rows that sum to zero; removing one row removes the other [MONEY-09]', async () => {
  const { app, tenant, admin, application, balance } = await withPaidDeposit()
  const other = await app.makeApplication(tenant)
  const { payments: both } = await app.as(admin).payments.transfer({
    fromApplicationId: application.id,
    toApplicationId: other.id,
    depositAmount: 200_00,
    transferNotes: 'Moved to July',
  })
  expect(both).toMatchObject([
    { amount: -200_00, paymentType: 'deposit_transfer', applicationId: { _id: application.id } },
    {
      amount: 200_00,
      paymentType: 'deposit_transfer',
      applicationId: { _id: other.id },
      notes: 'Moved to July',
    },
  ])
  expect(await balance()).toMatchObject({ paidCents: 300_00 })
  expect((await deposits(app, admin, tenant)).get(other.id)).toMatchObject({
    totalBalance: 2800_00,
    availableToTransfer: 200_00,
  })
  expect((await app.as(admin).payments.revenueSummary()).summary).toMatchObject({
    totalRevenue: 515_00,
    paymentCount: 1,
  })
  await app.as(admin).payments.remove({ paymentId: both[1]?.id ?? '' })
  expect(await balance()).toMatchObject({ paidCents: 500_00 })
  expect(
    app.deps.db
      .select()
      .from(payments)
      .all()
      .filter(({ voidedAt }) => voidedAt),
  ).toHaveLength(2)
  expect(app.receipts()).toHaveLength(1)
})

test('rejects a transfer above the paid amount, to the same application, or between tenants, and writes nothing', async () => {
  const { app, tenant, admin, application } = await withPaidDeposit()
  const other = await app.makeApplication(tenant)
  const foreign = await app.makeApplication(await app.makeTenant())
  const before = app.snapshotState()
  const transfer = (changes: object) =>
    app.as(admin).payments.transfer({
      fromApplicationId: application.id,
      toApplicationId: other.id,
      depositAmount: 500_00,
      ...changes,
    })
  const prompt = 'Please select destination application and enter amount'
  await expect(transfer({ depositAmount: 500_01 })).rejects.toThrow('At most $500.00')
  await expect(transfer({ toApplicationId: application.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(transfer({ toApplicationId: foreign.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(transfer({ toApplicationId: 'nowhere' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(transfer({ toApplicationId: '' })).rejects.toThrow(prompt)
  await expect(transfer({ depositAmount: undefined })).rejects.toThrow(prompt)
  for (const depositAmount of [0, -1, 0.5])
    await expect(transfer({ depositAmount })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect(app.snapshotState()).toEqual(before)
})

test('concurrent transfers never move more than was paid [MONEY-09]', async () => {
  const { app, tenant, admin, application } = await withPaidDeposit()
  const other = await app.makeApplication(tenant)
  const move = () =>
    app.as(admin).payments.transfer({
      fromApplicationId: application.id,
      toApplicationId: other.id,
      depositAmount: 300_00,
    })
  const results = await Promise.allSettled([move(), move(), move()])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(paidCents(app.deps.db.select().from(payments).all())).toBe(500_00)
})

test('refunds part and then the rest through the provider; the webhook does not count them again [MONEY-08]', async () => {
  const { app, admin, row, balance } = await withPaidDeposit()
  const part = await app
    .as(admin)
    .payments.refund({ paymentId: row.id, totalCents: 103_00, requestId: requestId() })
  expect(part.payment).toMatchObject({ status: 'succeeded', refundedAmount: 100_00, refundedFeeAmount: 3_00 })
  expect(await balance()).toMatchObject({ paidCents: 400_00 })
  await app.provider.deliverDue()
  expect(app.payment(row.id).refundedAmountCents).toBe(100_00)
  const rest = await app.as(admin).payments.refund({ paymentId: row.id, requestId: requestId() })
  expect(rest.payment).toMatchObject({ status: 'refunded', refundedAmount: 500_00, refundedFeeAmount: 15_00 })
  await app.provider.deliverDue()
  expect(app.provider.truth()[row.checkoutSessionId]).toMatchObject({ paid: 515_00, refunded: 515_00 })
})

test('repeating a refund request makes one refund, also concurrently', async () => {
  const { app, admin, row } = await withPaidDeposit()
  const request = { paymentId: row.id, totalCents: 50_00, requestId: requestId() }
  await Promise.all([1, 2, 3].map(() => app.as(admin).payments.refund(request)))
  expect(app.provider.truth()[row.checkoutSessionId]).toMatchObject({ refunded: 50_00 })
  const whole = { paymentId: row.id, requestId: requestId() }
  await Promise.all([1, 2].map(() => app.as(admin).payments.refund(whole)))
  expect(app.payment(row.id).status).toBe('refunded')
})

test('the sweep finds a refund that the provider made without responding, and does not repeat it', async () => {
  const { app, admin, row } = await withPaidDeposit()
  app.provider.holdDeliveries(true)
  app.provider.setFault({ answerAfterTimeout: true, hangUp: true })
  const request = { paymentId: row.id, totalCents: 103_00, requestId: requestId() }
  await expect(app.as(admin).payments.refund(request)).rejects.toThrow('may still have been made')
  app.provider.setFault({})
  await sweepPayments(app.deps)
  expect(app.payment(row.id)).toMatchObject({ refundedAmountCents: 100_00, refundedFeeCents: 3_00 })
  await app.as(admin).payments.refund(request)
  expect(app.provider.truth()[row.checkoutSessionId]).toMatchObject({ refunded: 103_00 })
  app.advance(20 * 60_000)
  await sweepPayments(app.deps)
  expect(app.deps.db.select().from(refunds).where(eq(refunds.status, 'requested')).all()).toEqual([])
})

test('rejects a refund above the rest, of a manual or of a disputed payment, and writes nothing', async () => {
  const { app, admin, application, row } = await withPaidDeposit()
  const { payment: manual } = await app.as(admin).payments.addManual(buildManualPayment(application.id))
  const refund = (changes: object) =>
    app.as(admin).payments.refund({ paymentId: row.id, requestId: requestId(), ...changes })
  const before = app.snapshotState()
  await expect(refund({ totalCents: 515_01 })).rejects.toThrow('At most $515.00')
  for (const totalCents of [0, -1, 1.5]) await expect(refund({ totalCents })).rejects.toThrow('valid amount')
  await expect(refund({ paymentId: manual.id })).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(refund({ paymentId: 'nowhere' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  app.provider.setFault({ status: 400 })
  await expect(refund({ totalCents: 1_00 })).rejects.toThrow('refused the refund')
  expect(app.snapshotState()).toEqual(before)
  app.provider.setFault({})
  app.provider.openDispute(app.payment(row.id).stripeChargeId ?? '')
  await app.provider.deliverDue()
  await expect(refund({ totalCents: 1_00 })).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('a deposit returned by check and a deduction with a reason settle the deposit, up to the amount held', async () => {
  const { app, admin, application, balance } = await withPaidDeposit()
  const give = (kind: 'deposit_return' | 'deduction' | 'refund', amount: number, reason = '') =>
    app
      .as(admin)
      .payments.recordReturn({ applicationId: application.id, kind, amount, reason, checkNumber: '77' })
  const before = app.snapshotState()
  await expect(give('deduction', 100_00)).rejects.toThrow('what the deduction is for')
  await expect(give('deposit_return', 500_01, 'Stay is over')).rejects.toThrow('Only $500.00')
  await expect(give('refund', 500_01)).rejects.toThrow('Only $500.00 was paid')
  expect(app.snapshotState()).toEqual(before)
  const { payment } = await give('deduction', 100_00, 'Broken lamp')
  expect(payment).toMatchObject({ amount: -100_00, creditedAmount: 0, description: 'Broken lamp' })
  await expect(give('deposit_return', 400_01)).rejects.toThrow('Only $400.00 is left of the deposit')
  await give('deposit_return', 400_00)
  expect(await balance()).toMatchObject({
    paidCents: 100_00,
    depositReturnedCents: 400_00,
    balanceCents: 2500_00,
  })
  const { summary, revenueByType } = await app.as(admin).payments.revenueSummary()
  expect(summary).toMatchObject({ totalRevenue: 115_00, paymentCount: 1 })
  expect(revenueByType).toEqual({
    deposit: { amount: 515_00, count: 1 },
    deposit_return: { amount: -400_00, count: 1 },
  })
})

test("'Send receipt' works for manual payments and again for card payments; a double click sends one", async () => {
  const { app, admin, application, row } = await withPaidDeposit()
  const { payment } = await app.as(admin).payments.addManual(buildManualPayment(application.id))
  const send = (paymentId: string) => app.as(admin).payments.resendReceipt({ paymentId })
  await Promise.all([send(payment.id), send(payment.id)])
  expect(app.receipts().map(({ props }) => props.paymentId)).toEqual([row.id, payment.id])
  app.advance(61_000)
  await Promise.all([send(row.id), send(row.id)])
  expect(app.receipts()).toHaveLength(3)
  const before = app.snapshotState()
  const { id: pendingId } = await app.checkout(await app.makeTenant())
  await expect(send(pendingId)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(send('nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(app.snapshotState().outbox).toEqual(before.outbox)
})

test("the owner can see a tenant's history, also by application; tenants see only their own payments", async () => {
  const { app, tenant, admin, application, row } = await withPaidDeposit()
  const stranger = await app.makeTenant()
  const other = await app.makeApplication(tenant)
  const history = app.as(admin).payments.adminHistory
  expect((await history({ userId: tenant.userId })).payments).toMatchObject([{ id: row.id, notes: '' }])
  expect((await history({ userId: tenant.userId, applicationId: other.id })).payments).toEqual([])
  await expect(history({ userId: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const own = app.as(tenant).payments
  expect((await own.history({ applicationId: application.id })).payments).toHaveLength(1)
  expect((await own.history({ applicationId: other.id })).payments).toEqual([])
  expect((await app.as(stranger).payments.history()).payments).toEqual([])
  await expect(app.as(stranger).payments.history({ applicationId: application.id })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('a check number with words needs a proof, because the receipt shows it [FIX-32]', async () => {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const application = await app.makeApplication(tenant)
  const add = (checkNumber: string) =>
    recordPayment(app.deps, admin as Admin, { ...buildManualPayment(application.id), checkNumber })
  for (const checkNumber of ['', '1184', '12345678']) await add(checkNumber)
  for (const checkNumber of ['lost, pay pay@evil.example', '850 555 0199', 'DE89370400440532013000'])
    await expect(add(checkNumber)).rejects.toMatchObject({ code: 'forbidden' })
})

test('while arrival information is on, a payment by check needs a proof, because it opens the stay [FIX-32, STAY-10]', async () => {
  const { admin, app, id } = await stayApp({ isPaid: false })
  const pay = () => recordPayment(app.deps, admin as Admin, buildManualPayment(id))
  await expect(pay()).rejects.toMatchObject({ code: 'forbidden' })
  await app.as(admin).payments.addManual(buildManualPayment(id))
})
