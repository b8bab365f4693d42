import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { charges, events, installments, lateFees, outbox, payments } from '../../../db/schema.ts'
import { planMismatchCents } from '../../domain/money/payment-plan-charges.ts'
import { buildTaxRule } from '../../testing/build-charge-rule.ts'
import { makeLease } from '../../testing/build-lease.ts'
import { buildManualPayment, paymentApp } from '../../testing/build-payment.ts'
import { fixedLateFee, makePlan, setSigned } from '../../testing/build-plan.ts'
import { everyRow } from '../../testing/every-row.ts'
import { noMailSources } from '../../testing/no-mail-sources.ts'
import { type TestApp, testApp, testNow } from '../../testing/test-app.ts'
import { composeMail } from '../mail/compose.ts'
import { verifyStore } from '../operations/backup/verify.ts'
import { liveInstallments } from './records.ts'
import type { PlanView } from './views.ts'

type Options = Parameters<typeof makePlan>[1]

/** A plan for June: a deposit of $500, $1000 at signing on March 4, $1000 on May 2 and $500 on June 15. */
async function plan(options?: Options) {
  const app = await testApp()
  return { app, ...tools(app, await makePlan(app, options)) }
}

type People = Awaited<ReturnType<typeof makePlan>>

function tools(app: TestApp, { admin, id, tenant }: People) {
  const { db } = app.deps
  const owner = app.as(admin)
  const show = () => owner.plans.show({ applicationId: id })
  return {
    id,
    tenant,
    owner,
    show,
    /** The first current row with this label. */
    rowOf: async (label: string) =>
      (await show()).instalments.find(row => row.label === label) ?? expect.fail(`no ${label}`),
    pay: (amount: number, paymentType: 'rent' | 'deposit' = 'rent') =>
      owner.payments.addManual({ ...buildManualPayment(id, { amount }), paymentType }),
    add: (amountCents: number, charge = {}) =>
      owner.charges.add({ applicationId: id, kind: 'damage', label: 'Lamp', amountCents, ...charge }),
    mails: () =>
      db
        .select()
        .from(outbox)
        .all()
        .filter(({ kind }) => kind === 'plan-changed' || kind === 'charge-added'),
    trail: () =>
      db
        .select()
        .from(events)
        .all()
        .filter(({ kind }) => /^plan\.(postponed|waived|late_fee)/.test(kind))
        .map(({ detail, kind }) => ({ kind, ...detail })),
    /** 0 if the plan agrees with the charges. */
    gap: () => planMismatchCents(liveInstallments(db, id), allCharges(app, id)),
    /** A pending payment from a bank account. */
    begin: (amountCents: number, type: 'rent' | 'deposit' = 'rent') =>
      app.deps.write(tx => {
        const method = { method: 'card' as const, providerMethod: 'us_bank_account' as const }
        const row = {
          id: `${type}-${amountCents}`,
          userId: tenant.userId,
          applicationId: id,
          type,
          ...method,
        }
        const createdAt = app.deps.clock.now().toISOString()
        tx.insert(payments)
          .values({ ...row, status: 'processing', amountCents, createdAt })
          .run()
      }),
  }
}

const allCharges = ({ deps }: TestApp, id: string) =>
  deps.db
    .select()
    .from(charges)
    .where(eq(charges.applicationId, id))
    .all()
    .map(charge => ({ ...charge, addedOn: charge.createdAt.slice(0, 10) }))

const conflict = (message: string) => ({ code: 'CONFLICT', message })
const fieldAt = (field: string, message?: RegExp) => ({
  code: 'BAD_REQUEST',
  cause: expect.objectContaining({
    fields: { [field]: message ? expect.stringMatching(message) : expect.any(String) },
  }),
})
const rows = ({ instalments: all }: PlanView) =>
  all.map(({ dueDate, label, openCents, state }) => [label, dueDate, openCents, state])

