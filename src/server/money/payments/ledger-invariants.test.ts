import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { violationsOf } from '../../../domain/money/ledger-invariants.ts'
import type { RecordReturnInput } from '../../../domain/money/payment-input.ts'
import {
  buildCheckout,
  buildManualPayment,
  type PaymentApp,
  paymentApp,
} from '../../../testing/build-payment.ts'
import { allAccounts } from '../accounts.ts'
import { sweepPayments } from './checkout/sweep.ts'

/**
 * A tenant with two applications (a deposit of 500 and rent of 2500 each), and a helper for each of the owner's
 * changes.
 */
async function openLedger() {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const [one, two] = [await app.makeApplication(tenant), await app.makeApplication(tenant)]
  const owner = app.as(admin)
  const pay = async (applicationId: string, changes: { amount?: number; paymentType?: 'rent' } = {}) => {
    const row = await app.checkout(tenant, { applicationId, ...changes })
    app.provider.pay(row.checkoutSessionId)
    await app.provider.deliverDue()
    return app.payment(row.id)
  }
  return {
    app,
    tenant,
    owner,
    one,
    two,
    pay,
    manual: async (applicationId: string, amount: number, paymentType: 'rent' | 'deposit' = 'rent') =>
      (await owner.payments.addManual({ ...buildManualPayment(applicationId, { amount }), paymentType }))
        .payment,
    give: (kind: RecordReturnInput['kind'], amount: number, applicationId = one.id) =>
      owner.payments.recordReturn({ applicationId, kind, amount, reason: 'As agreed' }),
    transfer: async (depositAmount: number, from = one.id, to = two.id) =>
      (
        await owner.payments.transfer({
          fromApplicationId: from,
          toApplicationId: to,
          depositAmount,
          transferNotes: '',
        })
      ).payments,
    refund: (paymentId: string, totalCents?: number, requestId: string = randomUUID()) =>
      owner.payments.refund({ paymentId, totalCents, requestId }),
    remove: (paymentId: string) => owner.payments.remove({ paymentId }),
    broken: () => violationsOf(allAccounts(app.deps.db)),
    /** Only overdrafts: an open dispute has a separate notice. */
    board: async () => (await owner.notices.list()).notices.filter(({ id }) => id.startsWith('overdraft')),
    options: async (id = one.id) => {
      const { applications } = await app.as(tenant).payments.options()
      return applications.find(application => application.id === id)
    },
  }
}

const openDeposit = (app: PaymentApp, tenant: SignedIn, applicationId: string, amount: number) =>
  app.as(tenant).payments.createCheckoutSession(buildCheckout({ applicationId, amount }))

test('refuses to refund a deposit to the card after it was returned by hand [FIX-05]', async () => {
  const { app, broken, give, one, pay, refund } = await openLedger()
  const { id } = await pay(one.id)
  await give('deposit_return', 500_00)
  const before = app.snapshotState()
  await expect(refund(id)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: `−$500.00 would be left on ${one.number}. Already taken from it: Deposit returned $500.00.`,
  })
  expect(app.snapshotState()).toEqual(before)
  expect(broken()).toEqual([])
})

