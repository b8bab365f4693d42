import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { disputes, outbox } from '../../../../db/schema.ts'
import { type PaymentApp, paymentApp } from '../../../testing/build-payment.ts'
import { noMailSources } from '../../../testing/no-mail-sources.ts'
import { testNow } from '../../../testing/test-app.ts'
import { composeMail } from '../../mail/compose.ts'

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
const disputeMails = ({ deps }: PaymentApp) =>
  deps.db.select().from(outbox).where(eq(outbox.kind, 'owner-payment-disputed')).all()

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
    new RegExp(`Application\\s+${number}`),
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