test('without a plan the response is empty, also before the lease is generated [PLAN-02]', async () => {
  const app = await testApp()
  const { admin, id, tenant } = await makeLease(app)
  const nothing = { owedCents: 0, paidCents: 0, onItsWayCents: 0, openCents: 0, dueCents: 0, overdueCents: 0 }
  for (const actor of [admin, tenant])
    expect(await app.as(actor).plans.show({ applicationId: id })).toEqual({
      plan: null,
      instalments: [],
      totals: nothing,
      pay: null,
      methods: { card: false, bank: false, cardFeeBasisPoints: 300 },
    })
  await app.as(admin).leases.adminRemove({ id })
  expect(await app.as(tenant).plans.show({ applicationId: id })).toMatchObject({ plan: null, pay: null })
})

test('shows the plan in order, with states that change at midnight at the property, and what to pay next [PLAN-24, PLAN-25, PLAN-26]', async () => {
  const { app, id, pay, show, tenant } = await plan({ sign: false })
  expect(await show()).toMatchObject({
    plan: { kind: 'custom', version: 1, frozen: false, lateFee: null },
    totals: { owedCents: 3000_00, openCents: 3000_00, dueCents: 0 },
    pay: { due: null, otherMaxCents: 2500_00 },
  })
  await setSigned(app, id, testNow)
  expect(rows(await show())).toEqual([
    ['Security deposit', '2026-03-04', 500_00, 'due'],
    ['Payment 1 of 3', '2026-03-04', 1000_00, 'due'],
    ['Payment 2 of 3', '2026-05-02', 1000_00, 'upcoming'],
    ['Payment 3 of 3', '2026-06-15', 500_00, 'upcoming'],
  ])
  await pay(500_00, 'deposit')
  await pay(1200_00)
  const { pay: toPay, plan: head, totals } = await app.as(tenant).plans.show({ applicationId: id })
  expect(head?.frozen).toBe(true)
  expect(totals).toMatchObject({ paidCents: 1700_00, openCents: 1300_00, dueCents: 0 })
  expect(toPay).toMatchObject({
    next: { label: 'Payment 2 of 3', amountCents: 800_00, paymentType: 'rent', dueDate: '2026-05-02' },
    due: null,
    otherMaxCents: 1300_00,
  })
  // In May the property is four hours behind UTC.
  for (const [now, state, days] of [
    ['2026-05-02T03:59:00Z', 'partly', 0],
    ['2026-05-02T04:01:00Z', 'due', 0],
    ['2026-05-03T04:01:00Z', 'overdue', 1],
  ] as const) {
    app.setNow(now)
    const { instalments: all, pay: asked } = await show()
    expect(all[2], now).toMatchObject({ state, daysOverdue: days, openCents: 800_00 })
    expect(asked?.due).toEqual(state === 'partly' ? null : { amountCents: 800_00, count: 1 })
  }
})

test('limits a card payment to the open amount except the deposit, and a deposit to exactly its open part [PLAN-27, BANK-07]', async () => {
  const app = await paymentApp({ env: { CARD_FEE_PERCENT: '0' } })
  const people = await makePlan(app)
  const { add, begin, id, owner, pay, rowOf } = tools(app, people)
  const checkout = (amount: number, paymentType: 'rent' | 'deposit' = 'rent') =>
    app.checkout(people.tenant, {
      amount,
      paymentType,
      applicationId: id,
      creditCardFee: 0,
      totalAmount: amount,
    })
  await expect(checkout(2500_01)).rejects.toMatchObject(conflict('Only $2,500.00 is still to be paid.'))
  await expect(checkout(499_99, 'deposit')).rejects.toMatchObject(fieldAt('amount'))
  await checkout(500_00, 'deposit')
  await pay(200_00, 'deposit')
  await expect(checkout(500_00, 'deposit')).rejects.toMatchObject(fieldAt('amount'))
  // Overpaid rent also fills the deposit.
  await pay(2600_00)
  await expect(checkout(1_00)).rejects.toMatchObject(conflict('Only $0.00 is still to be paid.'))
  await checkout(200_00, 'deposit')
  await add(100_00)
  // A postponed part of the deposit can be paid alone, or together with the rest.
  const deposit = await rowOf('Security deposit')
  expect(deposit.openCents).toBe(300_00)
  const later = { dueDate: '2026-04-01', amountCents: 100_00, reason: 'Asked for it' }
  await owner.plans.postpone({ id: deposit.id, ...later })
  await expect(checkout(100_00, 'deposit')).rejects.toMatchObject(fieldAt('amount'))
  await checkout(200_00, 'deposit')
  await checkout(300_00, 'deposit')
  await begin(300_00, 'deposit')
  await expect(checkout(300_00, 'deposit')).rejects.toMatchObject(
    conflict('A payment of $300.00 is on its way already.'),
  )
})

