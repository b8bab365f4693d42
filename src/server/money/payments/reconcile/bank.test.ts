import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { disputes, outbox, providerEvents } from '../../../../../db/schema.ts'
import { dayMs } from '../../../../domain/common/durations.ts'
import { type PaymentApp, paymentApp, webhookSecret } from '../../../../testing/build-payment.ts'
import { composeMail } from '../../../mail/compose.ts'
import { MailObsoleteError } from '../../../mail/define-mail.ts'
import { mailSources } from '../../../mail-sources.ts'
import { listCriticalNotices } from '../../../operations/notices/list-notices.ts'
import { listBankNotices } from '../../bank-notices.ts'
import { sweepPayments } from '../checkout/sweep.ts'
import { receiptPdf } from '../receipts.ts'
import { receiveEvent } from './provider-events.ts'

/** A rent payment of $1,000.00 from a bank account; its events wait at the provider. */
async function startBankPayment(account?: string) {
  const app = await paymentApp({ env: { OWNER_EMAIL: 'owner@condo.example' } })
  const owner = await app.offerBank()
  const tenant = await app.makeTenant({ email: 'maya@guest.example' })
  const { id: applicationId, number } = await app.makeApplication(tenant, {
    submittedAt: app.deps.clock.now().toISOString(),
  })
  const rent = { paymentType: 'rent' as const, amount: 1000_00, applicationId }
  const row = await app.checkout(tenant, { ...rent, providerMethod: 'us_bank_account' })
  app.provider.completeUnpaid(row.checkoutSessionId, account ? { account } : {})
  return { app, owner, tenant, applicationId, number, rent, row }
}

async function arrived() {
  const all = await startBankPayment()
  all.app.provider.settle(all.row.checkoutSessionId, true)
  await all.app.provider.deliverDue()
  const { stripeChargeId } = all.app.payment(all.row.id)
  if (!stripeChargeId) throw new Error('the charge is not known')
  return { ...all, chargeId: stripeChargeId }
}

/** The bank mails and receipts so far, as they would be sent. */
async function mails({ deps }: PaymentApp) {
  const rows = deps.db.select().from(outbox).all()
  const wanted = rows.filter(({ kind }) => kind.startsWith('bank-') || kind === 'payment-receipt')
  const composed = wanted.map(row =>
    composeMail(deps, mailSources, row).then(
      ({ subject, text, to }) => [{ to, subject, text }],
      error => (error instanceof MailObsoleteError ? [] : Promise.reject(error)),
    ),
  )
  return (await Promise.all(composed)).flat()
}
const subjectsTo = async (app: PaymentApp, address: string) =>
  (await mails(app)).filter(({ to }) => to === address).map(({ subject }) => subject)
const balance = async ({ app, owner, tenant }: Awaited<ReturnType<typeof startBankPayment>>) => ({
  paid: (await app.as(tenant).payments.options()).applications[0]?.balance.paidCents,
  revenue: (await app.as(owner).payments.revenueSummary()).summary.totalRevenue,
})

test('while on its way, a bank payment is in no total and has no receipt, and the tenant is mailed once [BANK-06, LOOK-64]', async () => {
  const all = await startBankPayment()
  const { app, applicationId, owner, row, tenant } = all
  await app.provider.deliverDue()
  await app.as(tenant).payments.bySession({ sessionId: row.checkoutSessionId })
  expect(app.payment(row.id)).toMatchObject({ status: 'processing', paidAt: null })
  expect(await balance(all)).toEqual({ paid: 0, revenue: 0 })
  expect((await app.as(tenant).payments.options()).applications).toMatchObject([{ onItsWayCents: 1000_00 }])
  const { application } = await app.as(owner).applications.adminGet({ id: applicationId })
  expect(application.paymentReceived).toBe(false)
  const [mail, ...more] = await mails(app)
  expect(more).toEqual([])
  expect(mail).toMatchObject({ to: 'maya@guest.example', subject: 'Your bank payment is on its way' })
  expect(mail?.text).toContain('$1,000.00')
  expect(app.receipts()).toEqual([])
})

test("a bank payment that has arrived is paid without a fee and has one receipt with the account's last four digits [BANK-08]", async () => {
  const all = await arrived()
  const { app, owner, applicationId, row } = all
  expect(app.payment(row.id)).toMatchObject({ status: 'succeeded', feeCents: 0, cardLast4: '6789' })
  expect(await balance(all)).toEqual({ paid: 1000_00, revenue: 1000_00 })
  const { application } = await app.as(owner).applications.adminGet({ id: applicationId })
  expect(application.paymentReceived).toBe(true)
  const receipt = (await mails(app)).find(({ subject }) => /receipt/i.test(subject))
  expect(receipt?.text).toMatch(/Paid from\s+Bank account ending in 6789/)
  expect(receipt?.text).not.toContain('Card')
  expect(app.receipts()).toHaveLength(1)
})

