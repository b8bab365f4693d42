import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { disputes, outbox, payments, refunds } from '../../../../../db/schema.ts'
import { minuteMs } from '../../../../domain/common/durations.ts'
import { buildCheckout, type PaymentApp, paymentApp } from '../../../../testing/build-payment.ts'
import { pdfText } from '../../../../testing/pdf-text.ts'
import { composeMail } from '../../../mail/compose.ts'
import { mailSources } from '../../../mail-sources.ts'
import { listOpenDisputes } from '../reconcile/disputes.ts'
import { sweepPayments } from './sweep.ts'

const rentCents = 2500_00

async function openBoth(options: { rentCents?: number } = {}) {
  const app = await paymentApp({ env: { OWNER_EMAIL: 'owner@condo.example' } })
  const owner = await app.offerBank()
  const tenant = await app.makeTenant({ email: 'maya@guest.example' })
  const submittedAt = app.deps.clock.now().toISOString()
  const { id: applicationId, number } = await app.makeApplication(tenant, { submittedAt })
  const input = { applicationId, rentCents, ...options }
  const { checkoutSessionId: session, id } = await app.checkout(tenant, input)
  return { app, owner, tenant, applicationId, number, input, session, id }
}

async function paidBoth() {
  const all = await openBoth()
  all.app.provider.pay(all.session)
  await all.app.provider.deliverDue()
  const [deposit, rent] = rowsOf(all.app)
  if (!deposit?.stripeChargeId || !rent) throw new Error('deposit and rent are not paid')
  return { ...all, deposit, rent, chargeId: deposit.stripeChargeId }
}

const rowsOf = ({ deps }: PaymentApp) =>
  deps.db.select().from(payments).orderBy(payments.createdAt, payments.type).all()
const statusesOf = (app: PaymentApp) => rowsOf(app).map(({ status }) => status)
/** The totals of all sessions at the provider that can still be paid, by session. */
async function openSessions({ deps }: PaymentApp) {
  const { stripe } = deps.provider ?? expect.fail('no provider')
  const { data } = await stripe.checkout.sessions.list({ status: 'open', limit: 100 })
  return new Map(data.map(({ amount_total, id }) => [id, amount_total]))
}

/** What was taken from deposit and rent, fees included, of $515.00 and $2,575.00. */
const takenOf = (app: PaymentApp) =>
  rowsOf(app).map(({ refundedAmountCents, refundedFeeCents }) => refundedAmountCents + refundedFeeCents)

test('one checkout has two line items and the card fee; the ledger has a row for each with its own fee [LOOK-80]', async () => {
  const { app, applicationId, id, number, session } = await openBoth({ rentCents: 2500_17 })
  const { stripe } = app.deps.provider ?? expect.fail('no provider')
  const { line_items, ...opened } = await stripe.checkout.sessions.retrieve(session, {
    expand: ['line_items'],
  })
  expect(opened).toMatchObject({
    amount_total: 515_00 + 2575_18,
    client_reference_id: id,
    metadata: { paymentId: id, paymentType: 'deposit and rent', applicationId },
  })
  const items = line_items?.data.map(({ amount_total, description }) => [description, amount_total])
  expect(items).toEqual([
    [`Deposit (${number})`, 500_00],
    [`Rent (${number})`, 2500_17],
    ['Card fee', 15_00 + 75_01],
  ])
  expect(rowsOf(app)).toMatchObject([
    { type: 'deposit', amountCents: 500_00, feeCents: 15_00, checkoutLeadId: null },
    { type: 'rent', amountCents: 2500_17, feeCents: 75_01, checkoutLeadId: id },
  ])
  expect(rowsOf(app).map(row => row.checkoutSessionId)).toEqual([session, session])
})

