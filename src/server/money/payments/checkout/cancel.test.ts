import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { applications, outbox, payments, providerEvents } from '../../../../../db/schema.ts'
import type { SignedIn } from '../../../../domain/accounts/access.ts'
import { minuteMs } from '../../../../domain/common/durations.ts'
import { type Account, signUp, signUpAdmin } from '../../../../testing/build-account.ts'
import {
  buildCheckout,
  buildManualPayment,
  type PaymentApp,
  paymentApp,
} from '../../../../testing/build-payment.ts'
import { seed, testRandom } from '../../../../testing/random.ts'
import { testNow, testOrigin } from '../../../../testing/test-app.ts'
import { sweepPayments } from './sweep.ts'

const actorOf = ({ user }: Account): SignedIn => ({
  role: user.role,
  userId: user.id,
  requestOrigin: testOrigin,
})

async function people() {
  const app = await paymentApp()
  const [tenant, owner] = [await signUp(app), await signUpAdmin(app)]
  const makeApplication = (overrides: Partial<typeof applications.$inferInsert> = {}) =>
    app.makeApplication(actorOf(tenant), { submittedAt: testNow, ...overrides })
  return {
    app,
    tenant: actorOf(tenant),
    owner,
    asOwner: app.as(actorOf(owner)),
    makeApplication,
    notices: async () => (await app.as(actorOf(owner)).notices.list()).notices,
  }
}
type People = Awaited<ReturnType<typeof people>>

const statusOf = async (app: PaymentApp, id: string) =>
  (await app.deps.provider?.stripe.checkout.sessions.retrieve(id))?.status

const rent = { paymentType: 'rent' as const, amount: 1000_00 }

const ends: [name: string, end: (at: People, id: string) => Promise<unknown>, status?: 'pending'][] = [
  ['declined', ({ asOwner }, id) => asOwner.applications.adminSetStatus({ id, status: 'rejected' })],
  [
    'declined with others',
    ({ asOwner }, id) => asOwner.applications.adminSetStatuses({ ids: [id], status: 'rejected' }),
  ],
  ['withdrawn', ({ app, tenant }, id) => app.as(tenant).applications.withdraw({ id }), 'pending'],
  ['deleted', ({ asOwner }, id) => asOwner.applications.adminDelete({ id })],
  ['deleted with others', ({ asOwner }, id) => asOwner.applications.adminDeleteMany({ ids: [id] })],
]

test.each(ends)(
  'closes only the checkouts of the application that is %s [FIX-01]',
  async (_, end, status) => {
    const at = await people()
    const { app, makeApplication, notices, tenant } = at
    const { id } = await makeApplication(status && { status })
    const other = await makeApplication()
    const mine = [
      await app.checkout(tenant, { applicationId: id }),
      await app.checkout(tenant, { ...rent, applicationId: id }),
    ]
    const kept = [
      await app.checkout(tenant, { ...rent, applicationId: other.id }),
      await app.checkout(tenant, rent),
    ]
    await end(at, id)
    for (const row of mine) {
      expect(await statusOf(app, row.checkoutSessionId)).toBe('expired')
      expect(app.payment(row.id).status).toBe('canceled')
      expect(() => app.provider.pay(row.checkoutSessionId)).toThrow('expired')
    }
    for (const row of kept) expect(app.payment(row.id)).toEqual(row)
    await app.provider.deliverDue()
    expect(await notices()).toEqual([])
  },
)