test('stores only the last four digits of a bank account [BANK-08]', async () => {
  const { app, chargeId } = await arrived()
  app.provider.refund(chargeId, 1_00)
  const event = app.provider.events().find(({ type }) => type === 'charge.refunded') as Stripe.Event
  const account = { last4: '6789', routing_number: '110000000', fingerprint: 'Ih3foEigBsrMwdVd' }
  const details = { payment_method_details: { type: 'us_bank_account', us_bank_account: account } }
  Object.assign(event.data.object, details)
  const payload = JSON.stringify(event)
  const timestamp = Math.floor(app.deps.clock.now().getTime() / 1000)
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret, timestamp })
  await receiveEvent(app.deps, Buffer.from(payload), header)
  const stored = app.deps.db.select().from(providerEvents).where(eq(providerEvents.id, event.id)).get()
  expect(stored).toMatchObject({ outcome: 'applied' })
  expect(JSON.parse(stored?.payload ?? '')).toEqual({
    ...event,
    data: {
      object: {
        ...event.data.object,
        payment_method_details: { type: 'us_bank_account', us_bank_account: { last4: '6789' } },
      },
    },
  })
})

test('a failed bank payment shows the reason, can be paid again at once, and tenant and owner are mailed once [BANK-09]', async () => {
  const all = await startBankPayment()
  const { app, rent, row, tenant } = all
  await app.provider.deliverDue()
  app.provider.settle(row.checkoutSessionId, false)
  await app.provider.deliverDue()
  await sweepPayments(app.deps)
  const reason = 'The customer account has insufficient funds to cover this payment.'
  const [payment] = (await app.as(tenant).payments.history()).payments
  expect(payment).toMatchObject({ status: 'failed', failureReason: reason })
  expect(await balance(all)).toEqual({ paid: 0, revenue: 0 })
  const failures = (await mails(app)).filter(({ subject }) => subject === 'Bank payment failed')
  expect(failures.map(({ to }) => to)).toEqual(['maya@guest.example', 'owner@condo.example'])
  for (const { text } of failures) expect(text.replaceAll(/\s+/g, ' ')).toContain(reason)
  await app.checkout(tenant, { ...rent, providerMethod: 'us_bank_account' })
})

test('the failure of a payment that no booking waits for asks nobody to pay again [BANK-09]', async () => {
  const { app, applicationId, owner, row } = await startBankPayment()
  await app.provider.deliverDue()
  await app.as(owner).applications.adminSetStatus({ id: applicationId, status: 'rejected' })
  app.provider.settle(row.checkoutSessionId, false)
  await app.provider.deliverDue()
  const [toTenant, toOwner] = (await mails(app)).filter(({ subject }) => subject === 'Bank payment failed')
  expect(toTenant?.text.replaceAll(/\s+/g, ' ')).toContain('as paid. You do not need to pay it again.')
  expect(toTenant?.text).not.toContain('/payment')
  expect(toOwner?.text.replaceAll(/\s+/g, ' ')).toContain('so Maya Rivers is not asked to pay it again.')
})

test('the return of a payment that no booking waits for asks nobody to pay again [BANK-11]', async () => {
  const { app, applicationId, chargeId, owner } = await arrived()
  await app.as(owner).applications.adminDelete({ id: applicationId })
  app.provider.openDispute(chargeId)
  await app.provider.deliverDue()
  const returned = (await mails(app)).filter(({ subject }) => subject === 'Bank payment returned')
  expect(returned).toHaveLength(2)
  for (const { text } of returned) {
    expect(text).toContain('again.')
    expect(text).not.toMatch(/open again|Pay again|Please pay/)
  }
  expect(listBankNotices(app.deps)).toMatchObject([
    { detail: 'The bank of Maya Rivers has taken it back. This is final.' },
  ])
})

test('records a failure without its reason if that cannot be fetched; the sweep includes the reason [BANK-09]', async () => {
  const unreachable = await startBankPayment()
  unreachable.app.provider.settle(unreachable.row.checkoutSessionId, false)
  unreachable.app.provider.setFault({ hangUp: true })
  await unreachable.app.provider.deliverDue()
  expect(unreachable.app.payment(unreachable.row.id)).toMatchObject({ status: 'failed', failureReason: null })

  const swept = await startBankPayment()
  swept.app.provider.settle(swept.row.checkoutSessionId, false)
  swept.app.advance(5 * 60_000)
  await sweepPayments(swept.app.deps)
  expect(swept.app.payment(swept.row.id)).toMatchObject({
    status: 'failed',
    failureReason: expect.stringContaining('insufficient funds'),
  })
})