test('deposit and rent of a plan can be paid in one checkout, each as if paid apart [LOOK-80, PLAN-27]', async () => {
  const app = await paymentApp()
  const { id: applicationId, tenant } = await makePlan(app)
  const { pay } = await app.as(tenant).plans.show({ applicationId })
  expect(pay?.depositAndRent).toEqual({ depositCents: 500_00, rentCents: 1000_00 })
  const checkout = (amount: number, rentCents: number) =>
    app.checkout(tenant, { applicationId, amount, rentCents })
  await expect(checkout(500_00, 2500_01)).rejects.toMatchObject(
    conflict('Only $2,500.00 is still to be paid.'),
  )
  await expect(checkout(499_99, 1000_00)).rejects.toMatchObject(fieldAt('amount'))
  const { checkoutSessionId } = await checkout(500_00, 1000_00)
  app.provider.pay(checkoutSessionId)
  await app.provider.deliverDue()
  const after = await app.as(tenant).plans.show({ applicationId })
  expect(after.instalments.map(({ state }) => state)).toEqual(['paid', 'paid', 'upcoming', 'upcoming'])
  expect(after.pay).toMatchObject({ depositAndRent: null, next: { label: 'Payment 2 of 3' } })
  await expect(checkout(500_00, 1000_00)).rejects.toMatchObject(
    conflict('The security deposit has already been paid.'),
  )
})

test('rejects a checkout in its transaction if the amount became too large while it was opened [PLAN-27]', async () => {
  const app = await paymentApp({ env: { CARD_FEE_PERCENT: '0' } })
  const people = await makePlan(app)
  const { id, pay } = tools(app, people)
  // Pays between the first check and the transaction.
  vi.spyOn(app.deps.limits, 'consume').mockImplementation(async limit => {
    if (limit === 'checkoutByUser') await pay(1_00)
  })
  const amount = 2500_00
  const wanted = {
    amount,
    paymentType: 'rent' as const,
    applicationId: id,
    creditCardFee: 0,
    totalAmount: amount,
  }
  await expect(app.checkout(people.tenant, wanted)).rejects.toMatchObject(
    conflict('Only $2,499.00 is still to be paid.'),
  )
  expect(app.deps.db.select().from(payments).all()).toHaveLength(1)
})