test.each(ends)(
  'shows a notice for a payment made while the provider is down for an application that is %s [FIX-01]',
  async (name, end, status) => {
    const at = await people()
    const { app, makeApplication, notices, tenant } = at
    const { id, number } = await makeApplication(status && { status })
    const paid = await app.checkout(tenant, { applicationId: id })
    const open = await app.checkout(tenant, { ...rent, applicationId: id })
    app.provider.setFault({ hangUp: true })
    await end(at, id)
    app.provider.setFault({})
    expect(await statusOf(app, open.checkoutSessionId)).toBe('open')
    app.provider.pay(paid.checkoutSessionId)
    await app.provider.deliverDue()
    const isDeleted = name.startsWith('deleted')
    expect(app.payment(paid.id)).toMatchObject({
      status: 'succeeded',
      applicationId: isDeleted ? null : id,
    })
    expect(await notices()).toMatchObject([
      {
        tone: 'danger',
        title: `A payment arrived for a ${isDeleted ? 'deleted' : 'declined'} application`,
        detail: expect.stringContaining(
          isDeleted
            ? `Maya Rivers paid $515.00 for ${number}, which was deleted. The payment stands without an application. Refund it to the card here`
            : `Maya Rivers paid $515.00 for ${number}, which was declined. Open the application and refund the payment to the card`,
        ),
        action: {
          kind: 'unexpected_payment',
          paymentId: paid.id,
          applicationId: isDeleted ? null : id,
          leftCents: 515_00,
        },
      },
    ])
    // The next sweep closes the checkout of a canceled payment, regardless of its age.
    await sweepPayments(app.deps)
    expect(await statusOf(app, open.checkoutSessionId)).toBe('expired')
    expect(app.payment(open.id).status).toBe('canceled')
  },
)

/** A deposit of 515 dollars that is paid after its application was declined or deleted. */
async function paidTooLate(how: 'declined' | 'deleted') {
  const at = await people()
  const { app, asOwner, makeApplication, tenant } = at
  const { id } = await makeApplication()
  const row = await app.checkout(tenant, { applicationId: id })
  app.provider.setFault({ hangUp: true })
  if (how === 'declined') await asOwner.applications.adminSetStatus({ id, status: 'rejected' })
  else await asOwner.applications.adminDelete({ id })
  app.provider.setFault({})
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  return { ...at, applicationId: id, row }
}
const requestId = 'e2f4f9ba-7a4f-4ad9-a4f5-0a2c3b5c8b11'

test.each(['declined', 'deleted'] as const)(
  'a late payment shows a notice with the remaining amount until it is refunded [FIX-01] (%s)',
  async how => {
    const { asOwner, notices, row } = await paidTooLate(how)
    await asOwner.payments.refund({ paymentId: row.id, totalCents: 15_00, requestId })
    expect(await notices()).toMatchObject([{ detail: expect.stringContaining('paid $500.00') }])
    await asOwner.payments.refund({ paymentId: row.id, requestId: requestId.replace('e2', 'e3') })
    expect(await notices()).toEqual([])
  },
)

test('a late payment shows a notice until it is returned by hand, transferred to another application, or removed [FIX-01]', async () => {
  const byHand = await paidTooLate('declined')
  const { applicationId } = byHand
  await byHand.asOwner.payments.recordReturn({
    applicationId,
    kind: 'refund',
    amount: 500_00,
    reason: 'By check',
  })
  expect(await byHand.notices()).toEqual([])

  const moved = await paidTooLate('declined')
  const { id: toApplicationId } = await moved.makeApplication()
  await moved.asOwner.payments.transfer({
    fromApplicationId: moved.applicationId,
    toApplicationId,
    depositAmount: 500_00,
    transferNotes: '',
  })
  expect(await moved.notices()).toEqual([])

  const removed = await paidTooLate('declined')
  await removed.asOwner.payments.remove({ paymentId: removed.row.id })
  expect(await removed.notices()).toEqual([])
})