test.each(['needs_response', 'lost'])(
  'a dispute that is %s returns a bank payment for good [BANK-11]',
  async status => {
    const all = await arrived()
    const { app, chargeId, number, owner, rent, row, tenant } = all
    const dispute = app.provider.openDispute(chargeId, { status: status as 'lost' })
    await app.provider.deliverDue()
    expect(app.payment(row.id).status).toBe('returned')
    expect(await balance(all)).toEqual({ paid: 0, revenue: 0 })
    const { disputed } = await app.as(owner).payments.revenueSummary()
    expect(disputed).toEqual({ open: { count: 0, amount: 0 }, lost: { count: 1, amount: 1000_00 } })
    expect(app.deps.db.select().from(disputes).get()).toMatchObject({ id: dispute.id, status })
    expect(await subjectsTo(app, 'maya@guest.example')).toContain('Bank payment returned')
    expect(await subjectsTo(app, 'owner@condo.example')).toEqual(['Bank payment returned'])
    const board = async () => (await app.as(owner).notices.list()).notices
    expect(await board()).toMatchObject([
      {
        id: `bank-returned-${row.id}`,
        tone: 'danger',
        title: `A bank payment of $1,000.00 was returned (${number})`,
        action: { kind: 'application', applicationId: rent.applicationId },
      },
    ])
    const { notices } = await app.as(owner).plans.due({})
    expect(notices.map(({ id }) => id)).toEqual([`bank-returned-${row.id}`])
    // The return has a separate mail.
    expect(listCriticalNotices(app.deps)).toEqual([])
    for (const actor of [tenant, owner])
      await expect(receiptPdf(app.deps, actor, row.id)).rejects.toMatchObject({
        message: 'There is no receipt for this payment.',
      })
    app.advance(30 * dayMs - 1)
    expect(listBankNotices(app.deps)).toHaveLength(1)
    app.advance(1)
    expect(listBankNotices(app.deps)).toEqual([])
    await app.checkout(tenant, rent)
  },
)

test.each(['won', 'warning_needs_response'])(
  'a dispute that is %s does not change a bank payment [BANK-11]',
  async status => {
    const all = await arrived()
    const { app, chargeId, row } = all
    app.provider.openDispute(chargeId, { status: status as 'won' })
    await app.provider.deliverDue()
    expect(app.payment(row.id).status).toBe('succeeded')
    expect(await balance(all)).toEqual({ paid: 1000_00, revenue: 1000_00 })
    expect(await subjectsTo(app, 'owner@condo.example')).toEqual([])
    expect(listBankNotices(app.deps)).toEqual([])
  },
)

test('a return reported before the payment counts at once, and no receipt follows [BANK-11]', async () => {
  const all = await startBankPayment()
  const { app, row } = all
  app.provider.settle(row.checkoutSessionId, true)
  const charge = app.provider.events().find(({ type }) => type === 'charge.succeeded')?.data.object
  app.provider.openDispute((charge as Stripe.Charge).id)
  for (const type of ['charge.dispute.created', 'checkout.session.completed']) {
    const event = app.provider.events().find(each => each.type === type)
    expect(await app.provider.deliverEvent(event?.id ?? '')).toEqual([200])
    expect(app.payment(row.id)).toMatchObject({ status: 'returned', paidAt: null })
  }
  await app.provider.deliverDue()
  expect(app.payment(row.id)).toMatchObject({
    status: 'returned',
    paidAt: expect.any(String),
    cardLast4: '6789',
  })
  expect(await balance(all)).toEqual({ paid: 0, revenue: 0 })
  expect(app.receipts()).toEqual([])
  expect(await subjectsTo(app, 'maya@guest.example')).toEqual(['Bank payment returned'])
})

test('records the return of a removed payment and mails nobody [BANK-11]', async () => {
  const { app, chargeId, owner, row } = await arrived()
  await app.as(owner).payments.remove({ paymentId: row.id })
  app.provider.openDispute(chargeId)
  await app.provider.deliverDue()
  expect(app.payment(row.id).status).toBe('returned')
  expect((await mails(app)).map(({ subject }) => subject)).not.toContain('Bank payment returned')
  expect(listBankNotices(app.deps)).toEqual([])
})