test('once it is paid both have arrived, with one receipt, one mail to the owner and one answer to the success page [LOOK-80, MONEY-07]', async () => {
  const { app, deposit, number, rent, session, tenant } = await paidBoth()
  for (const { id } of app.provider.events()) await app.provider.deliverEvent(id, 2)
  await sweepPayments(app.deps)
  expect(statusesOf(app)).toEqual(['succeeded', 'succeeded'])
  expect(rent.stripePaymentIntentId).toBe(deposit.stripePaymentIntentId)
  expect([deposit.cardLast4, rent.cardLast4]).toEqual(['4242', '4242'])

  const { payment, payments } = await app.as(tenant).payments.bySession({ sessionId: session })
  expect([payment.id, payment.receiptEmail]).toEqual([deposit.id, 'queued'])
  expect(payments.map(({ amount, id }) => [id, amount])).toEqual([
    [deposit.id, 500_00],
    [rent.id, 2500_00],
  ])
  const { applications } = await app.as(tenant).payments.options()
  expect(applications[0]).toMatchObject({ balance: { balanceCents: 0 }, depositPaid: true })
  expect((await app.as(tenant).payments.history()).payments).toHaveLength(2)

  const mails = app.deps.db.select().from(outbox).all()
  expect(mails.map(({ kind }) => kind).toSorted()).toEqual(['owner-payment-received', 'payment-receipt'])
  const [receipt, toOwner] = await Promise.all(
    mails
      .toSorted((a, b) => b.kind.localeCompare(a.kind))
      .map(mail => composeMail(app.deps, mailSources, mail)),
  )
  for (const told of [
    /Payment type\s+Deposit and rent/,
    new RegExp(`Booking\\s+${number}`),
    /Deposit\s+\$500\.00\s+Rent\s+\$2,500\.00\s+Card fee\s+\$90\.00\s+Total charged\s+\$3,090\.00/,
  ])
    expect(receipt?.text).toMatch(told)
  const pdf = pdfText(receipt?.attachments?.[0]?.content as Uint8Array).flat()
  for (const told of ['Deposit and rent', '$500.00', '$2,500.00', '$90.00', '$3,090.00'])
    expect(pdf).toContain(told)
  expect(toOwner?.text).toMatch(
    /Payment type\s+Deposit and rent[\s\S]*Amount\s+\$3,000\.00\s+Card fee\s+\$90\.00/,
  )
})

test('the receipt lists the payments that were not removed, and the owner can resend it from either [LOOK-80]', async () => {
  const { app, deposit, owner, rent } = await paidBoth()
  app.advance(5 * minuteMs)
  await app.as(owner).payments.resendReceipt({ paymentId: rent.id })
  await app.as(owner).payments.resendReceipt({ paymentId: deposit.id })
  const sent = app.receipts()
  expect(sent.map(({ props }) => props.paymentId)).toEqual([deposit.id, rent.id])
  const textOf = async () =>
    (await composeMail(app.deps, mailSources, sent[0] ?? expect.fail('no mail'))).text
  const before = await textOf()
  await app.as(owner).payments.refund({ paymentId: rent.id, requestId: randomUUID(), totalCents: 1_00 })
  expect(await textOf()).toMatch(/Refunded since\s+−\$1\.00/)
  await app.as(owner).payments.remove({ paymentId: deposit.id })
  const after = await textOf()
  expect(before).toContain('Deposit and rent')
  expect(after).not.toContain('Deposit')
  expect(after).toMatch(/Payment type\s+Rent[\s\S]*Total charged\s+\$2,575\.00/)
})

test('repeating a request reuses the checkout; two tabs and a double click open one [LOOK-80]', async () => {
  const { app, input, session, tenant } = await openBoth()
  const click = () => app.checkout(tenant, input)
  const again = await Promise.all([click(), click(), click()])
  expect(again.map(row => row.checkoutSessionId)).toEqual([session, session, session])
  expect(rowsOf(app)).toHaveLength(2)
})

test('a checkout of either replaces an open one of both, and one of both replaces all others [LOOK-80, FIX-02, BANK-05]', async () => {
  const { app, applicationId, input, session, tenant } = await openBoth()
  const open = async () => [...(await openSessions(app)).keys()].toSorted()
  const rent = await app.checkout(tenant, { applicationId, paymentType: 'rent', amount: rentCents })
  expect(statusesOf(app).toSorted()).toEqual(['canceled', 'canceled', 'pending'])
  const deposit = await app.checkout(tenant, { applicationId })
  expect(await open()).toEqual([rent.checkoutSessionId, deposit.checkoutSessionId].toSorted())
  const byBank = await app.checkout(tenant, { ...input, providerMethod: 'us_bank_account' as const })
  expect(await open()).toEqual([byBank.checkoutSessionId])
  const other = await app.checkout(tenant, { ...input, rentCents: 1000_00 })
  expect(await open()).toEqual([other.checkoutSessionId])
  const more = await app.checkout(tenant, { ...input, rentCents: 1500_00 })
  expect(await open()).toEqual([more.checkoutSessionId])
  expect(more.id).not.toBe(other.id)
  await Promise.all([app.checkout(tenant, { applicationId }), app.checkout(tenant, input)])
  expect(await open()).toHaveLength(1)
  expect(await open()).not.toContain(session)
})

