import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { disputes, outbox } from '../../../../../db/schema.ts'
import {
  buildManualPayment,
  type PaymentApp,
  paymentApp,
  webhookSecret,
} from '../../../../testing/build-payment.ts'
import { noMailSources } from '../../../../testing/no-mail-sources.ts'
import { testNow } from '../../../../testing/test-app.ts'
import { composeMail } from '../../../mail/compose.ts'
import { receiveEvent } from './provider-events.ts'

/** A card payment that has arrived: $500.00 and the fee of $15.00. */
async function paid(app: PaymentApp, paymentType: 'deposit' | 'rent' = 'deposit') {
  const tenant = await app.makeTenant()
  const { id: applicationId, number } = await app.makeApplication(tenant)
  const row = await app.checkout(tenant, { applicationId, paymentType })
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  const { stripeChargeId } = app.payment(row.id)
  if (!stripeChargeId) throw new Error('the charge is not known')
  return { row, applicationId, number, chargeId: stripeChargeId }
}
/** Delivers an event about a dispute that the provider made `madeAt` seconds after the epoch. */
function tellOfDispute(app: PaymentApp, dispute: object, status: string, madeAt: number) {
  const timestamp = Math.floor(app.deps.clock.now().getTime() / 1000)
  const event = {
    ...app.provider.events().at(-1),
    id: `evt_${randomUUID().replaceAll('-', '')}`,
    type: 'charge.dispute.updated',
    created: madeAt,
    data: { object: { ...dispute, status } },
  }
  const payload = JSON.stringify(event)
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret, timestamp })
  return receiveEvent(app.deps, Buffer.from(payload), signature)
}

const disputeMails = ({ deps }: PaymentApp) =>
  deps.db.select().from(outbox).where(eq(outbox.kind, 'owner-payment-disputed')).all()

test('a question of the bank before a dispute is a warning and one mail with its deadline, and the dispute is mailed after it [LOOK-08]', async () => {
  const app = await paymentApp({ env: { OWNER_EMAIL: 'owner@condo.example' } })
  const owner = await app.makeAdmin()
  const { chargeId } = await paid(app)
  const dispute = app.provider.openDispute(chargeId, { status: 'warning_needs_response' })
  await app.provider.deliverDue()
  const { notices } = await app.as(owner).notices.list()
  expect(notices.filter(({ id }) => id.startsWith('dispute-'))).toMatchObject([
    {
      tone: 'warning',
      title: expect.stringMatching(/^A card payment of \$515\.00 is being asked about \(APP-/),
      detail: expect.stringContaining('has taken nothing yet. Answer at the card provider by Mar 13, 2026'),
    },
  ])
  const [mail, ...more] = disputeMails(app)
  if (!mail) throw new Error('no mail')
  expect(more).toEqual([])
  const { subject, text } = await composeMail(app.deps, noMailSources, mail)
  expect(subject).toBe('Question about a payment: $515.00 from Maya Rivers')
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    'It has taken nothing yet. Answer it at the card provider by Mar 13, 2026',
  )
  expect(text).not.toContain('back')
  const later = Math.floor(app.deps.clock.now().getTime() / 1000) + 60
  await tellOfDispute(app, dispute, 'warning_needs_response', later)
  expect(disputeMails(app)).toHaveLength(1)
  await tellOfDispute(app, dispute, 'needs_response', later + 60)
  expect(disputeMails(app)).toHaveLength(2)
})