test('a won dispute that brings back the money of a removed payment is a notice, once [BANK-11]', async () => {
  const { app, chargeId, number, owner, row } = await arrived()
  const dispute = app.provider.openDispute(chargeId, { status: 'needs_response' })
  await app.provider.deliverDue()
  await app.as(owner).payments.remove({ paymentId: row.id })
  const board = async () => (await app.as(owner).notices.list()).notices
  expect(await board()).toEqual([])
  app.provider.closeDispute(dispute.id, 'won')
  await app.provider.deliverDue()
  expect(await board()).toMatchObject([
    {
      title: 'The money of a deleted payment is back',
      detail: expect.stringContaining(`Maya Rivers’s payment of $1,000.00 for ${number} was deleted here`),
    },
  ])
})

test('shows an overdraft by the provider if the bank returns money that was already refunded; what was transferred is missing there [BANK-11, FIX-38]', async () => {
  const { app, applicationId, chargeId, owner, tenant } = await arrived()
  const { id: toApplicationId } = await app.makeApplication(tenant)
  const move = { fromApplicationId: applicationId, toApplicationId, depositAmount: 600_00, transferNotes: '' }
  await app.as(owner).payments.transfer(move)
  await app
    .as(owner)
    .payments.recordReturn({ applicationId, kind: 'refund', amount: 100_00, reason: 'Goodwill' })
  app.provider.openDispute(chargeId)
  await app.provider.deliverDue()
  const { notices } = await app.as(owner).notices.list()
  const overdraft = notices.find(({ id }) => id.startsWith('overdraft-paid-below-zero'))
  expect(overdraft?.detail).toContain('−$100.00 is paid. $1,000.00 was taken back at the card provider')
})

const requestId = 'e2f4f9ba-7a4f-4ad9-a4f5-0a2c3b5c8b11'

test('a bank payment can be refunded after arrival, for 180 days, and not after its return [BANK-12]', async () => {
  const { app, owner, row } = await startBankPayment()
  await app.provider.deliverDue()
  const refund = (totalCents: number, id = requestId) =>
    app.as(owner).payments.refund({ paymentId: row.id, totalCents, requestId: id })
  const refused = (message: string) => ({ code: 'CONFLICT', message })
  await expect(refund(1_00)).rejects.toMatchObject(
    refused('This payment is still on its way from the bank. Please wait for its end.'),
  )
  app.provider.settle(row.checkoutSessionId, true)
  await app.provider.deliverDue()
  for (let times = 0; times < 2; times++)
    expect((await refund(100_00)).payment).toMatchObject({ refundedAmount: 100_00, status: 'succeeded' })
  expect(app.provider.truth()[row.checkoutSessionId]).toMatchObject({ refunded: 100_00 })
  app.advance(180 * dayMs)
  await refund(50_00, requestId.replace('e2', 'e3'))
  app.advance(1)
  await expect(refund(1_00, requestId.replace('e2', 'e4'))).rejects.toMatchObject(
    refused('A bank payment can be refunded for 180 days. Please return the money by hand.'),
  )
  app.provider.openDispute(app.payment(row.id).stripeChargeId ?? '')
  await app.provider.deliverDue()
  await expect(refund(1_00, requestId.replace('e2', 'e5'))).rejects.toMatchObject(
    refused('The bank has taken this payment back. Nothing is left to refund.'),
  )
})

test('polls a bank payment hourly after its first day, and shows it after 14 days [BANK-14]', async () => {
  const { app, number, owner, row } = await startBankPayment()
  await app.provider.deliverDue()
  const checked = async () => (await sweepPayments(app.deps)).checked
  app.advance(dayMs)
  expect([await checked(), await checked()]).toEqual([1, 1])
  app.advance(3600_000 - 1)
  expect(await checked()).toBe(0)
  app.advance(1)
  app.provider.setFault({ hangUp: true })
  expect(await checked()).toBe(0)
  app.provider.setFault({})
  expect([await checked(), await checked()]).toEqual([1, 0])

  app.setNow(new Date(Date.parse(row.createdAt) + 14 * dayMs - 1).toISOString())
  expect(listBankNotices(app.deps)).toEqual([])
  app.advance(1)
  const { notices } = await app.as(owner).notices.list()
  expect(notices.filter(({ id }) => id !== 'mail-waiting')).toMatchObject([
    {
      id: `bank-slow-${row.id}`,
      tone: 'warning',
      title: `A bank payment of $1,000.00 is still on its way (${number})`,
      at: row.createdAt,
    },
  ])
  app.provider.settle(row.checkoutSessionId, true)
  await app.provider.deliverDue()
  expect(listBankNotices(app.deps)).toEqual([])
})