test('postpones the open part of an installment, or some of it, and mails the tenant once [PLAN-28, PLAN-31]', async () => {
  const { app, gap, id, mails, owner, pay, rowOf, show, tenant, trail } = await plan()
  await pay(1300_00)
  const { id: second } = await rowOf('Payment 2 of 3')
  const reason = 'New job'
  const moved = await owner.plans.postpone({ id: second, dueDate: '2026-05-20', amountCents: 400_00, reason })
  expect(moved).toEqual(await show())
  expect(rows(moved)).toEqual([
    ['Security deposit', '2026-03-04', 500_00, 'due'],
    ['Payment 1 of 3', '2026-03-04', 0, 'paid'],
    ['Payment 2 of 3', '2026-05-02', 300_00, 'partly'],
    ['Payment 2 of 3', '2026-05-20', 400_00, 'upcoming'],
    ['Payment 3 of 3', '2026-06-15', 500_00, 'upcoming'],
  ])
  const stored = app.deps.db.select().from(installments).all()
  expect(stored.filter(row => row.supersededAt !== null).map(row => row.id)).toEqual([second])
  expect(stored.find(row => row.dueDate === '2026-05-20')).toMatchObject({ reason, position: 2 })
  // The whole open part; what was paid stays at the old date.
  const { id: rest } = await rowOf('Payment 2 of 3')
  await owner.plans.postpone({ id: rest, dueDate: '2026-07-05', reason })
  expect(rows(await show()).slice(2)).toEqual([
    ['Payment 2 of 3', '2026-05-02', 0, 'paid'],
    ['Payment 2 of 3', '2026-05-20', 400_00, 'upcoming'],
    ['Payment 3 of 3', '2026-06-15', 500_00, 'upcoming'],
    ['Payment 2 of 3', '2026-07-05', 300_00, 'upcoming'],
  ])
  expect(gap()).toBe(0)
  const event = { kind: 'plan.postponed', label: 'Payment 2 of 3', from: '2026-05-02', reason }
  expect(trail()).toEqual([
    { ...event, instalmentId: second, amountCents: 400_00, to: '2026-05-20' },
    { ...event, instalmentId: rest, amountCents: 300_00, to: '2026-07-05' },
  ])
  const [mail, ...others] = mails()
  expect(others).toHaveLength(1)
  const sent = await composeMail(app.deps, noMailSources, mail ?? expect.fail())
  expect(sent.subject).toBe('Your payment plan has changed')
  expect(sent.text).toContain('Payment 2 of 3: $400.00 is now due on May 20, 2026.')
  expect(sent.text).toContain('$1,700.00')
  expect(sent.text).not.toContain(reason)
  expect(sent.html).toContain(`/application/${id}`)
  expect(JSON.stringify(await app.as(tenant).plans.show({ applicationId: id }))).not.toContain(reason)
})

test('what was returned beyond what was paid is open in the plan, is due first and can be paid [FIX-33]', async () => {
  const app = await paymentApp({ env: { CARD_FEE_PERCENT: '0' } })
  const { id, owner, show, tenant } = tools(app, await makePlan(app))
  const pay = async (amount: number) => {
    const wanted = { applicationId: id, paymentType: 'rent' as const, amount, creditCardFee: 0 }
    const { checkoutSessionId, id: paymentId } = await app.checkout(tenant, {
      ...wanted,
      totalAmount: amount,
    })
    app.provider.pay(checkoutSessionId)
    await app.provider.deliverDue()
    return app.payment(paymentId).stripeChargeId ?? ''
  }
  const openAndBalance = async () => {
    const { summary } = await owner.charges.list({ applicationId: id })
    return [(await show()).totals.openCents, summary.balanceCents]
  }
  const chargeId = await pay(1000_00)
  await owner.payments.recordReturn({ applicationId: id, kind: 'refund', amount: 300_00, reason: 'x' })
  app.provider.openDispute(chargeId)
  await app.provider.deliverDue()
  expect(await openAndBalance()).toEqual([3300_00, 3300_00])
  const { instalments, pay: offered } = await show()
  expect(instalments[1]).toMatchObject({
    amountCents: 1000_00,
    paidCents: -300_00,
    openCents: 1300_00,
    state: 'due',
  })
  expect(offered).toMatchObject({
    due: { amountCents: 1300_00 },
    depositMaxCents: 500_00,
    otherMaxCents: 2800_00,
  })
  expect((await owner.plans.due({})).totals.dueCents).toBe(1800_00)

  // Waiving takes off the installment alone; what was returned moves on to the next one.
  await owner.plans.waive({ id: instalments[1]?.id ?? '', reason: 'x' })
  expect(rows(await show())).toEqual([
    ['Security deposit', '2026-03-04', 500_00, 'due'],
    ['Payment 1 of 3', '2026-03-04', 0, 'waived'],
    ['Payment 2 of 3', '2026-05-02', 1300_00, 'upcoming'],
    ['Payment 3 of 3', '2026-06-15', 500_00, 'upcoming'],
  ])
  await pay(1800_00)
  expect(await openAndBalance()).toEqual([500_00, 500_00])
})

