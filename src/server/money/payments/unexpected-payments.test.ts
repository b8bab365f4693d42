import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { payments } from '../../../../db/schema.ts'
import { minuteMs } from '../../../domain/common/durations.ts'
import { buildCheckout, buildManualPayment, paymentApp } from '../../../testing/build-payment.ts'
import { testNow } from '../../../testing/test-app.ts'
import { tickDismissed } from './unexpected-payments.ts'

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
    tenant,
    makeApplication: () => app.makeApplication(tenant, { submittedAt: testNow }),
    pay: async (applicationId: string, changes: { amount?: number; paymentType?: 'rent' } = {}) => {
      const row = await app.checkout(tenant, { applicationId, ...changes })
      app.provider.pay(row.checkoutSessionId)
      await app.provider.deliverDue()
      return app.payment(row.id)
    },
    decline: (id: string) => setStatus(id, 'rejected'),
    approve: (id: string) => setStatus(id, 'approved'),
    giveBack: (applicationId: string, amount: number, date?: string) =>
      owner.payments.recordReturn({ applicationId, kind: 'refund', amount, date, reason: 'By check' }),
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
    expect(detail).toContain(
      'afterwards. Return it by hand, and record that here, or dismiss this if the money stays.',
    )
    expect(action).toMatchObject({ applicationId: null })
    if (action?.kind !== 'unexpected_payment' || !action.byHand) throw new Error('nothing to record')
    await owner.payments.recordReturn({ ...action.byHand, amount: action.leftCents })
  }
  expect(await notices()).toEqual([])
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

test('money of an approved application that is deleted is a notice, also once a won dispute brings it back [FIX-01]', async () => {
  const { app, makeApplication, notices, owner, pay } = await people()
  const [paid, disputed] = [await makeApplication(), await makeApplication()]
  const row = await pay(paid.id)
  const { stripeChargeId, id: disputedId } = await pay(disputed.id)
  const dispute = app.provider.openDispute(stripeChargeId ?? '')
  await app.provider.deliverDue()
  app.advance(minuteMs)
  for (const { id } of [paid, disputed]) await owner.applications.adminDelete({ id })
  const first = {
    tone: 'warning',
    title: 'A deleted application still holds a payment',
    detail: expect.stringContaining(`for ${paid.number}, which was deleted afterwards. Refund it`),
    action: { paymentId: row.id, applicationId: null, leftCents: 515_00 },
  }
  expect(await notices()).toMatchObject([first])
  app.provider.closeDispute(dispute.id, 'won')
  await app.provider.deliverDue()
  expect((await notices()).map(({ id }) => id).sort()).toEqual(
    [`payment-${row.id}`, `payment-${disputedId}`].sort(),
  )
})

test('money of a deleted application can be returned by hand, at most what it still holds [FIX-01]', async () => {
  const { app, decline, giveBack, makeApplication, notices, owner } = await people()
  const { id } = await makeApplication()
  await owner.payments.addManual({ ...buildManualPayment(id), paymentType: 'rent', amount: 1000_00 })
  await decline(id)
  await owner.applications.adminDelete({ id })
  expect(await notices()).toMatchObject([{ detail: expect.stringContaining('Return it by hand') }])
  await expect(giveBack(id, 1000_01)).rejects.toThrow('Only $1,000.00 was paid.')
  await giveBack(id, 1000_00)
  expect(await notices()).toEqual([])
  const [row] = app.deps.db.select().from(payments).where(eq(payments.type, 'refund')).all()
  expect(row).toMatchObject({ applicationId: null, formerApplicationId: id })
  await expect(giveBack('unknown', 1_00)).rejects.toThrow('Application not found')
})

test('a failed bank payment that arrives after all, once the application was declined, is a notice [FIX-01]', async () => {
  const { app, decline, makeApplication, notices, tenant } = await people()
  const { id } = await makeApplication()
  const row = await app.checkout(tenant, { applicationId: id })
  await app.deps.write(tx =>
    tx.update(payments).set({ status: 'failed' }).where(eq(payments.id, row.id)).run(),
  )
  await decline(id)
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  expect(await notices()).toMatchObject([{ id: `payment-${row.id}` }])
})