test('reports an open dispute on the notice board and by mail, once and with its deadline, until it is closed [LOOK-08]', async () => {
  const app = await paymentApp({ env: { OWNER_EMAIL: 'owner@condo.example' } })
  const owner = await app.makeAdmin()
  const board = async () =>
    (await app.as(owner).notices.list()).notices.filter(({ id }) => id.startsWith('dispute-'))
  const { row, applicationId, number, chargeId } = await paid(app)
  expect(await board()).toEqual([])

  const dispute = app.provider.openDispute(chargeId)
  const opened = app.provider.events().filter(({ type }) => type.startsWith('charge.dispute'))
  await app.provider.deliverDue()
  for (const { id } of opened) await app.provider.deliverEvent(id, 2)
  const dueBy = new Date(Number(dispute.evidence_details.due_by) * 1000).toISOString()
  expect(app.deps.db.select().from(disputes).get()).toMatchObject({ id: dispute.id, dueBy })
  expect(await board()).toEqual([
    {
      id: `dispute-${dispute.id}`,
      tone: 'danger',
      title: `A card payment of $515.00 is disputed (${number})`,
      detail: `Maya Rivers’s bank has withdrawn the payment. Respond at the card provider by Mar 13, 2026, 1:00 PM EDT, or the money is lost. Look up ${dispute.id} there.`,
      at: testNow,
      action: { kind: 'application', applicationId },
    },
  ])
  const [mail, ...more] = disputeMails(app)
  if (!mail) throw new Error('no mail')
  expect(more).toEqual([])
  expect(mail.toAddress).toBe('owner@condo.example')
  const { subject, text } = await composeMail(app.deps, noMailSources, mail)
  expect(subject).toBe('Payment disputed: $515.00 from Maya Rivers')
  for (const part of [
    /Answer it at the card provider by Mar 13, 2026, 1:00 PM EDT/,
    /Disputed\s+\$515\.00/,
    new RegExp(`Booking\\s+${number}`),
    new RegExp(`Dispute\\s+${dispute.id}`),
  ])
    expect(text).toMatch(part)

  await app.deps.write(tx => tx.update(disputes).set({ status: 'under_review' }).run())
  expect(await board()).toMatchObject([
    { detail: `Maya Rivers’s bank is reviewing your response. Look up ${dispute.id} at the card provider.` },
  ])
  app.provider.closeDispute(dispute.id, 'won')
  await app.provider.deliverDue()
  await app.provider.deliverEvent(opened[0]?.id ?? '')
  expect(app.payment(row.id).status).toBe('succeeded')
  expect(await board()).toEqual([])
  expect(disputeMails(app)).toHaveLength(1)
})

test('does not report a dispute as open if its closing event arrives first [LOOK-08]', async () => {
  const app = await paymentApp()
  const owner = await app.makeAdmin()
  const { chargeId } = await paid(app)
  app.provider.closeDispute(app.provider.openDispute(chargeId).id, 'lost')
  app.provider.setDeliveryOrder('newest-first')
  await app.provider.deliverDue()
  expect((await app.as(owner).notices.list()).notices.filter(({ tone }) => tone === 'danger')).toEqual([])
  expect(disputeMails(app)).toEqual([])
})

test('money that is lost in a dispute after it was refunded is on the notice board for 90 days [FIX-38]', async () => {
  const app = await paymentApp()
  const owner = await app.makeAdmin()
  const board = async () =>
    (await app.as(owner).notices.list()).notices.filter(({ id }) => id.startsWith('lost-twice-'))
  const { row, applicationId, chargeId } = await paid(app)
  app.provider.refund(chargeId, 415_00)
  const dispute = app.provider.openDispute(chargeId, { amount: 515_00 })
  app.provider.closeDispute(dispute.id, 'lost')
  await app.provider.deliverDue()
  expect(await board()).toMatchObject([
    {
      id: `lost-twice-${row.id}`,
      tone: 'danger',
      title: 'Maya Rivers got $415.00 back twice',
      action: { kind: 'application', applicationId },
    },
  ])
  app.advance(91 * 24 * 60 * 60_000)
  expect(await board()).toEqual([])
})

test('the revenue shows the disputed money that its totals leave out [LOOK-08]', async () => {
  const app = await paymentApp()
  const owner = await app.makeAdmin()
  const revenue = (input = {}) => app.as(owner).payments.revenueSummary(input)
  const none = { open: { count: 0, amount: 0 }, lost: { count: 0, amount: 0 } }
  const [first, second] = [await paid(app), await paid(app, 'rent')]
  expect(await revenue()).toMatchObject({ summary: { totalRevenue: 1030_00 }, disputed: none })

  const dispute = app.provider.openDispute(first.chargeId)
  app.provider.refund(second.chargeId, 103_00)
  await app.provider.deliverDue()
  app.provider.openDispute(second.chargeId)
  await app.provider.deliverDue()
  expect(await revenue()).toMatchObject({
    summary: { totalRevenue: 0 },
    disputed: { open: { count: 2, amount: 515_00 + 412_00 }, lost: { count: 0, amount: 0 } },
  })
  const inMarch = { period: 'month', year: 2026, month: 3 } as const
  expect((await revenue(inMarch)).disputed.open.count).toBe(2)
  expect((await revenue({ ...inMarch, month: 2 })).disputed).toEqual(none)

  app.provider.closeDispute(dispute.id, 'lost')
  await app.provider.deliverDue()
  expect((await revenue()).disputed).toEqual({
    open: { count: 1, amount: 412_00 },
    lost: { count: 1, amount: 515_00 },
  })
})