test('rejects invalid postponements and waivers, and changes nothing [PLAN-28, PLAN-29, PLAN-30]', async () => {
  const { app, begin, id, owner, pay, rowOf } = await plan({ sign: false })
  const first = await rowOf('Payment 1 of 3')
  const second = await rowOf('Payment 2 of 3')
  const good = { id: second.id, dueDate: '2026-05-20', reason: 'New job' }
  const unsigned = conflict('The lease is not signed yet. Change the plan instead.')
  await expect(owner.plans.postpone(good)).rejects.toMatchObject(unsigned)
  await expect(owner.plans.waive(good)).rejects.toMatchObject(unsigned)
  await setSigned(app, id, testNow)
  await pay(1000_00)
  await begin(300_00)
  const before = everyRow(app)
  const refused: [Record<string, unknown>, object][] = [
    [{ dueDate: '2026-05-02' }, fieldAt('dueDate', /after May 2, 2026/)],
    [{ dueDate: '2026-03-03' }, fieldAt('dueDate')],
    [{ dueDate: '2027-03-05' }, fieldAt('dueDate', /up to Mar 4, 2027/)],
    [{ amountCents: 700_01 }, fieldAt('amountCents', /^Only \$700.00 is open.$/)],
    [{ id: first.id }, conflict('This payment was changed meanwhile.')],
    [{ id: 'nothing' }, { code: 'NOT_FOUND' }],
  ]
  for (const [change, error] of refused)
    await expect(owner.plans.postpone({ ...good, ...change }), JSON.stringify(change)).rejects.toMatchObject(
      error,
    )
  for (const wrong of [{ reason: '' }, { reason: 'x'.repeat(501) }, { dueDate: 'soon' }, { amountCents: 0 }])
    await expect(owner.plans.postpone({ ...good, ...wrong })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { issues: [expect.objectContaining({ path: Object.keys(wrong) })] },
    })
  const reason = 'A gift'
  const deposit = (await rowOf('Security deposit')).id
  for (const [waived, error] of [
    [deposit, conflict('The deposit cannot be waived here.')],
    [second.id, conflict('A payment of $300.00 is on its way already.')],
    [first.id, conflict('This payment was changed meanwhile.')],
    ['nothing', { code: 'NOT_FOUND' }],
  ] as const)
    await expect(owner.plans.waive({ id: waived, reason })).rejects.toMatchObject(error)
  expect(everyRow(app)).toEqual(before)
})

test('waiving, postponing and charging a late fee are refused if the amount differs from what the dialog shows [PLAN-30]', async () => {
  const { gap, mails, owner, rowOf, trail } = await plan()
  const { id } = await rowOf('Payment 1 of 3')
  const stale = { id, reason: 'x', seenCents: 100_00 }
  const changed = conflict('This payment was changed meanwhile.')
  await expect(owner.plans.waive(stale)).rejects.toMatchObject(changed)
  await expect(owner.plans.postpone({ ...stale, dueDate: '2026-05-20' })).rejects.toMatchObject(changed)
  expect([trail(), mails(), gap()]).toEqual([[], [], 0])
  await owner.plans.waive({ ...stale, seenCents: (await rowOf('Payment 1 of 3')).openCents })
})