test('what the owner dismissed is no notice again when the declined application is deleted [FIX-01]', async () => {
  const { app, decline, makeApplication, notices, owner, pay } = await people()
  const { id } = await makeApplication()
  const { id: paymentId } = await pay(id)
  await decline(id)
  await owner.payments.dismissUnexpected({ paymentId })
  app.advance(minuteMs)
  await owner.applications.adminDelete({ id })
  expect(await notices()).toEqual([])
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

test('refunding part of a dismissed payment does not hide the notice of another payment [FIX-01]', async () => {
  const { decline, makeApplication, notices, owner, pay } = await people()
  const { id } = await makeApplication()
  const { id: paymentId } = await pay(id)
  const { payment } = await owner.payments.addManual(buildManualPayment(id, { amount: 300_00 }))
  await decline(id)
  await owner.payments.dismissUnexpected({ paymentId })
  const told = [{ action: { paymentId: payment.id, leftCents: 300_00 } }]
  expect(await notices()).toMatchObject(told)
  await owner.payments.refund({ paymentId, requestId: randomUUID(), totalCents: 103_00 })
  expect(await notices()).toMatchObject(told)
})

test('returning a dismissed deposit by hand does not hide the notice about rent [FIX-01]', async () => {
  const { app, decline, makeApplication, notices, owner, pay } = await people()
  const { id } = await makeApplication()
  const { id: paymentId } = await pay(id)
  const { payment } = await owner.payments.addManual(buildManualPayment(id, { amount: 300_00 }))
  await decline(id)
  await owner.payments.dismissUnexpected({ paymentId })
  await owner.payments.recordReturn({ applicationId: id, kind: 'deposit_return', amount: 500_00 })
  await tickDismissed(app.deps)
  expect(await notices()).toMatchObject([{ action: { paymentId: payment.id, leftCents: 300_00 } }])
})

test('each of two notices can be dismissed, also one whose payment was dismissed, returned and restored before [FIX-01]', async () => {
  const { app, decline, giveBack, makeApplication, notices, owner } = await people()
  const { id } = await makeApplication()
  const pay = async () =>
    (await owner.payments.addManual(buildManualPayment(id, { amount: 300_00 }))).payment.id
  const ids = [await pay()]
  await decline(id)
  await owner.payments.dismissUnexpected({ paymentId: String(ids[0]) })
  const { payment: returned } = await giveBack(id, 300_00)
  await tickDismissed(app.deps)
  await owner.payments.remove({ paymentId: returned.id })
  app.advance(minuteMs)
  ids.push(await pay())
  const told = async () => (await notices()).map(notice => notice.id).sort()
  expect(await told()).toEqual(ids.map(each => `payment-${each}`).sort())
  await owner.payments.dismissUnexpected({ paymentId: String(ids[1]) })
  expect(await told()).toEqual([`payment-${ids[0]}`])
  await owner.payments.dismissUnexpected({ paymentId: String(ids[0]) })
  expect(await told()).toEqual([])
})

test('a notice dismissed before or after its application is deleted stays dismissed after the minute’s check [FIX-01]', async () => {
  const { app, decline, makeApplication, notices, owner, pay } = await people()
  const ids = [(await makeApplication()).id, (await makeApplication()).id]
  for (const [i, id] of ids.entries()) {
    const { id: paymentId } = await pay(id)
    await decline(id)
    if (i === 0) await owner.payments.dismissUnexpected({ paymentId })
    await owner.applications.adminDelete({ id })
    if (i === 1) await owner.payments.dismissUnexpected({ paymentId })
    await tickDismissed(app.deps)
    expect(await notices()).toEqual([])
  }
})

type People = Awaited<ReturnType<typeof people>>
/** What the notices ask to give back, by payment id. */
const leftOf = async ({ notices }: Pick<People, 'notices'>) =>
  new Map(
    (await notices()).map(({ action, id }) => [
      id,
      action?.kind === 'unexpected_payment' ? action.leftCents : undefined,
    ]),
  )

test('notices show together at most what each application still holds, also of moved money [FIX-01]', async () => {
  const all = await people()
  const { decline, giveBack, makeApplication, pay, transfer } = all
  const [first, second] = [await makeApplication(), await makeApplication()]
  const deposit = await pay(first.id)
  await pay(first.id, { amount: 1000_00, paymentType: 'rent' })
  await transfer(first.id, second.id, 1000_00)
  await decline(first.id)
  await decline(second.id)
  const left = await leftOf(all)
  expect(left.get(`payment-${deposit.id}`)).toBe(515_00)
  expect([...left.values()].toSorted()).toEqual([1000_00, 515_00])
  await giveBack(first.id, 500_00)
  expect([...(await leftOf(all)).values()]).toEqual([1000_00])
})

test('no notice requests a deposit that a deduction keeps, also after the deletion [FIX-01]', async () => {
  const all = await people()
  const { decline, makeApplication, owner, pay } = all
  const { id } = await makeApplication()
  const rent = await pay(id, { amount: 1000_00, paymentType: 'rent' })
  await pay(id)
  await owner.payments.recordReturn({
    applicationId: id,
    kind: 'deduction',
    amount: 500_00,
    reason: 'Cleaning',
  })
  await decline(id)
  const onlyRent = new Map([[`payment-${rent.id}`, 1030_00]])
  expect(await leftOf(all)).toEqual(onlyRent)
  await owner.applications.adminDelete({ id })
  expect(await leftOf(all)).toEqual(onlyRent)
})

test('moved money that a dispute took is not requested, also after the deletion of both applications [FIX-38]', async () => {
  const all = await people()
  const { app, decline, makeApplication, owner, pay, transfer } = all
  const [first, second] = [await makeApplication(), await makeApplication()]
  const { stripeChargeId } = await pay(first.id, { paymentType: 'rent' })
  await transfer(first.id, second.id, 500_00)
  await decline(first.id)
  await decline(second.id)
  const dispute = app.provider.openDispute(stripeChargeId ?? '')
  app.provider.closeDispute(dispute.id, 'lost')
  await app.provider.deliverDue()
  expect(await leftOf(all)).toEqual(new Map())
  for (const { id } of [first, second]) await owner.applications.adminDelete({ id })
  expect(await leftOf(all)).toEqual(new Map())
  const overdrafts = (await owner.notices.list()).notices.filter(({ id }) => id.startsWith('overdraft-'))
  expect(overdrafts).toEqual([])
})

test('money that was returned by hand is not refunded to the card of another deleted application [FIX-38]', async () => {
  const { decline, giveBack, makeApplication, owner, pay } = await people()
  const [first, second] = [await makeApplication(), await makeApplication()]
  const [returned, held] = [await pay(first.id), await pay(second.id)]
  await giveBack(first.id, 500_00)
  for (const { id } of [first, second]) {
    await decline(id)
    await owner.applications.adminDelete({ id })
  }
  const refund = (paymentId: string, requestId: string) =>
    owner.payments.refund({ paymentId, totalCents: 515_00, requestId })
  await expect(refund(returned.id, 'e2f4f9ba-7a4f-4ad9-a4f5-0a2c3b5c8b12')).rejects.toThrow('would be left')
  await refund(held.id, 'e2f4f9ba-7a4f-4ad9-a4f5-0a2c3b5c8b13')
})

test('a payment through a closed checkout is not requested after it was returned by hand or moved [FIX-01]', async () => {
  const all = await people()
  const { app, giveBack, makeApplication, owner, pay, transfer } = all
  const makePaidTwice = async () => {
    const { id } = await makeApplication()
    await owner.payments.addManual({ ...buildManualPayment(id), amount: 3000_00, paymentDate: '2026-03-02' })
    const row = await pay(id, { paymentType: 'rent' })
    await app.deps.write(tx =>
      tx.update(payments).set({ cancelRequestedAt: testNow }).where(eq(payments.id, row.id)).run(),
    )
    return { id, row }
  }
  const [returned, moved] = [await makePaidTwice(), await makePaidTwice()]
  expect((await leftOf(all)).size).toBe(2)
  await giveBack(returned.id, 200_00)
  expect((await leftOf(all)).get(`payment-${returned.row.id}`)).toBe(309_00)
  // Given back before, by its date, but entered afterwards.
  await giveBack(returned.id, 300_00, '2026-03-03')
  await transfer(moved.id, (await makeApplication()).id, 500_00)
  expect(await leftOf(all)).toEqual(new Map())
})

test('money entered for a declined application or moved to it is a notice, also after its deletion or approval [FIX-01, FIX-37]', async () => {
  const { app, approve, decline, makeApplication, notices, owner, pay, tenant, transfer } = await people()
  const [entered, moved] = [await makeApplication(), await makeApplication()]
  const other = { requestedStartDate: '2026-08-01', requestedEndDate: '2026-09-01' }
  const paid = await app.makeApplication(tenant, { submittedAt: testNow, ...other })
  await pay(paid.id)
  await decline(entered.id)
  await decline(moved.id)
  app.advance(minuteMs)
  await owner.payments.addManual({
    ...buildManualPayment(entered.id),
    amount: 20_00,
    paymentDate: '2026-03-03',
  })
  await transfer(paid.id, moved.id, 500_00)
  const shown = async () =>
    (await notices()).map(({ action, title }) => [
      title,
      action?.kind === 'unexpected_payment' ? action.leftCents : undefined,
    ])
  const arrived = 'A payment arrived for a declined application'
  const both = [
    [arrived, 500_00],
    ['A declined or withdrawn application still holds a payment', 20_00],
  ]
  expect((await shown()).toSorted()).toEqual(both.toSorted())
  await owner.applications.adminDelete({ id: entered.id })
  expect(await shown()).toHaveLength(2)
  await approve(moved.id)
  expect(await shown()).toEqual([['A declined or withdrawn application still holds a payment', 20_00]])
})

test.each(['card', 'by hand', 'in the dashboard', 'in the dashboard, told later'])(
  'a deposit given back (%s) after an application was declined is owed again once it is approved after all [FIX-37, DEP-08]',
  async how => {
    const app = await paymentApp()
    const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
    const owner = app.as(admin)
    const { id } = await app.makeApplication(tenant, { submittedAt: '2026-03-01T17:00:00.000Z' })
    const checkout = () =>
      app.checkout(tenant, buildCheckout({ amount: 500_00, paymentType: 'deposit', applicationId: id }))
    const due = async () => (await owner.charges.list({ applicationId: id })).summary.depositDueCents
    const { checkoutSessionId, id: paymentId } = await checkout()
    app.provider.pay(checkoutSessionId)
    await app.provider.deliverDue()
    expect(await due()).toBe(0)
    await owner.applications.adminSetStatus({ id, status: 'rejected' })
    const refund = async (paymentId: string) => {
      if (how === 'card') await owner.payments.refund({ paymentId, requestId: randomUUID() })
      else app.provider.refund(app.payment(paymentId).stripeChargeId ?? '')
    }
    if (how !== 'by hand') await refund(paymentId)
    else {
      const returned = {
        applicationId: id,
        kind: 'deposit_return' as const,
        amount: 500_00,
        reason: 'Declined',
      }
      await owner.payments.recordReturn(returned)
    }
    if (how !== 'in the dashboard, told later') await app.provider.deliverDue()
    app.advance(86_400_000)
    await owner.applications.adminSetStatus({ id, status: 'approved' })
    await app.provider.deliverDue()
    expect(await due()).toBe(500_00)
    // What goes back of a booking that stands is not owed again.
    const again = await checkout()
    app.provider.pay(again.checkoutSessionId)
    await app.provider.deliverDue()
    app.advance(86_400_000)
    await refund(again.id)
    await app.provider.deliverDue()
    await owner.applications.adminSetStatus({ id, status: 'completed' })
    expect(await due()).toBe(0)
  },
)