test.each(['declined', 'deleted'] as const)(
  'a late payment shows a notice until the owner dismisses it once [FIX-01] (%s)',
  async how => {
    const { app, asOwner, notices, row } = await paidTooLate(how)
    const dismiss = () => asOwner.payments.dismissUnexpected({ paymentId: row.id })
    expect(await dismiss()).toEqual({ message: 'Dismissed' })
    expect(await notices()).toEqual([])
    await expect(dismiss()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(app.payment(row.id).status).toBe('succeeded')
  },
)

test('reconciles a payment made at the same moment as the decline, and shows a notice [FIX-01]', async () => {
  const { app, asOwner, makeApplication, notices, tenant } = await people()
  const { id } = await makeApplication()
  const row = await app.checkout(tenant, { applicationId: id })
  app.provider.holdDeliveries(true)
  app.provider.pay(row.checkoutSessionId)
  await asOwner.applications.adminSetStatus({ id, status: 'rejected' })
  expect(app.payment(row.id).status).toBe('succeeded')
  expect(await notices()).toMatchObject([{ title: 'A payment arrived for a declined application' }])
})

test('shows a notice for a bank transfer that arrives after the decline [FIX-01]', async () => {
  const { app, asOwner, makeApplication, notices, tenant } = await people()
  const { id } = await makeApplication()
  const row = await app.checkout(tenant, { applicationId: id })
  app.provider.completeUnpaid(row.checkoutSessionId)
  await app.provider.deliverDue()
  expect(await asOwner.applications.adminStatusPreview({ id })).toMatchObject({
    openCheckouts: 0,
    processingPayments: 1,
  })
  await asOwner.applications.adminSetStatus({ id, status: 'rejected' })
  expect(app.payment(row.id).status).toBe('processing')
  expect(await notices()).toEqual([])
  app.provider.settle(row.checkoutSessionId, true)
  await app.provider.deliverDue()
  expect(await notices()).toMatchObject([{ title: 'A payment arrived for a declined application' }])
})

test.each(['declined', 'withdrawn'] as const)(
  'a bank transfer of an application that was %s and then approved is a good payment, whenever it arrives [FIX-37]',
  async how => {
    const { app, asOwner, makeApplication, notices, tenant } = await people()
    const { id } = await makeApplication({ status: 'pending' })
    const rows = [
      await app.checkout(tenant, { applicationId: id }),
      await app.checkout(tenant, { ...rent, applicationId: id }),
    ]
    for (const row of rows) app.provider.completeUnpaid(row.checkoutSessionId)
    await app.provider.deliverDue()
    app.advance(minuteMs)
    const setStatus = (status: 'approved' | 'rejected') => asOwner.applications.adminSetStatus({ id, status })
    if (how === 'declined') await setStatus('rejected')
    else await app.as(tenant).applications.withdraw({ id })
    app.advance(minuteMs)
    const arrive = async (row?: { checkoutSessionId: string }) => {
      app.provider.settle(row?.checkoutSessionId ?? '', true)
      await app.provider.deliverDue()
    }
    await arrive(rows[0])
    expect(await notices()).toMatchObject([{ title: 'A payment arrived for a declined application' }])
    await setStatus('approved')
    expect(await notices()).toEqual([])
    await arrive(rows[1])
    expect(await notices()).toEqual([])
    expect(rows.map(({ id }) => app.payment(id).status)).toEqual(['succeeded', 'succeeded'])
  },
)

test('approving again keeps the notice about money through a checkout that was closed before [FIX-37]', async () => {
  const { app, asOwner, makeApplication, notices, tenant } = await people()
  const { id } = await makeApplication()
  const row = await app.checkout(tenant, { ...rent, applicationId: id })
  await app.deps.write(tx =>
    tx.update(payments).set({ status: 'canceled' }).where(eq(payments.id, row.id)).run(),
  )
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  app.advance(minuteMs)
  for (const status of ['rejected', 'approved'] as const)
    await asOwner.applications.adminSetStatus({ id, status })
  expect(await notices()).toMatchObject([{ title: 'A payment arrived through a closed checkout' }])
})

test('a checkout that could not be closed is a good payment once the application is approved again [FIX-37]', async () => {
  const { app, asOwner, makeApplication, notices, tenant } = await people()
  const { id } = await makeApplication()
  const row = await app.checkout(tenant, { applicationId: id })
  app.provider.setFault({ hangUp: true })
  await asOwner.applications.adminSetStatus({ id, status: 'rejected' })
  app.provider.setFault({})
  await asOwner.applications.adminSetStatus({ id, status: 'approved' })
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  expect(app.payment(row.id)).toMatchObject({ status: 'succeeded', cancelRequestedAt: null })
  expect(await notices()).toEqual([])
})

test.each(['withdrawn', 'declined'] as const)(
  'the owner hears of money that an application holds when it is %s, until it is returned, dismissed or approved [FIX-01, FIX-37]',
  async how => {
    const { app, asOwner, makeApplication, notices, tenant } = await people()
    const { id, number } = await makeApplication({ status: 'pending' })
    const row = await app.checkout(tenant, { applicationId: id })
    app.provider.pay(row.checkoutSessionId)
    await app.provider.deliverDue()
    await asOwner.payments.addManual(buildManualPayment(id, { amount: 20_00 }))
    app.advance(minuteMs)
    const end = () =>
      how === 'withdrawn'
        ? app.as(tenant).applications.withdraw({ id })
        : asOwner.applications.adminSetStatus({ id, status: 'rejected' })
    await end()
    const held = { tone: 'warning', title: 'A declined or withdrawn application still holds a payment' }
    expect(await notices()).toMatchObject([held, held])
    expect((await notices()).map(({ detail }) => detail)).toEqual(
      expect.arrayContaining([
        `Maya Rivers paid $515.00 for ${number}, which was declined or withdrawn afterwards. Open the application and refund the payment to the card, or dismiss this if the money stays.`,
        expect.stringContaining('record its return'),
      ]),
    )
    const mail = app.deps.db.select().from(outbox).where(eq(outbox.kind, 'owner-withdrawn')).all()
    expect(mail.map(({ props }) => props)).toMatchObject(how === 'withdrawn' ? [{ paidCents: 520_00 }] : [])
    const action = { paymentId: row.id }
    await asOwner.payments.dismissUnexpected(action)
    expect(await notices()).toHaveLength(1)
    await asOwner.applications.adminSetStatus({ id, status: 'approved' })
    expect(await notices()).toEqual([])
    app.advance(minuteMs)
    await asOwner.applications.adminSetStatus({ id, status: 'rejected' })
    expect(await notices()).toHaveLength(2)
    await asOwner.payments.recordReturn({ applicationId: id, kind: 'refund', amount: 520_00, reason: 'x' })
    expect(await notices()).toEqual([])
  },
)

test('recording or moving money closes the open checkouts that ask for more than is left [FIX-02]', async () => {
  const { app, asOwner, makeApplication, notices, tenant } = await people()
  const [first, second, from] = [await makeApplication(), await makeApplication(), await makeApplication()]
  const deposit = await app.checkout(tenant, { applicationId: first.id })
  const open = await app.checkout(tenant, { ...rent, applicationId: first.id })
  await asOwner.payments.addManual(buildManualPayment(first.id, { amount: 1000_00 }))
  expect(app.payment(open.id).status).toBe('pending')
  await asOwner.payments.addManual(buildManualPayment(first.id, { amount: 1000_00 }))
  expect(await statusOf(app, open.checkoutSessionId)).toBe('expired')
  expect(app.payment(open.id).status).toBe('canceled')
  expect(app.payment(deposit.id).status).toBe('pending')

  await asOwner.payments.addManual(buildManualPayment(from.id, { amount: 1000_00 }))
  const both = await app.checkout(tenant, { applicationId: second.id, rentCents: 2500_00 })
  const transfer = { toApplicationId: second.id, depositAmount: 100_00, transferNotes: '' }
  app.provider.setFault({ hangUp: true })
  await asOwner.payments.transfer({ fromApplicationId: from.id, ...transfer })
  app.provider.setFault({})
  app.provider.pay(both.checkoutSessionId)
  await app.provider.deliverDue()
  const closed = { title: 'A payment arrived through a closed checkout' }
  expect(await notices()).toMatchObject([closed, closed])
})

test('the preview of a decline counts open and processing payments [FIX-01]', async () => {
  const { app, asOwner, makeApplication, tenant } = await people()
  const { id } = await makeApplication()
  const preview = () => asOwner.applications.adminStatusPreview({ id })
  expect(await preview()).toMatchObject({ openCheckouts: 0, processingPayments: 0 })
  await app.checkout(tenant, { applicationId: id })
  await app.checkout(tenant, { ...rent, applicationId: id })
  expect(await preview()).toMatchObject({ openCheckouts: 2, processingPayments: 0 })
  await asOwner.applications.adminSetStatus({ id, status: 'rejected' })
  expect(await preview()).toMatchObject({ openCheckouts: 0, processingPayments: 0 })
})

test.each([
  ['declined', 'CONFLICT'],
  ['deleted', 'NOT_FOUND'],
] as const)(
  'closes and never returns a checkout whose application is %s while it is being opened [FIX-01]',
  async (how, code) => {
    const { app, asOwner, makeApplication, tenant } = await people()
    const { id } = await makeApplication()
    app.provider.setFault({ answerAfterTimeout: true, delayMs: 400, failNext: 1 })
    const asked = app.as(tenant).payments.createCheckoutSession(buildCheckout({ applicationId: id }))
    const outcome = asked.catch(error => error)
    const sessionId = await vi.waitUntil(() => Object.keys(app.provider.truth())[0])
    if (how === 'declined') await asOwner.applications.adminSetStatus({ id, status: 'rejected' })
    else await asOwner.applications.adminDelete({ id })
    expect(await outcome).toMatchObject({ code })
    expect(await statusOf(app, sessionId)).toBe('expired')
  },
)

test('does not return an open checkout again while its application is declined [FIX-01]', async () => {
  const { app, asOwner, makeApplication, tenant } = await people()
  const { id } = await makeApplication()
  const row = await app.checkout(tenant, { applicationId: id })
  app.provider.setFault({ answerAfterTimeout: true, delayMs: 400, only: 'GET', failNext: 1 })
  const again = app.as(tenant).payments.createCheckoutSession(buildCheckout({ applicationId: id }))
  const outcome = again.catch(error => error)
  await sleep(100)
  // The decline fails to close the checkout.
  app.provider.setFault({ status: 500, only: 'expire', failNext: 1 })
  await asOwner.applications.adminSetStatus({ id, status: 'rejected' })
  expect(await outcome).toMatchObject({ code: 'CONFLICT' })
  expect(await statusOf(app, row.checkoutSessionId)).toBe('expired')
})

test('opens a new checkout for an application that is approved again, and closes the canceled one [FIX-01]', async () => {
  const { app, asOwner, makeApplication, tenant } = await people()
  const { id } = await makeApplication()
  const before = await app.checkout(tenant, { applicationId: id })
  app.provider.setFault({ hangUp: true })
  await asOwner.applications.adminSetStatus({ id, status: 'rejected' })
  app.provider.setFault({})
  await asOwner.applications.adminSetStatus({ id, status: 'approved' })
  const after = await app.checkout(tenant, { applicationId: id })
  expect(after.id).not.toBe(before.id)
  expect(await statusOf(app, before.checkoutSessionId)).toBe('expired')
})

test.each(['declined', 'deleted'] as const)(
  'finds and closes a checkout that was opened without a response, after its application was %s [FIX-01]',
  async how => {
    const { app, asOwner, makeApplication, notices, tenant } = await people()
    const { id } = await makeApplication()
    app.provider.setFault({ answerAfterTimeout: true, hangUp: true })
    await expect(app.checkout(tenant, { applicationId: id })).rejects.toThrow('Failed')
    if (how === 'declined') await asOwner.applications.adminSetStatus({ id, status: 'rejected' })
    else await asOwner.applications.adminDelete({ id })
    app.provider.setFault({})
    const [sessionId = ''] = Object.keys(app.provider.truth())
    await sweepPayments(app.deps)
    expect(await statusOf(app, sessionId)).toBe('expired')
    expect(Object.keys(app.provider.truth())).toHaveLength(1)
    await app.provider.deliverDue()
    expect(app.deps.db.select().from(payments).all()).toMatchObject([{ status: 'canceled' }])
    expect(await notices()).toEqual([])
  },
)

test('the sweep opens no checkout for a declined application [FIX-01]', async () => {
  const { app, asOwner, makeApplication, tenant } = await people()
  const { id } = await makeApplication()
  app.provider.setFault({ hangUp: true })
  await expect(app.checkout(tenant, { applicationId: id })).rejects.toThrow('Failed')
  await asOwner.applications.adminSetStatus({ id, status: 'rejected' })
  app.provider.setFault({})
  app.advance(5 * minuteMs)
  await sweepPayments(app.deps)
  expect(app.provider.truth()).toEqual({})
  expect(app.deps.db.select().from(payments).all()).toMatchObject([{ status: 'canceled' }])
})

test('counts money paid through a canceled checkout, and shows a notice [FIX-01]', async () => {
  const { app, notices, tenant } = await people()
  const row = await app.checkout(tenant, rent)
  await app.deps.write(tx =>
    tx.update(payments).set({ status: 'canceled' }).where(eq(payments.id, row.id)).run(),
  )
  app.provider.pay(row.checkoutSessionId)
  await app.provider.deliverDue()
  expect(app.payment(row.id).status).toBe('succeeded')
  expect(await notices()).toMatchObject([
    {
      tone: 'danger',
      title: 'A payment arrived through a closed checkout',
      detail: expect.stringContaining(
        'Maya Rivers paid $1,030.00 through a checkout that was closed before.',
      ),
    },
  ])
  expect(
    app.deps.db.select().from(providerEvents).where(eq(providerEvents.outcome, 'quarantined')).all(),
  ).toEqual([])
})

const steps = process.env.LONG === undefined ? 15 : 400

test('in random sequences, no checkout of a declined or deleted application stays open, and every payment is reported [FIX-01, FIX-02]', async () => {
  const { below } = testRandom()
  const { app, asOwner, makeApplication, notices, tenant } = await people()
  const { stripe } = app.deps.provider ?? expect.fail('no provider')
  app.provider.holdDeliveries(true)
  const trace: string[] = []
  const why = () => `seed ${seed}: ${trace.join('; ')}`
  const faults = [
    {},
    {},
    {},
    { failurePoint: 'before-work' as const },
    { failurePoint: 'after-work' as const },
    { failurePoint: 'after-work' as const, answerAfterTimeout: true, hangUp: true },
    { answerAfterTimeout: true, hangUp: true },
    { hangUp: true },
    { status: 503 },
    { status: 500, only: 'expire' },
    { answerAfterTimeout: true, delayMs: 30 },
  ]
  let { id } = await makeApplication()
  for (let step = 0; step < steps; step++) {
    const fault = faults[below(faults.length)] ?? {}
    app.provider.setFault(fault)
    const moves: [string, () => Promise<unknown>][] = [
      [
        'click',
        () => app.checkout(tenant, { ...rent, amount: 1000_00 + below(2) * 500_00, applicationId: id }),
      ],
      [
        'click',
        () => app.checkout(tenant, { ...rent, amount: 1000_00 + below(2) * 500_00, applicationId: id }),
      ],
      ['decline', () => asOwner.applications.adminSetStatus({ id, status: 'rejected' })],
      ['approve', () => asOwner.applications.adminSetStatus({ id, status: 'approved' })],
      ['sweep', () => sweepPayments(app.deps)],
      ['delete', async () => below(4) === 0 && asOwner.applications.adminDelete({ id })],
      [
        'pay',
        async () => {
          const { data } = await stripe.checkout.sessions.list({ status: 'open' })
          const open = data[below(data.length || 1)]
          if (open) app.provider.pay(open.id)
        },
      ],
      ['hear', () => Promise.all(app.provider.events().map(({ id }) => app.provider.deliverEvent(id)))],
    ]
    const chosen = Array.from({ length: 1 + below(3) }, () => moves[below(moves.length)] ?? expect.fail())
    trace.push(`${JSON.stringify(fault)} ${chosen.map(([name]) => name)}`)
    await Promise.allSettled(chosen.map(([, move]) => move()))
    if (below(5) === 0) app.advance(below(30) * minuteMs)
    if (app.deps.db.select().from(applications).where(eq(applications.id, id)).get()?.deletedAt)
      id = (await makeApplication()).id
  }
  app.provider.setFault({})
  await asOwner.applications.adminSetStatus({ id, status: 'rejected' })
  app.advance(5 * minuteMs)
  for (let i = 0; i < 2; i++) await sweepPayments(app.deps)
  expect((await stripe.checkout.sessions.list({ status: 'open' })).data, why()).toEqual([])

  const truth = app.provider.truth()
  const rows = app.deps.db.select().from(payments).all()
  const aside = app.deps.db
    .select()
    .from(providerEvents)
    .where(eq(providerEvents.outcome, 'quarantined'))
    .all()
  const told = (await notices()).map(({ id }) => id)
  for (const [sessionId, { paid }] of Object.entries(truth)) {
    if (paid === 0) continue
    const row = rows.find(({ checkoutSessionId }) => checkoutSessionId === sessionId)
    if (row) expect([row.status, row.amountCents + row.feeCents], why()).toEqual(['succeeded', paid])
    else expect(aside.filter(({ payload }) => payload.includes(sessionId)).length, why()).toBeGreaterThan(0)
  }
  for (const row of rows) {
    const isPaid = row.paidAt !== null
    expect(isPaid, why()).toBe((truth[row.checkoutSessionId ?? '']?.paid ?? 0) > 0)
    if (isPaid && row.cancelRequestedAt !== null && told.length < 20)
      expect(told, why()).toContain(`payment-${row.id}`)
  }
}, 600_000)