test('applies one of two concurrent changes to an installment [PLAN-30]', async () => {
  const { gap, mails, owner, rowOf, trail } = await plan()
  const changed = conflict('This payment was changed meanwhile.')
  const both = async (...attempts: Promise<unknown>[]) => {
    const [first, second] = await Promise.allSettled(attempts)
    expect(first?.status).toBe('fulfilled')
    expect(second).toMatchObject({ status: 'rejected', reason: changed })
  }
  const { id: one } = await rowOf('Payment 1 of 3')
  const later = { id: one, dueDate: '2026-05-20', amountCents: 100_00, reason: 'New job' }
  await both(owner.plans.postpone(later), owner.plans.postpone(later))
  const { id: two } = await rowOf('Payment 2 of 3')
  await both(
    owner.plans.waive({ id: two, reason: 'A gift' }),
    owner.plans.waive({ id: two, reason: 'A gift' }),
  )
  await expect(owner.plans.postpone({ ...later, id: two })).rejects.toMatchObject(changed)
  expect(trail().map(({ kind }) => kind)).toEqual(['plan.postponed', 'plan.waived'])
  expect(mails()).toHaveLength(2)
  expect(gap()).toBe(0)
})

test('waives the open part with a charge that cannot be voided by hand, and keeps what is paid [PLAN-29, PLAN-31]', async () => {
  const { app, gap, id, mails, owner, pay, rowOf, show, trail } = await plan()
  const { payment } = await pay(1400_00)
  const second = await rowOf('Payment 2 of 3')
  const answer = await owner.plans.waive({ id: second.id, reason: 'A gift' })
  expect(answer).toEqual(await show())
  expect(await rowOf('Payment 2 of 3')).toMatchObject({
    id: second.id,
    amountCents: 400_00,
    paidCents: 400_00,
    openCents: 0,
    state: 'waived',
  })
  const { charges: listed, summary } = await owner.charges.list({ applicationId: id })
  const waiver = listed.find(({ source }) => source === 'plan')
  expect(waiver).toMatchObject({ kind: 'adjustment', label: 'Waived: Payment 2 of 3', amountCents: -600_00 })
  expect(summary.owedCents).toBe(2400_00)
  await expect(owner.charges.void({ chargeId: waiver?.id ?? '', reason: 'No' })).rejects.toMatchObject(
    conflict('This charge is part of the payment plan.'),
  )
  const [mail, ...others] = mails()
  expect(others).toEqual([])
  const sent = await composeMail(app.deps, noMailSources, mail ?? expect.fail())
  expect(sent).toMatchObject({ subject: 'Your payment plan has changed' })
  expect(sent.text).toContain('Payment 2 of 3: $600.00 was waived. You do not have to pay it.')
  expect(trail()).toMatchObject([{ kind: 'plan.waived', chargeId: waiver?.id, amountCents: 600_00 }])
  // The payment is removed, and the reopened part is waived too.
  await owner.payments.remove({ paymentId: payment.id })
  expect(await rowOf('Payment 2 of 3')).toMatchObject({ openCents: 400_00, state: 'upcoming' })
  await owner.plans.waive({ id: second.id, reason: 'All of it' })
  expect(await rowOf('Payment 2 of 3')).toMatchObject({ amountCents: 0, state: 'waived' })
  expect(gap()).toBe(0)
  expect((await show()).totals.openCents).toBe(2000_00)
})