test('disputes take their own amounts out of every sum, open or lost, and give them back when won [FIX-38]', async () => {
  const app = await paymentApp()
  const owner = await app.makeAdmin()
  const { applicationId, chargeId, row } = await paid(app)
  const sums = async () => {
    await app.provider.deliverDue()
    const { disputed, summary } = await app.as(owner).payments.revenueSummary()
    const { summary: balance } = await app.as(owner).charges.list({ applicationId })
    const { lostAmountCents, refundedAmountCents, status } = app.payment(row.id)
    return {
      status,
      refunded: refundedAmountCents,
      lost: lostAmountCents,
      revenue: summary.totalRevenue,
      open: disputed.open,
      closed: disputed.lost,
      paid: balance.paidCents,
      due: balance.depositDueCents,
    }
  }
  app.provider.refund(chargeId, 103_00)
  app.provider.openDispute(chargeId, { amount: 515_00, status: 'warning_needs_response' })
  const none = { count: 0, amount: 0 }
  const before = { status: 'succeeded', refunded: 100_00, lost: 0, revenue: 412_00, paid: 400_00, due: 0 }
  expect(await sums()).toEqual({ ...before, open: none, closed: none })

  const first = app.provider.openDispute(chargeId, { amount: 103_00 })
  const second = app.provider.openDispute(chargeId, { amount: 206_00 })
  app.provider.advanceDispute(second.id)
  const both = {
    status: 'succeeded',
    refunded: 400_00,
    lost: 300_00,
    revenue: 103_00,
    paid: 100_00,
    due: 300_00,
  }
  expect(await sums()).toEqual({ ...both, open: { count: 1, amount: 309_00 }, closed: none })
  const refund = { paymentId: row.id, requestId: randomUUID(), totalCents: 103_01 }
  await expect(app.as(owner).payments.refund(refund)).rejects.toThrow('At most $103.00 can be refunded.')

  app.provider.closeDispute(first.id, 'lost')
  const share = { count: 1, amount: 103_00 }
  expect(await sums()).toEqual({ ...both, open: { count: 1, amount: 206_00 }, closed: share })
  app.provider.closeDispute(second.id, 'won')
  const after = { ...both, refunded: 200_00, lost: 100_00, revenue: 309_00, paid: 300_00, due: 100_00 }
  expect(await sums()).toEqual({ ...after, open: none, closed: share })

  // A dispute of more than refunds have left takes what is left.
  const third = app.provider.openDispute(chargeId, { amount: 515_00 })
  const gone = { status: 'disputed', refunded: 500_00, lost: 400_00, revenue: 0, paid: 0, due: 400_00 }
  expect(await sums()).toEqual({ ...gone, open: { count: 1, amount: 309_00 }, closed: share })
  app.provider.closeDispute(third.id, 'lost')
  expect(await sums()).toEqual({
    ...gone,
    status: 'refunded',
    open: none,
    closed: { count: 1, amount: 412_00 },
  })
})