test('refuses to refund transferred money at the source, and names its target [FIX-05]', async () => {
  const { app, broken, one, pay, refund, remove, transfer, two } = await openLedger()
  const { id } = await pay(one.id)
  await transfer(300_00)
  const before = app.snapshotState()
  await expect(refund(id)).rejects.toThrow(
    `−$300.00 would be left on ${one.number}. Already taken from it: Transfer to ${two.number} $300.00.`,
  )
  await expect(remove(id)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(app.snapshotState()).toEqual(before)
  expect((await refund(id, 206_00)).payment).toMatchObject({ refundedAmount: 200_00 })
  expect(broken()).toEqual([])
})

test('refuses to remove a transferred manual payment, or a transfer whose target was refunded [FIX-05]', async () => {
  const { app, broken, give, manual, one, remove, transfer, two } = await openLedger()
  const { id } = await manual(one.id, 400_00)
  const both = await transfer(400_00)
  await expect(remove(id)).rejects.toMatchObject({ code: 'CONFLICT' })
  await give('refund', 100_00, two.id)
  const before = app.snapshotState()
  for (const side of both)
    await expect(remove(side.id)).rejects.toThrow(
      `−$100.00 would be left on ${two.number}. Already taken from it: Refund $100.00.`,
    )
  expect(app.snapshotState()).toEqual(before)
  expect(broken()).toEqual([])
})

test('refuses to remove a deposit with a deduction [FIX-05]', async () => {
  const { broken, give, manual, one, remove } = await openLedger()
  const { id } = await manual(one.id, 500_00, 'deposit')
  await give('deduction', 120_00)
  await expect(remove(id)).rejects.toThrow(
    `−$120.00 would be left of the deposit of ${one.number}. Already taken from it: Deposit deduction $120.00.`,
  )
  expect(broken()).toEqual([])
})

test('rejects a card refund after one by hand, or a removal, that would take what is kept of a deposit [FIX-05, DEP-09]', async () => {
  const { app, broken, give, manual, one, pay, refund, remove } = await openLedger()
  const rent = await pay(one.id, { paymentType: 'rent', amount: 2500_00 })
  await manual(one.id, 500_00, 'deposit')
  await give('deduction', 500_00)
  const { id } = await manual(one.id, 300_00)
  await give('refund', 2800_00)
  const before = app.snapshotState()
  await expect(refund(rent.id, 515_00)).rejects.toThrow(`−$500.00 would be left on ${one.number}.`)
  await expect(remove(id)).rejects.toThrow(`−$300.00 would be left on ${one.number}.`)
  expect(app.snapshotState()).toEqual(before)
  expect(broken()).toEqual([])
})

test('a transfer leaves the deducted part of the deposit [FIX-05]', async () => {
  const { give, manual, one, transfer } = await openLedger()
  await manual(one.id, 500_00, 'deposit')
  await give('deduction', 120_00)
  await expect(transfer(380_01)).rejects.toThrow('At most $380.00')
  expect(await transfer(380_00)).toHaveLength(2)
})

test('returns the same money once when two administrators do so concurrently [FIX-05]', async () => {
  const { app, broken, give, one, pay, refund, remove, transfer } = await openLedger()
  const { id } = await pay(one.id)
  const results = await Promise.allSettled([
    refund(id),
    give('deposit_return', 500_00),
    transfer(500_00),
    remove(id),
    refund(id),
    give('refund', 500_00),
  ])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(broken()).toEqual([])
  expect(app.deps.db.query.payments.findMany().sync().length).toBeLessThanOrEqual(3)
})

test('refuses to return payments of a deleted application twice [FIX-05]', async () => {
  const { app, broken, one, owner, pay, refund, transfer } = await openLedger()
  const { id } = await pay(one.id)
  await transfer(500_00)
  await app.deps.write(tx => tx.run('update applications set submitted_at = created_at'))
  await owner.applications.adminDelete({ id: one.id })
  await expect(refund(id)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(broken()).toEqual([])
})

test.each(['refund', 'dispute'] as const)(
  'records a %s at the provider that overdraws the account, shows it to the owner and reports it [FIX-05, FIX-10]',
  async how => {
    const { app, board, broken, give, manual, one, pay, remove } = await openLedger()
    const { id, stripeChargeId } = await pay(one.id)
    const { payment: returned } = await give('deposit_return', 500_00)
    expect(await board()).toEqual([])
    if (how === 'refund') app.provider.refund(stripeChargeId ?? '')
    else app.provider.openDispute(stripeChargeId ?? '')
    await app.provider.deliverDue()
    expect(app.payment(id).status).toBe(how === 'refund' ? 'refunded' : 'disputed')
    expect(await board()).toMatchObject([
      {
        tone: 'danger',
        title: `More money went back than came in on ${one.number}`,
        action: { kind: 'application', applicationId: one.id },
      },
    ])
    const [notice] = await board()
    expect(notice?.detail).toContain('−$500.00 is paid')
    expect(notice?.detail).toContain('Deposit returned $500.00')
    expect(broken()).toMatchObject([{ invariant: 'paid-below-zero', cause: 'provider' }])
    // No more money goes out, and the trace of the overdraft cannot be removed.
    await manual(one.id, 200_00)
    await expect(give('refund', 1_00)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(remove(id)).rejects.toMatchObject({ code: 'CONFLICT' })
    await remove(returned.id)
    expect(await board()).toEqual([])
    expect(broken()).toEqual([])
  },
)

test('a won dispute removes the notice [FIX-05]', async () => {
  const { app, board, give, one, pay } = await openLedger()
  const { stripeChargeId } = await pay(one.id)
  await give('deposit_return', 500_00)
  const dispute = app.provider.openDispute(stripeChargeId ?? '')
  await app.provider.deliverDue()
  expect(await board()).toHaveLength(1)
  app.provider.closeDispute(dispute.id, 'won')
  await app.provider.deliverDue()
  expect(await board()).toEqual([])
})

test('offers the due amount of the deposit and rejects any other amount [FIX-06, CHG-30, CHG-31]', async () => {
  const { app, manual, options, tenant } = await openLedger()
  const { id } = await app.makeApplication(tenant, { depositCents: 800_00, totalCents: 3300_00 })
  await manual(id, 500_00, 'deposit')
  expect(await options(id)).toMatchObject({
    depositCents: 800_00,
    depositDueCents: 300_00,
    depositPaid: false,
  })
  for (const amount of [800_00, 299_99, 300_01])
    await expect(openDeposit(app, tenant, id, amount)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { fields: { amount: 'Please enter a valid amount' } },
    })
  const row = await app.checkout(tenant, { applicationId: id, amount: 300_00 })
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  expect(await options(id)).toMatchObject({ depositDueCents: 0, depositPaid: true })
  for (const amount of [300_00, 800_00])
    await expect(openDeposit(app, tenant, id, amount)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('offers the open amounts of deposit and rent, and accepts the deposit in that amount [LOOK-36]', async () => {
  const { app, manual, options, tenant } = await openLedger()
  const { id } = await app.makeApplication(tenant, { depositCents: 800_00, totalCents: 3300_00 })
  const open = async () => (await options(id))?.open
  expect(await open()).toEqual({ depositCents: 800_00, rentCents: 2500_00 })
  await manual(id, 1000_00, 'rent')
  expect(await open()).toEqual({ depositCents: 800_00, rentCents: 1500_00 })
  // Overpaid rent reduces the open amount of the deposit.
  await manual(id, 2000_00, 'rent')
  expect(await open()).toEqual({ depositCents: 300_00, rentCents: 0 })
  const row = await app.checkout(tenant, { applicationId: id, amount: 300_00 })
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  expect(await options(id)).toMatchObject({
    open: { depositCents: 0, rentCents: 0 },
    balance: { balanceCents: 0, label: 'Paid in full' },
  })
  // Without a lease, the default deposit and any amount of rent can be paid ahead.
  const { open: ahead } = await app.as(tenant).payments.options()
  expect(ahead).toEqual({ depositCents: 500_00, rentCents: null })
})

test('a transferred deposit counts only at its target; money that is not deposit is moved first [FIX-06, CHG-32]', async () => {
  const { app, broken, manual, one, options, pay, remove, tenant, transfer, two } = await openLedger()
  await pay(one.id)
  await manual(one.id, 100_00)
  const rows = await transfer(400_00)
  expect(rows).toMatchObject([
    { amount: -100_00, paymentType: 'admin_transfer', applicationId: { id: one.id } },
    { amount: 100_00, paymentType: 'admin_transfer', applicationId: { id: two.id } },
    { amount: -300_00, paymentType: 'deposit_transfer', applicationId: { id: one.id } },
    { amount: 300_00, paymentType: 'deposit_transfer', applicationId: { id: two.id } },
  ])
  expect(new Set(rows.map(({ transferId }) => transferId)).size).toBe(2)
  expect(await options(one.id)).toMatchObject({ depositDueCents: 300_00, balance: { paidCents: 200_00 } })
  expect(await options(two.id)).toMatchObject({ depositDueCents: 200_00, balance: { paidCents: 400_00 } })
  await expect(openDeposit(app, tenant, two.id, 500_00)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await app.checkout(tenant, { applicationId: two.id, amount: 200_00 })
  await remove(rows[2]?.id ?? '')
  expect(await options(one.id)).toMatchObject({ depositDueCents: 0 })
  expect(await options(two.id)).toMatchObject({ depositDueCents: 500_00 })
  expect(broken()).toEqual([])
})

test('a transfer of one kind moves only that kind, up to the available amount [CHG-32]', async () => {
  const { broken, manual, one, options, owner, pay, two } = await openLedger()
  await pay(one.id)
  await manual(one.id, 100_00)
  const move = (depositAmount: number, kind: 'deposit' | 'other') =>
    owner.payments.transfer({
      fromApplicationId: one.id,
      toApplicationId: two.id,
      depositAmount,
      transferNotes: '',
      kind,
    })
  for (const [cents, kind, most] of [
    [500_01, 'deposit', '$500.00'],
    [100_01, 'other', '$100.00'],
  ] as const)
    await expect(move(cents, kind)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { fields: { depositAmount: `At most ${most} can be transferred from ${one.number}.` } },
    })
  expect((await move(200_00, 'deposit')).payments).toMatchObject([
    { amount: -200_00, paymentType: 'deposit_transfer' },
    { amount: 200_00, paymentType: 'deposit_transfer' },
  ])
  expect((await move(60_00, 'other')).payments).toMatchObject([
    { amount: -60_00, paymentType: 'admin_transfer' },
    { amount: 60_00, paymentType: 'admin_transfer' },
  ])
  expect(await options(one.id)).toMatchObject({ depositDueCents: 200_00, balance: { paidCents: 340_00 } })
  expect(await options(two.id)).toMatchObject({ depositDueCents: 300_00, balance: { paidCents: 260_00 } })
  await expect(move(300_01, 'deposit')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect(broken()).toEqual([])
})

test('a second refund takes a pending first one into account [FIX-09]', async () => {
  const { app, broken, give, one, options, owner, pay, refund, remove, tenant, transfer, two } =
    await openLedger()
  const { id } = await pay(one.id)
  app.provider.setFault({ hangUp: true })
  const first = randomUUID()
  await expect(refund(id, 309_00, first)).rejects.toThrow('may still have been made')
  app.provider.setFault({})

  const before = app.snapshotState()
  await expect(refund(id, 206_01)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'A refund of $309.00 is still under way. At most $206.00 more can be refunded.',
  })
  await expect(refund(id, 515_01)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(give('deposit_return', 200_01)).rejects.toThrow('Only $200.00 is left of the deposit')
  await expect(give('refund', 200_01)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(transfer(200_01)).rejects.toThrow('At most $200.00')
  const { applications } = await owner.payments.availableDeposits({ userId: tenant.userId })
  expect(applications.map(row => [row.applicationId, row.availableToTransfer])).toEqual([
    [two.id, 0],
    [one.id, 200_00],
  ])
  await expect(remove(id)).rejects.toThrow('A refund of this payment is still under way.')
  expect(app.snapshotState()).toEqual(before)

  await give('deposit_return', 100_00)
  await expect(refund(id, 206_00)).rejects.toMatchObject({ code: 'CONFLICT' })
  // A retry of the first request is not counted against itself.
  await refund(id, 309_00, first)
  expect(app.provider.truth()[app.payment(id).checkoutSessionId ?? '']).toMatchObject({ refunded: 309_00 })
  expect(await options()).toMatchObject({ balance: { paidCents: 100_00 } })
  expect(broken()).toEqual([])
})

test('counts a refund that got no response once, as soon as it is known [FIX-09]', async () => {
  const { app, broken, one, pay, refund } = await openLedger()
  const { id } = await pay(one.id)
  app.provider.setFault({ answerAfterTimeout: true, hangUp: true })
  await expect(refund(id, 309_00)).rejects.toThrow('may still have been made')
  app.provider.setFault({})
  await sweepPayments(app.deps)
  expect(app.payment(id)).toMatchObject({ refundedAmountCents: 300_00 })
  expect((await refund(id)).payment).toMatchObject({ status: 'refunded' })
  expect(broken()).toEqual([])
})
