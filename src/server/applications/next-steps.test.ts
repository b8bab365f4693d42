import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { applications, refunds } from '../../../db/schema.ts'
import { nextStepLabel } from '../../domain/bookings/next-step.ts'
import { dates, makeBooking, makePending } from '../../testing/build-application.ts'
import { makeLease, signLease } from '../../testing/build-lease.ts'
import { makePlan } from '../../testing/build-plan.ts'
import { storePayment, storeSignedPlan } from '../../testing/build-signed-plan.ts'
import { testApp } from '../../testing/test-app.ts'

test('the list and the application show the next step, from lease, ledger and payment plan [LOOK-17]', async () => {
  const app = await testApp()
  const { admin, id, tenant } = await makeLease(app)
  const { userId } = tenant
  const asOwner = app.as(admin).applications
  const { id: pending } = await makePending(app, tenant, dates('2026-10-01', '2026-10-20'))
  const { id: booked } = await makeBooking(app, tenant, admin, dates('2026-08-01', '2026-09-01'))
  const late = await app.deps.write(tx =>
    storeSignedPlan(tx, {
      userId,
      number: 'APP-2026-0900',
      deposit: 500_00,
      parts: [
        [1000_00, '2026-03-04'],
        [1000_00, '2026-06-01'],
      ],
    }),
  )
  const steps = async () => {
    const { applications: listed } = await asOwner.adminList({ page: 1, limit: 50 })
    const labels = listed.map(({ id, nextStep }) => [id, nextStep && nextStepLabel(nextStep)] as const)
    const opened = await Promise.all(listed.map(({ id }) => asOwner.adminGet({ id })))
    expect(opened.map(({ application }) => application)).toEqual(listed)
    return Object.fromEntries(labels)
  }
  const { create } = app.as(admin).manualBookings
  const entry = { firstName: 'Ann', lastName: 'Prior', generateLease: false, invite: false }
  const elsewhere = await create({ ...entry, startDate: '2026-11-01', endDate: '2026-11-08' })
  const owing = { startDate: '2026-11-10', endDate: '2026-11-18', rentalAmount: 700 }
  const unpaid = await create({ ...entry, ...owing })
  app.setNow('2026-03-20T17:00:00.000Z')
  expect(await steps()).toEqual({
    [elsewhere.application.id]: 'Confirm booking',
    [unpaid.application.id]: 'Generate lease',
    [pending]: 'Decide',
    [booked]: 'Generate lease',
    [id]: 'Waiting for signature',
    [late]: '$1,500.00 overdue',
  })

  await signLease(app, tenant, id)
  const pay = (amountCents: number, change = {}) =>
    app.deps.write(tx => storePayment(tx, { userId, applicationId: id, amountCents, ...change }))
  await pay(500_00, { type: 'deposit' })
  await pay(1000_00, { method: 'card', status: 'processing', paidAt: null })
  expect(await steps()).toMatchObject({ [id]: '$1,500.00 due before arrival' })
  await pay(2500_00)
  expect(await steps()).toMatchObject({ [id]: 'Confirm booking' })
  // Written directly, as the services reject it: the other stay has the same nights.
  await app.deps.write(tx =>
    tx.update(applications).set({ status: 'completed' }).where(eq(applications.id, id)).run(),
  )
  expect(await steps()).toMatchObject({ [id]: null })
  app.setNow('2026-07-01T17:00:00.000Z')
  expect(await steps()).toMatchObject({ [id]: 'Return $500.00 deposit' })
  const owner = app.as(admin)
  const body = { amountCents: 500_00, enabled: true, ruleId: 'general', since: '2026-01-01' }
  await owner.settings.deposit.save({ version: 0, body })
  const item = { category: 'cleaning' as const, label: 'Oven', amountCents: 185_00 }
  await owner.deposits.addItem({ applicationId: id, ...item })
  expect(await steps()).toMatchObject({ [id]: 'Send statement for $185.00' })
})

test('the next payment of a booking completed with an unsigned lease follows its payment plan [LOOK-17]', async () => {
  const app = await testApp()
  const plan = {
    sign: false,
    rows: [1300_00, 1200_00].map((amountCents, i) => ({
      amountCents,
      dueDate: i ? '2026-06-15' : '2026-05-02',
    })),
  }
  const { admin, id, tenant } = await makePlan(app, plan)
  const owner = app.as(admin)
  await owner.applications.adminSetStatus({ id, status: 'completed' })
  const step = async () => {
    const { nextStep } = (await owner.applications.adminGet({ id })).application
    return nextStep && nextStepLabel(nextStep)
  }
  // The deposit is to be paid at signing.
  expect(await step()).toBe('$3,000.00 owed')
  const paid = { userId: tenant.userId, applicationId: id, type: 'deposit', amountCents: 500_00 } as const
  await app.deps.write(tx => storePayment(tx, paid))
  expect(await step()).toBe('$1,300.00 due May 2, 2026')
  app.setNow('2026-05-02T17:00:00.000Z')
  expect(await step()).toBe('$2,500.00 owed')
})

test('an overdue payment comes before an addendum, for the dashboard as for the application [LOOK-21]', async () => {
  const app = await testApp()
  const { admin, id, tenant } = await makePlan(app)
  await app.as(admin).addenda.make({ applicationId: id, rentalAmount: 2600 })
  const guest = app.as(tenant).applications
  const waiting = async () =>
    [(await guest.get({ id })).application, ...(await guest.status()).applications].map(each =>
      'waiting' in each ? each.waiting?.kind : undefined,
    )
  expect(await waiting()).toEqual(['addendum', 'addendum'])
  app.setNow('2026-03-16T17:00:00.000Z')
  const { totals } = await app.as(tenant).plans.show({ applicationId: id })
  expect(totals.overdueCents).toBeGreaterThan(0)
  expect(await waiting()).toEqual([undefined, undefined])
})

test('a refund that the provider was asked for, and has not answered about, is not overpaid any more [FIX-05, FIX-09, LOOK-17]', async () => {
  const app = await testApp()
  const { admin, id, tenant } = await makeLease(app)
  await signLease(app, tenant, id)
  const { userId } = tenant
  const step = async () => (await app.as(admin).applications.adminGet({ id })).application.nextStep
  const paymentId = await app.deps.write(tx => {
    storePayment(tx, { userId, applicationId: id, type: 'deposit', amountCents: 500_00 })
    return storePayment(tx, { userId, applicationId: id, method: 'card', amountCents: 3100_00 })
  })
  expect(await step()).toEqual({ kind: 'overpaid', amountCents: 600_00 })
  const ask = (totalCents: number) =>
    app.deps.write(tx =>
      tx
        .insert(refunds)
        .values({
          ...{ id: `asked-${totalCents}`, paymentId, totalCents, status: 'requested', purpose: 'refund' },
          createdAt: app.deps.clock.now().toISOString(),
        })
        .run(),
    )
  await ask(200_00)
  expect(await step()).toEqual({ kind: 'overpaid', amountCents: 400_00 })
  await ask(400_00)
  expect(await step()).toEqual({ kind: 'confirm', amountCents: 0 })
})
