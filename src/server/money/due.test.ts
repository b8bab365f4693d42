import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { applications, lateFees, leases, paymentPlans } from '../../../db/schema.ts'
import { paymentStatuses, paymentTypes, returnTypes } from '../../domain/money/ledger.ts'
import { tokenOf } from '../../testing/build-lease.ts'
import { type SignedPlan, storeSignedPlan } from '../../testing/build-signed-plan.ts'
import { testRandom } from '../../testing/random.ts'
import { testApp } from '../../testing/test-app.ts'
import { selectRecords } from '../bookings/records.ts'
import { planStateOf } from './records.ts'
import { unpaidPlans } from './unpaid-plans.ts'

// Today is March 4, 2026.
async function ownersApp() {
  const app = await testApp()
  const owner = await app.makeAdmin()
  const tenant = await app.makeTenant()
  let number = 0
  const store = (plan: Omit<SignedPlan, 'userId' | 'number'>) =>
    app.deps.write(tx =>
      storeSignedPlan(tx, {
        userId: tenant.userId,
        number: `APP-2026-${String(++number).padStart(4, '0')}`,
        ...plan,
      }),
    )
  return { app, owner, tenant, store, due: app.as(owner).plans.due }
}

test('lists what is due of signed bookings by date, with totals over all of it [PLAN-35, LOOK-85]', async () => {
  const { app, due, owner, store } = await ownersApp()
  await store({
    deposit: 500_00,
    lateFee: { kind: 'percent', cents: 0, basisPoints: 500, graceDays: 5 },
    parts: [
      [1000_00, '2026-02-20'],
      [1000_00, '2026-03-04'],
      [1000_00, '2026-06-01'],
    ],
    signedAt: '2026-02-10T17:00:00.000Z',
    payments: [
      { amountCents: 500_00, type: 'deposit' },
      { amountCents: 400_00 },
      { amountCents: 150_00, status: 'processing', method: 'card' },
    ],
  })
  await store({ parts: [[700_00, '2026-03-05']], payments: [{ amountCents: 100_00 }] })
  await store({ parts: [[900_00, '2026-04-03']] })
  const gone = [
    await store({ parts: [[1_00, '2026-03-01']], status: 'rejected' }),
    await store({ parts: [[2_00, '2026-03-01']] }),
    await store({ parts: [[3_00, '2026-03-01']], payments: [{ amountCents: 3_00 }] }),
    await store({ parts: [[4_00, '2026-04-04']] }),
    await store({ parts: [[5_00, '2026-03-01']] }),
  ]
  const deletedAt = '2026-03-03T00:00:00.000Z'
  await app.deps.write(tx =>
    tx
      .update(applications)
      .set({ deletedAt })
      .where(eq(applications.id, gone[1] ?? ''))
      .run(),
  )
  const unsigned = { signedAt: null, signedBy: null }
  await app.deps.write(tx =>
    tx
      .update(leases)
      .set(unsigned)
      .where(eq(leases.applicationId, gone[4] ?? ''))
      .run(),
  )

  const all = await due()
  expect(
    all.instalments.map(row => [row.dueDate, row.applicationNumber, row.state, row.openCents, row.lateFee]),
  ).toEqual([
    ['2026-02-20', 'APP-2026-0001', 'overdue', 450_00, { amountCents: 22_50 }],
    ['2026-03-04', 'APP-2026-0001', 'due', 1000_00, null],
    ['2026-03-05', 'APP-2026-0002', 'partly', 600_00, null],
    ['2026-04-03', 'APP-2026-0003', 'upcoming', 900_00, null],
  ])
  expect(all.totals).toEqual({
    overdueCents: 450_00,
    dueCents: 1000_00,
    next30Cents: 1500_00,
    onItsWayCents: 150_00,
  })
  // What is overdue is in its row alone.
  expect(all.notices).toEqual([])
  const token = await tokenOf(app, owner)
  const get = async (query: string) => {
    const url = `/api/plan/admin/due?${query}`
    const response = await app.http.inject({ url, headers: { authorization: `Bearer ${token}` } })
    return { status: response.statusCode, body: response.json() }
  }
  const page = await get('state=upcoming&page=2&limit=1')
  expect(page).toMatchObject({ status: 200, body: { total: 2, totals: all.totals } })
  expect(page.body.instalments).toMatchObject([{ applicationNumber: 'APP-2026-0003' }])
  for (const query of ['state=late', 'page=0', 'limit=201', 'limit=x'])
    expect(await get(query), query).toMatchObject({ status: 400 })
})