test('a transferred deposit cannot be returned while a dispute withholds it or after it was lost [FIX-38]', async () => {
  const app = await paymentApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const owner = app.as(admin)
  const submittedAt = app.deps.clock.now().toISOString()
  const make = (requestedStartDate: string, requestedEndDate: string) =>
    app.makeApplication(tenant, { submittedAt, requestedStartDate, requestedEndDate })
  const [first, second, third] = [
    await make('2026-06-01', '2026-07-01'),
    await make('2026-09-01', '2026-10-01'),
    await make('2026-11-01', '2026-12-01'),
  ]
  const row = await app.checkout(tenant, { applicationId: first.id })
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  const move = (from: string, to: string) =>
    owner.payments.transfer({
      fromApplicationId: from,
      toApplicationId: to,
      depositAmount: 500_00,
      transferNotes: '',
    })
  const giveBack = (applicationId: string, kind: 'deposit_return' | 'deduction' | 'refund', amount: number) =>
    owner.payments.recordReturn({ applicationId, kind, amount, reason: 'The stay is over' })
  await move(first.id, second.id)
  await owner.payments.addManual({
    ...buildManualPayment(second.id, { amount: 70_00 }),
    paymentType: 'deposit',
  })
  const dispute = app.provider.openDispute(app.payment(row.id).stripeChargeId ?? '')
  await app.provider.deliverDue()
  const onlyOwn = { code: 'CONFLICT', message: 'Only $70.00 is left of the deposit.' }
  const refused = async () => {
    for (const kind of ['deposit_return', 'deduction'] as const)
      await expect(giveBack(second.id, kind, 70_01)).rejects.toMatchObject(onlyOwn)
    await expect(giveBack(second.id, 'refund', 70_01)).rejects.toMatchObject({ code: 'CONFLICT' })
  }
  await refused()
  app.provider.closeDispute(dispute.id, 'lost')
  await app.provider.deliverDue()
  await refused()
  // Lost money cannot be transferred either.
  await expect(move(second.id, third.id)).rejects.toThrow('At most $70.00 can be transferred from')
  await owner.payments.addManual({
    ...buildManualPayment(first.id, { amount: 500_00 }),
    paymentType: 'deposit',
  })
  await move(second.id, third.id)
  await giveBack(third.id, 'deposit_return', 500_00)
})

const ways = {
  'by hand': { path: [0, 1], paymentType: 'rent', kind: 'refund' },
  'by hand at the end of a chain': { path: [0, 1, 2], paymentType: 'rent', kind: 'refund' },
  'as a deduction': { path: [0, 1], paymentType: 'deposit', kind: 'deduction' },
} as const

test.each(Object.entries(ways))(
  'money that was moved and then lost in a dispute is not refunded to another card after what is left went back %s [FIX-05, FIX-38]',
  async (_, { path, paymentType, kind }) => {
    const app = await paymentApp()
    const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
    const owner = app.as(admin)
    const ids: string[] = []
    for (const _ of path) ids.push((await app.makeApplication(tenant)).id)
    const pay = async (applicationId: string) => {
      const { checkoutSessionId, id } = await app.checkout(tenant, {
        applicationId,
        paymentType,
        amount: 500_00,
      })
      app.provider.pay(checkoutSessionId)
      await app.provider.deliverDue()
      return app.payment(id)
    }
    const [first = '', last = ''] = [ids[0], ids.at(-1)]
    const [moved, own] = [await pay(first), await pay(last)]
    for (const [i, toApplicationId] of ids.slice(1).entries())
      await owner.payments.transfer({
        fromApplicationId: ids[i] ?? '',
        toApplicationId,
        depositAmount: 500_00,
        transferNotes: '',
      })
    const dispute = app.provider.openDispute(moved.stripeChargeId ?? '')
    app.provider.closeDispute(dispute.id, 'lost')
    await app.provider.deliverDue()
    const giveBack = (amount: number) =>
      owner.payments.recordReturn({ applicationId: last, kind, amount, reason: 'As agreed' })
    const { payment } = await giveBack(500_00)
    const refund = () => owner.payments.refund({ paymentId: own.id, requestId: randomUUID() })
    const before = app.snapshotState()
    await expect(refund()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(app.snapshotState()).toEqual(before)
    await owner.payments.remove({ paymentId: payment.id })
    await refund()
    await expect(giveBack(1)).rejects.toMatchObject({ code: 'CONFLICT' })
  },
)

test('an event of a dispute that is older than the last changes nothing, and a newer one reopens the dispute', async () => {
  const app = await paymentApp()
  const { row, chargeId } = await paid(app)
  app.provider.holdDeliveries(true)
  const dispute = app.provider.openDispute(chargeId)
  const opened = Math.floor(app.deps.clock.now().getTime() / 1000)
  const after = async (status: string, madeAt: number) => {
    await tellOfDispute(app, dispute, status, opened + madeAt)
    return app.payment(row.id).status
  }
  expect(await after('needs_response', 0)).toBe('disputed')
  expect(await after('lost', 500)).toBe('refunded')
  expect(await after('won', 100)).toBe('refunded')
  expect(await after('needs_response', 500)).toBe('refunded')
  expect(await after('won', 600)).toBe('succeeded')
  expect(await after('under_review', 700)).toBe('disputed')
})