test('a payment that was made in the meantime is not charged again [LOOK-80]', async () => {
  const { app, applicationId, input, session, tenant } = await openBoth()
  app.provider.pay(session)
  await expect(app.checkout(tenant, input)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(app.checkout(tenant, { applicationId })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(statusesOf(app)).toEqual(['succeeded', 'succeeded'])
})

test('a rejected checkout of both changes nothing [LOOK-80]', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  const good = buildCheckout({ applicationId, rentCents })
  const before = app.snapshotState()
  const rent = { amount: rentCents, creditCardFee: 75_00 }
  for (const wrong of [
    { paymentType: 'rent' as const },
    { amount: 499_99 },
    { rent: { ...rent, amount: 99 } },
    { rent: { ...rent, creditCardFee: 74_99 }, totalAmount: good.totalAmount - 1 },
    // Each fee is wrong, but their sum is right.
    { creditCardFee: 15_01, rent: { ...rent, creditCardFee: 74_99 } },
    { totalAmount: good.totalAmount + 1 },
    { totalAmount: 515_00 },
  ]) {
    const call = app.as(tenant).payments.createCheckoutSession({ ...good, ...wrong })
    await expect(call, JSON.stringify(wrong)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  }
  expect(app.snapshotState()).toEqual(before)
})

test('a session whose total differs from that of both payments is quarantined [LOOK-80]', async () => {
  const { app, owner, session } = await openBoth()
  // As if each payment had been one cent less.
  await app.deps.write(tx => tx.update(payments).set({ feeCents: 14_99 }).run())
  app.provider.pay(session)
  await app.provider.deliverDue()
  expect(statusesOf(app)).toEqual(['pending', 'pending'])
  expect((await app.as(owner).payments.quarantined()).events).toHaveLength(1)
})

test('a refund made here is booked on its own payment, whichever response arrives first [LOOK-80, FIX-05]', async () => {
  const { app, deposit, owner, rent } = await paidBoth()
  const refund = (paymentId: string, totalCents?: number) =>
    app.as(owner).payments.refund({ paymentId, totalCents, requestId: randomUUID() })
  app.provider.holdDeliveries(true)
  await refund(deposit.id, 15_00)
  expect(takenOf(app)).toEqual([15_00, 0])
  await refund(rent.id, 100_00)
  for (const { id, type } of app.provider.events())
    if (type.includes('refund')) await app.provider.deliverEvent(id)
  await sweepPayments(app.deps)
  expect(takenOf(app)).toEqual([15_00, 100_00])
  await expect(refund(deposit.id, 500_01)).rejects.toThrow('At most $500.00 can be refunded')
  await refund(deposit.id)
  expect(takenOf(app)).toEqual([515_00, 100_00])
  expect(statusesOf(app)).toEqual(['refunded', 'succeeded'])
  expect(
    app.deps.db
      .select()
      .from(refunds)
      .all()
      .filter(({ status }) => status === 'requested'),
  ).toEqual([])
})

test('a refund whose response was lost is found at the provider by its request id [LOOK-80, FIX-09]', async () => {
  const { app, deposit, owner } = await paidBoth()
  app.provider.setFault({ hangUp: true, answerAfterTimeout: true })
  const input = { paymentId: deposit.id, totalCents: 40_00, requestId: randomUUID() }
  await expect(app.as(owner).payments.refund(input)).rejects.toMatchObject({ code: 'BAD_GATEWAY' })
  app.provider.setFault({})
  app.advance(20 * minuteMs)
  await sweepPayments(app.deps)
  expect(takenOf(app)).toEqual([40_00, 0])
})

test('a refund at the provider reduces the rent first and the deposit last; a refund made here stays with its payment [LOOK-80]', async () => {
  const { app, chargeId, owner, rent } = await paidBoth()
  const dispute = app.provider.openDispute(chargeId, { amount: 2500_00 })
  await app.provider.deliverDue()
  expect(takenOf(app)).toEqual([0, 2500_00])
  await app.as(owner).payments.refund({ paymentId: rent.id, totalCents: 75_00, requestId: randomUUID() })
  app.provider.refund(chargeId, 15_00)
  await app.provider.deliverDue()
  expect(takenOf(app)).toEqual([15_00, 2575_00])
  app.provider.closeDispute(dispute.id, 'won')
  await app.provider.deliverDue()
  expect(takenOf(app)).toEqual([0, 90_00])
})

test('refunding exactly the deposit and its fee at the provider refunds the deposit, which cannot be returned again [LOOK-80]', async () => {
  const { app, applicationId, chargeId, owner, tenant } = await paidBoth()
  app.provider.refund(chargeId, 515_00)
  await app.provider.deliverDue()
  expect(takenOf(app)).toEqual([515_00, 0])
  const { applications } = await app.as(tenant).payments.options()
  expect(applications[0]).toMatchObject({ balance: { balanceCents: 0 }, depositReturned: true })
  const again = { applicationId, kind: 'deposit_return', amount: 500_00, reason: 'Left' } as const
  await expect(app.as(owner).payments.recordReturn(again)).rejects.toThrow('Only $0.00 is left')
})

test('a refund at the provider reduces a payment that was removed here first [LOOK-80]', async () => {
  const { app, chargeId, deposit, owner } = await paidBoth()
  app.provider.refund(chargeId, 20_00)
  await app.provider.deliverDue()
  expect(takenOf(app)).toEqual([0, 20_00])
  await app.as(owner).payments.remove({ paymentId: deposit.id })
  expect(takenOf(app)).toEqual([20_00, 0])
  app.provider.refund(chargeId, 515_00)
  await app.provider.deliverDue()
  expect(takenOf(app)).toEqual([515_00, 20_00])
})

test('a dispute reduces the rent first and is reported once, with its whole amount [LOOK-80, LOOK-08, FIX-38]', async () => {
  const { app, chargeId, owner } = await paidBoth()
  const dispute = app.provider.openDispute(chargeId)
  await app.provider.deliverDue()
  expect(statusesOf(app)).toEqual(['disputed', 'disputed'])
  expect(takenOf(app)).toEqual([515_00, 2575_00])
  expect(listOpenDisputes(app.deps.db)).toMatchObject([{ id: dispute.id, totalCents: 3090_00 }])
  const { notices } = await app.as(owner).notices.list()
  expect(notices.filter(({ id }) => id.startsWith('dispute-'))).toHaveLength(1)
  const mails = app.deps.db.select().from(outbox).all()
  expect(mails.filter(({ kind }) => kind === 'owner-payment-disputed')).toMatchObject([
    { props: { paymentTypeLabel: 'Deposit and rent', totalCents: 3090_00 } },
  ])
  const { disputed } = await app.as(owner).payments.revenueSummary()
  expect(disputed.open.amount).toBe(3090_00)

  app.provider.closeDispute(dispute.id, 'won')
  await app.provider.deliverDue()
  expect(takenOf(app)).toEqual([0, 0])
  const partial = app.provider.openDispute(chargeId, { amount: 2600_00 })
  app.provider.closeDispute(partial.id, 'lost')
  await app.provider.deliverDue()
  expect(takenOf(app)).toEqual([25_00, 2575_00])
  expect(rowsOf(app)).toMatchObject([
    { status: 'succeeded' },
    { status: 'refunded', lostAmountCents: 2500_00 },
  ])
  const amounts = app.deps.db
    .select()
    .from(disputes)
    .all()
    .map(({ totalCents }) => totalCents)
  expect(amounts.reduce((sum, cents) => sum + cents, 0)).toBe(3090_00 + 2600_00)
})

test('removing one payment closes the checkout of both [LOOK-80]', async () => {
  const { app, owner, session } = await openBoth()
  const rent = rowsOf(app)[1] ?? expect.fail('no rent')
  await app.as(owner).payments.remove({ paymentId: rent.id })
  expect((await openSessions(app)).has(session)).toBe(false)
  expect(rowsOf(app)).toMatchObject([
    { status: 'canceled', voidedAt: null },
    { status: 'canceled', voidedAt: expect.any(String) },
  ])
})

test('removing the rent of a checkout whose request had no response closes it, too [LOOK-80, FIX-02]', async () => {
  const app = await paymentApp()
  const [tenant, owner] = [await app.makeTenant(), await app.makeAdmin()]
  const { id: applicationId } = await app.makeApplication(tenant)
  app.provider.setFault({ hangUp: true, answerAfterTimeout: true })
  const call = app.checkout(tenant, { applicationId, rentCents })
  await expect(call).rejects.toMatchObject({ code: 'BAD_GATEWAY' })
  app.provider.setFault({})
  expect((await openSessions(app)).size).toBe(1)
  await app.as(owner).payments.remove({ paymentId: rowsOf(app)[1]?.id ?? '' })
  expect((await openSessions(app)).size).toBe(0)
  expect(statusesOf(app)).toEqual(['canceled', 'canceled'])
})

test.each([
  ['has no response', { hangUp: true, answerAfterTimeout: true }],
  ['is answered 500 although it had an effect', { failurePoint: 'after-work' as const, failNext: 1 }],
])(
  'a request that %s is settled by the sweep for both, and an abandoned checkout ends for both [LOOK-80, FIX-02]',
  async (_, fault) => {
    const app = await paymentApp()
    const tenant = await app.makeTenant()
    const { id: applicationId } = await app.makeApplication(tenant)
    app.provider.setFault(fault)
    const call = app.checkout(tenant, { applicationId, rentCents })
    await expect(call).rejects.toMatchObject({ code: 'BAD_GATEWAY' })
    app.provider.setFault({})
    app.advance(5 * minuteMs)
    await sweepPayments(app.deps)
    const open = await openSessions(app)
    expect([...open.values()]).toEqual([3090_00])
    const [session] = open.keys()
    expect(rowsOf(app)).toMatchObject([
      { type: 'deposit', status: 'pending', checkoutSessionId: session },
      { type: 'rent', status: 'pending', checkoutSessionId: session },
    ])
    app.advance(3 * 60 * minuteMs)
    await sweepPayments(app.deps)
    expect((await openSessions(app)).size).toBe(0)
    expect(statusesOf(app)).toEqual(['canceled', 'canceled'])
  },
)

test('the sweep never opens a checkout for the rent alone [LOOK-80, FIX-02]', async () => {
  const app = await paymentApp()
  const tenant = await app.makeTenant()
  const { id: applicationId } = await app.makeApplication(tenant)
  const open = () => app.checkout(tenant, { applicationId, rentCents })
  app.provider.setFault({ hangUp: true })
  await expect(open()).rejects.toMatchObject({ code: 'BAD_GATEWAY' })
  app.advance(5 * minuteMs)
  app.provider.setFault({ failNext: 1, failurePoint: 'before-work' })
  await sweepPayments(app.deps)
  expect((await openSessions(app)).size).toBe(0)
  await open()
  expect([...(await openSessions(app)).values()]).toEqual([3090_00])
  expect(rowsOf(app)).toHaveLength(2)
})

type Story = (at: { app: PaymentApp; owner: Owner; applicationId: string; sessions: string[] }) => unknown
type Owner = Awaited<ReturnType<PaymentApp['makeAdmin']>>

const each =
  (act: (session: string, app: PaymentApp) => unknown): Story =>
  ({ app, sessions }) => {
    for (const session of sessions) act(session, app)
  }
const pay = each((session, app) => app.provider.pay(session))
const sendBank = each((session, app) => app.provider.completeUnpaid(session))
const settle = (arrives: boolean) => each((session, app) => app.provider.settle(session, arrives))
const deliver: Story = ({ app }) => app.provider.deliverDue()
const chargesOf = (app: PaymentApp) => [...new Set(rowsOf(app).flatMap(row => row.stripeChargeId ?? []))]
const dispute: Story = ({ app }) => {
  for (const charge of chargesOf(app)) app.provider.openDispute(charge)
}
const setStatus =
  (status: 'rejected' | 'approved'): Story =>
  ({ app, applicationId, owner }) =>
    app.as(owner).applications.adminSetStatus({ id: applicationId, status })
const away =
  (story: Story): Story =>
  async at => {
    at.app.provider.setFault({ hangUp: true })
    await story(at)
    at.app.provider.setFault({})
  }
const refundAll: Story = async ({ app, owner }) => {
  for (const { id } of rowsOf(app))
    await app.as(owner).payments.refund({ paymentId: id, requestId: randomUUID() })
}

const stories: [name: string, method: 'card' | 'us_bank_account', ...Story[]][] = [
  ['paid by card', 'card', pay],
  ['declined and then paid', 'card', each((session, app) => app.provider.decline(session)), pay],
  ['left open', 'card', deliver, ({ app }) => app.advance(3 * 60 * minuteMs)],
  ['refunded here', 'card', pay, deliver, refundAll],
  ['disputed in full', 'card', pay, deliver, dispute],
  ['of an application that is declined', 'card', setStatus('rejected')],
  [
    'of an application that is declined while the provider is away, and paid',
    'card',
    away(setStatus('rejected')),
    pay,
  ],
  [
    'of an application that is declined, paid and approved after all',
    'card',
    away(setStatus('rejected')),
    setStatus('approved'),
    pay,
  ],
  ['paid, of an application that is declined then', 'card', pay, deliver, setStatus('rejected')],
  [
    'of an application that is deleted while the provider is away, and paid',
    'card',
    away(({ app, applicationId, owner }) => app.as(owner).applications.adminDelete({ id: applicationId })),
    pay,
  ],
  ['on its way from a bank', 'us_bank_account', sendBank],
  [
    'on its way, of an application that is declined',
    'us_bank_account',
    sendBank,
    deliver,
    setStatus('rejected'),
  ],
  ['arrived from a bank', 'us_bank_account', sendBank, deliver, settle(true)],
  ['failed at a bank', 'us_bank_account', sendBank, deliver, settle(false)],
  ['returned by a bank', 'us_bank_account', sendBank, settle(true), deliver, dispute],
]

test.each(stories)(
  'a checkout of both %s is as if paid apart [LOOK-80]',
  async (_, providerMethod, ...story) => {
    const play = async (isTogether: boolean) => {
      const app = await paymentApp()
      const owner = await app.offerBank()
      const tenant = await app.makeTenant()
      const submittedAt = app.deps.clock.now().toISOString()
      const { id: applicationId, number } = await app.makeApplication(tenant, { submittedAt })
      const base = { applicationId, providerMethod }
      const rent = { ...base, paymentType: 'rent' as const, amount: rentCents }
      const opened = isTogether
        ? [await app.checkout(tenant, { ...base, rentCents })]
        : [await app.checkout(tenant, base), await app.checkout(tenant, rent)]
      const sessions = opened.map(row => row.checkoutSessionId)
      for (const step of [...story, deliver]) await step({ app, owner, applicationId, sessions })
      await sweepPayments(app.deps)
      await app.provider.deliverDue()
      const { notices } = await app.as(owner).notices.list()
      const { summary } = await app.as(owner).payments.revenueSummary()
      const { applications } = await app.as(tenant).payments.options()
      return {
        rows: rowsOf(app)
          .toSorted((a, b) => a.type.localeCompare(b.type))
          .map(row => ({
            type: row.type,
            status: row.status,
            amountCents: row.amountCents,
            feeCents: row.feeCents,
            refunded: [row.refundedAmountCents, row.refundedFeeCents, row.lostAmountCents],
            isPaid: row.paidAt !== null,
            isCanceled: row.cancelRequestedAt !== null,
            isLinked: row.applicationId !== null,
            isOfCard: [row.cardLast4, row.failureReason],
          })),
        notices: notices
          .map(({ detail, title }) => `${title} ${detail}`.replaceAll(number, ''))
          .filter(text => !text.includes('disputed') && !text.includes('Dispute'))
          .toSorted(),
        summary,
        open: applications.map(({ balance, onItsWayCents, open }) => ({ balance, onItsWayCents, open })),
      }
    }
    expect(await play(true)).toEqual(await play(false))
  },
)