test('the list proposes a late fee until one is charged or dismissed [PLAN-35]', async () => {
  const { app, due, owner, store } = await ownersApp()
  await store({
    lateFee: { kind: 'percent', cents: 0, basisPoints: 500, graceDays: 2 },
    parts: [[1000_00, '2026-03-01']],
  })
  const [row] = (await due()).instalments
  expect(row).toMatchObject({ daysOverdue: 3, lateFee: { amountCents: 50_00 } })
  const by = owner.userId
  await app.deps.write(tx =>
    tx
      .insert(lateFees)
      .values({ installmentId: row?.id ?? '', at: '2026-03-04T17:00:00.000Z', by })
      .run(),
  )
  expect((await due()).instalments).toMatchObject([{ lateFee: null }])
})

test('the bulk read of plans agrees with each single plan, whatever was paid [PLAN-35]', async () => {
  const { app, store } = await ownersApp()
  const { below, pick } = testRandom()
  const cents = () => 100 * (1 + below(60))
  const anyPayment = () => {
    const type = pick(paymentTypes)
    // Returns and deductions by hand have always succeeded.
    const isByHand = returnTypes.includes(type)
    const anyStatus = pick(['succeeded', 'succeeded', 'processing', ...paymentStatuses] as const)
    return {
      type,
      status: isByHand ? ('succeeded' as const) : anyStatus,
      amountCents: (isByHand ? -1 : 1) * cents(),
      voidedAt: pick([null, null, '2026-03-02T17:00:00.000Z']),
    }
  }
  await store({ parts: [[1_00, '2026-03-01']], payments: [{ amountCents: 1_00 }] })
  for (let i = 0; i < 60; i++)
    await store({
      deposit: pick([0, 30_00]),
      parts: Array.from({ length: 1 + below(4) }, () => [
        cents(),
        pick([null, '2026-02-01', '2026-03-04', '2026-03-20', '2026-05-01']),
        { supersededAt: pick([null, null, null, '2026-03-02T17:00:00.000Z']) },
      ]),
      payments: Array.from({ length: below(6) }, anyPayment),
    })
  const { db } = app.deps
  const found = new Map(unpaidPlans(app.deps).map(plan => [plan.applicationId, plan.installments]))
  let unpaid = 0
  for (const record of selectRecords(db).all()) {
    const { installments = [] } = planStateOf(app.deps, db, record) ?? {}
    const hasOpen = installments.some(({ state }) => state !== 'paid' && state !== 'waived')
    if (hasOpen) unpaid++
    if (hasOpen) expect(found.has(record.application.id)).toBe(true)
    if (found.has(record.application.id))
      expect(installments).toMatchObject(found.get(record.application.id) ?? [])
  }
  expect(unpaid).toBeGreaterThan(10)
  expect(found.size).toBeLessThan(61)
})

test('a read inside a transaction sees its writes, and nothing of them after a rollback [PLAN-35]', async () => {
  const { app, store } = await ownersApp()
  await store({ parts: [[1_00, '2026-03-01']] })
  const { deps } = app
  const count = () => unpaidPlans(deps).length
  expect(count()).toBe(1)
  const [plan] = deps.db.select().from(paymentPlans).all()
  const undone = deps.write(tx => {
    tx.delete(paymentPlans)
      .where(eq(paymentPlans.applicationId, plan?.applicationId ?? ''))
      .run()
    expect(count()).toBe(0)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(count()).toBe(1)
})