test('removes a waiver along with its voided charge, reduced tax or replaced lease [PLAN-29]', async () => {
  const app = await testApp()
  const admin = await app.makeAdmin()
  await app.as(admin).chargeRules.createTax(buildTaxRule({ basisPoints: 1000, onRent: false }))
  const { add, gap, id, owner, rowOf, show } = tools(app, await makePlan(app))
  const owed = async () => (await owner.charges.list({ applicationId: id })).summary.owedCents - 3000_00
  const undo = (chargeId: string) => owner.charges.void({ chargeId, reason: 'A mistake' })
  const { charge: lamp } = await add(100_00, { taxable: true })
  const { charge: chair } = await add(50_00, { label: 'Chair', taxable: true })
  const tax = (await show()).instalments.find(({ label }) => label.startsWith('State tax'))
  for (const row of [tax, await rowOf('Lamp')])
    await owner.plans.waive({ id: row?.id ?? '', reason: 'A gift' })
  expect([await owed(), gap()]).toEqual([50_00, 0])
  await undo(chair.id)
  expect([await owed(), gap()]).toEqual([0, 0])
  expect((await show()).totals.openCents).toBe(3000_00)
  await undo(lamp.id)
  expect([await owed(), gap()]).toEqual([0, 0])
  // Waivers of the lease's installments are removed with the lease.
  await owner.plans.waive({ id: (await rowOf('Payment 1 of 3')).id, reason: 'A gift' })
  expect(await owed()).toBe(-1000_00)
  await owner.leases.adminRemove({ id })
  const { charges: left, summary } = await owner.charges.list({ applicationId: id })
  expect(summary.owedCents).toBe(0)
  expect(left.every(charge => 'voidedAt' in charge && charge.voidedAt !== null)).toBe(true)
  const { faults } = await verifyStore(app.deps.config, () => {})
  // The lease has no file, because it was signed directly in the database.
  expect(faults.filter(fault => !fault.includes('signed leases without their file'))).toEqual([])
})

test('a waived charge that is voided after its plan was removed leaves no credit [PLAN-29]', async () => {
  const app = await testApp()
  const { add, id, owner, rowOf } = tools(app, await makePlan(app))
  const { charge } = await add(100_00)
  await owner.plans.waive({ id: (await rowOf('Lamp')).id, reason: 'A gift' })
  await owner.leases.adminRemove({ id })
  await owner.leases.generate({ applicationId: id, rentalAmount: 2500, depositAmount: 500 })
  await owner.charges.void({ chargeId: charge.id, reason: 'A mistake' })
  const { charges, summary } = await owner.charges.list({ applicationId: id })
  const labels = charges.filter(one => !('voidedAt' in one && one.voidedAt)).map(({ label }) => label)
  expect(labels).toEqual(['Rent', 'Security deposit'])
  expect(summary.owedCents).toBe(3000_00)
})

test('proposes a late fee after the grace period, which only the owner can charge, once [PLAN-32, PLAN-33, PLAN-34]', async () => {
  const { add, app, id, mails, owner, pay, rowOf, show, tenant, trail } = await plan({
    lateFee: fixedLateFee,
  })
  const first = await rowOf('Payment 1 of 3')
  const none = conflict('No late fee is proposed for this payment.')
  await pay(400_00)
  // Not yet: the fifth day is the last day of the grace period.
  app.setNow('2026-03-09T17:00:00Z')
  expect(await rowOf('Payment 1 of 3')).toMatchObject({ daysOverdue: 5, lateFee: null })
  await expect(owner.plans.chargeLateFee({ id: first.id })).rejects.toMatchObject(none)
  app.setNow('2026-03-10T17:00:00Z')
  expect((await show()).instalments.map(({ label, lateFee }) => [label, lateFee])).toEqual([
    ['Security deposit', null],
    ['Payment 1 of 3', { amountCents: 50_00 }],
    ['Payment 2 of 3', null],
    ['Payment 3 of 3', null],
  ])
  const { instalments: seen } = await app.as(tenant).plans.show({ applicationId: id })
  expect(seen.every(({ lateFee }) => lateFee === null)).toBe(true)
  await expect(owner.plans.chargeLateFee({ id: first.id, amountCents: 50_01 })).rejects.toMatchObject(
    fieldAt('amountCents', /\$50.00/),
  )
  const [charged, again] = await Promise.allSettled([
    owner.plans.chargeLateFee({ id: first.id, amountCents: 30_00 }),
    owner.plans.dismissLateFee({ id: first.id }),
  ])
  const decided = conflict('A late fee for this payment has been decided already.')
  expect(again).toMatchObject({ status: 'rejected', reason: decided })
  expect(charged).toMatchObject({ status: 'fulfilled', value: await show() })
  const fee = await rowOf('Late fee: Payment 1 of 3')
  expect(fee).toMatchObject({ kind: 'charge', amountCents: 30_00, dueDate: '2026-03-17', lateFee: null })
  expect(mails().map(({ kind, props }) => [kind, props.label])).toEqual([
    ['charge-added', 'Late fee: Payment 1 of 3'],
  ])
  expect(trail()).toMatchObject([
    { kind: 'plan.late_fee_charged', instalmentId: first.id, amountCents: 30_00 },
  ])
  // Both parts of a postponed installment keep the decision; the fee can be voided like any later charge.
  await owner.plans.postpone({ id: first.id, dueDate: '2026-03-12', amountCents: 100_00, reason: 'Asked' })
  app.setNow('2026-03-30T17:00:00Z')
  const parts = (await show()).instalments.filter(({ label }) => label === 'Payment 1 of 3')
  expect(parts.map(({ openCents, state }) => [openCents, state])).toEqual([
    [500_00, 'overdue'],
    [100_00, 'overdue'],
  ])
  for (const { id } of parts) await expect(owner.plans.dismissLateFee({ id })).rejects.toMatchObject(decided)
  await expect(owner.plans.chargeLateFee({ id: first.id })).rejects.toMatchObject(
    conflict('This payment was changed meanwhile.'),
  )
  const chargeId = app.deps.db.select().from(lateFees).all()[0]?.chargeId ?? ''
  await owner.charges.void({ chargeId, reason: 'Forgiven' })
  expect((await show()).instalments.some(({ label }) => label.startsWith('Late fee'))).toBe(false)
  // A later charge never has a late fee, and a dismissed late fee is not proposed again.
  await add(10_00)
  app.setNow('2026-05-10T17:00:00Z')
  const second = await rowOf('Payment 2 of 3')
  expect(second.lateFee).toEqual({ amountCents: 50_00 })
  expect(await owner.plans.dismissLateFee({ id: second.id })).toEqual(await show())
  expect(await rowOf('Payment 2 of 3')).toMatchObject({ state: 'overdue', lateFee: null })
  expect(await rowOf('Lamp')).toMatchObject({ state: 'overdue', lateFee: null })
})

test('a declined application has nothing to pay, change or charge; a deleted one is not found [PLAN-41]', async () => {
  const { app, id, owner, rowOf, show, tenant } = await plan({ lateFee: fixedLateFee })
  const row = await rowOf('Payment 1 of 3')
  await owner.applications.adminSetStatus({ id, status: 'rejected' })
  app.setNow('2026-04-10T17:00:00Z')
  expect(await show()).toMatchObject({ plan: { kind: 'custom' }, pay: null })
  expect((await rowOf('Payment 1 of 3')).lateFee).toBeNull()
  const declined = conflict('This application was declined. Its payments cannot be changed.')
  const change = { id: row.id, reason: 'A gift' }
  await expect(owner.plans.waive(change)).rejects.toMatchObject(declined)
  await expect(owner.plans.postpone({ ...change, dueDate: '2026-05-20' })).rejects.toMatchObject(declined)
  await expect(owner.plans.chargeLateFee(change)).rejects.toMatchObject(
    conflict('No late fee is proposed for this payment.'),
  )
  await owner.applications.adminDelete({ id })
  for (const actor of [owner, app.as(tenant)])
    await expect(actor.plans.show({ applicationId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(owner.plans.waive(change)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a cancelled stay has no plan to pay by, and reinstated it has the one of before [PLAN-41, CHANGE-12, CHANGE-16]', async () => {
  const { app, id, owner, show, tenant } = await plan()
  const before = await show()
  const none = { plan: null, instalments: [], totals: { openCents: 0, paidCents: 0 }, pay: null }
  await owner.cancellations.cancel({ applicationId: id, side: 'owner', reason: 'A pipe burst.' })
  for (const actor of [owner, app.as(tenant)])
    expect(await actor.plans.show({ applicationId: id })).toMatchObject(none)
  await owner.applications.adminSetStatus({ id, status: 'approved' })
  expect(await show()).toEqual(before)
})
