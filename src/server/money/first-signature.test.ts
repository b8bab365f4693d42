import { expect, test } from 'vitest'
import type { SignedIn } from '../../domain/accounts/access.ts'
import { addDays } from '../../domain/common/dates.ts'
import type { CustomRow } from '../../domain/money/payment-plan.ts'
import { makeLease, scanPdf, signLease } from '../../testing/build-lease.ts'
import { buildManualPayment } from '../../testing/build-payment.ts'
import { choosePlan, fixedLateFee, makePlan } from '../../testing/build-plan.ts'
import { proven, testApp } from '../../testing/test-app.ts'
import { uploadSignedAddendum } from '../leases/addenda/upload.ts'
import { uploadSignedLease } from '../leases/upload.ts'
import { liveInstallments } from './records.ts'

const firstDay = '2026-03-04'
const asked = (message: string) => ({ code: 'CONFLICT', message })
const askOwner = asked('Please ask Seaglass Shore Rentals to remove it.')

/** The rent in a payment due on the 11th day and one due on the 61st, so that nothing is due at signing. */
const laterRows: readonly CustomRow[] = [
  { amountCents: 1000_00, dueDate: addDays(firstDay, 10) },
  { amountCents: 1500_00, dueDate: addDays(firstDay, 60) },
]

/** A June lease with a late fee, uploaded by its tenant on March 4. */
async function uploaded({ rows, deposit = true }: { rows?: readonly CustomRow[]; deposit?: boolean } = {}) {
  const app = await testApp()
  const people = deposit
    ? await makePlan(app, { sign: false, lateFee: fixedLateFee, ...(rows && { rows }) })
    : await withoutDeposit(app, rows)
  const { admin, id, tenant } = people
  const owner = app.as(admin)
  const upload = (actor: SignedIn = tenant) =>
    uploadSignedLease(app.deps, proven(app.deps, actor), actor.role, {
      applicationId: id,
      content: scanPdf(),
      name: 'scan.pdf',
    })
  await upload()
  return {
    app,
    admin,
    id,
    owner,
    tenant,
    upload,
    day: (day: number) => app.setNow(`${addDays(firstDay, day)}T17:00:00.000Z`),
    remove: (actor: SignedIn = tenant) => app.as(actor).leases.removeSigned({ applicationId: id }),
    canRemove: async () => (await app.as(tenant).leases.status()).canRemoveSignedLease,
    due: async () =>
      (await owner.plans.due({})).instalments.map(({ daysOverdue, dueDate, label }) => [
        label,
        dueDate,
        daysOverdue,
      ]),
    rowOf: async (label: string) =>
      (await owner.plans.show({ applicationId: id })).instalments.find(row => row.label === label) ??
      expect.fail(`no ${label}`),
  }
}

async function withoutDeposit(
  app: Awaited<ReturnType<typeof testApp>>,
  rows: readonly CustomRow[] = laterRows,
) {
  const lease = await makeLease(app)
  await app.as(lease.admin).leases.generate({ applicationId: lease.id, depositAmount: 0 })
  await choosePlan(app, lease.admin, lease.id, { rows, lateFee: fixedLateFee })
  return lease
}

test('a lease that was signed while the clock was far behind is due from its generation on [FIX-34]', async () => {
  const app = await testApp()
  const { admin, id, tenant } = await makeLease(app)
  await choosePlan(app, admin, id, { lateFee: fixedLateFee })
  app.setNow('2020-01-01T00:05:00.000Z')
  await signLease(app, tenant, id)
  app.setNow(`${addDays(firstDay, 10)}T17:00:00.000Z`)
  const overdue = async () =>
    (await app.as(admin).notices.list()).notices.filter(({ id }) => id.startsWith('plan-overdue'))
  expect(await overdue()).toMatchObject([{ title: expect.stringContaining('since Mar 4, 2026') }])
  const { instalments } = await app.as(admin).plans.show({ applicationId: id })
  expect(instalments.find(({ state }) => state === 'overdue')).toMatchObject({
    dueDate: firstDay,
    daysOverdue: 10,
  })
})

test('a lease that was generated while the clock was ahead is due from its signature on [FIX-34]', async () => {
  const app = await testApp()
  const { admin, id, tenant } = await makeLease(app)
  app.setNow(`${addDays(firstDay, 20)}T17:00:00.000Z`)
  await app.as(admin).leases.generate({ applicationId: id })
  await choosePlan(app, admin, id, { lateFee: fixedLateFee })
  app.setNow(`${firstDay}T17:00:00.000Z`)
  await signLease(app, tenant, id)
  app.setNow(`${addDays(firstDay, 10)}T17:00:00.000Z`)
  const { notices } = await app.as(admin).notices.list()
  expect(notices.filter(({ id }) => id.startsWith('plan-overdue'))).toMatchObject([
    { title: expect.stringContaining('since Mar 4, 2026') },
  ])
  const overdue = async () =>
    (await app.as(admin).plans.show({ applicationId: id })).instalments.find(
      ({ state }) => state === 'overdue',
    )
  expect(await overdue()).toMatchObject({ dueDate: firstDay, daysOverdue: 10 })
  app.setNow(`${addDays(firstDay, 30)}T17:00:00.000Z`)
  expect(await overdue()).toMatchObject({ dueDate: firstDay, daysOverdue: 30 })
})

test('refuses the tenant who removes the scan when payments are overdue; they and their late fees stay [FIX-31]', async () => {
  const { canRemove, day, due, owner, remove, rowOf } = await uploaded()
  day(40)
  const overdue = [
    ['Security deposit', firstDay, 40],
    ['Payment 1 of 3', firstDay, 40],
    ['Payment 2 of 3', '2026-05-02', 0],
  ]
  expect(await due()).toEqual(overdue)
  expect(await canRemove()).toBe(false)
  await expect(remove()).rejects.toMatchObject(askOwner)
  expect(await due()).toEqual(overdue)
  await owner.plans.chargeLateFee({ id: (await rowOf('Payment 1 of 3')).id })
})

test('refuses the tenant who has paid, or whose stay has begun without a plan, and allows it before [FIX-31]', async () => {
  const paid = await uploaded({ deposit: false })
  await paid.remove()
  await paid.upload()
  const { payment } = await paid.owner.payments.addManual(buildManualPayment(paid.id, { amount: 100_00 }))
  await expect(paid.remove()).rejects.toMatchObject(askOwner)
  await paid.owner.payments.remove({ paymentId: payment.id })
  expect(await paid.canRemove()).toBe(true)

  const app = await testApp()
  const { id, tenant } = await makeLease(app)
  await uploadSignedLease(app.deps, tenant, 'tenant', {
    applicationId: id,
    content: scanPdf(),
    name: 'scan.pdf',
  })
  const canRemove = async () => (await app.as(tenant).leases.status()).canRemoveSignedLease
  app.setNow('2026-05-31T17:00:00.000Z')
  expect(await canRemove()).toBe(true)
  app.setNow('2026-06-01T17:00:00.000Z')
  expect(await canRemove()).toBe(false)
})

test('refuses the eleventh removal of one tenant, because every scan is kept [FIX-31]', async () => {
  const { admin, remove, upload } = await uploaded({ deposit: false })
  for (let removal = 1; removal <= 10; removal++) {
    await remove()
    await upload()
  }
  await expect(remove()).rejects.toMatchObject(askOwner)
  await remove(admin)
})

test.each(['the tenant', 'the owner', 'the owner after a signature in the app'])(
  'what is due counts from the first signature after %s removed it [FIX-31]',
  async who => {
    const { admin, app, day, due, id, remove, tenant, upload } = await uploaded({ deposit: false })
    if (who === 'the tenant') {
      day(5)
      await remove()
    } else if (who === 'the owner') {
      day(40)
      await remove(admin)
    } else {
      await remove(admin)
      await signLease(app, tenant, id)
      day(40)
      await remove(admin)
    }
    expect(await due()).toEqual([])
    // The tenant's own change of the text does not begin a new agreement.
    const { application } = await app.as(tenant).applications.get({ id })
    await app.as(tenant).applications.update({ ...application, firstName: 'Zoe' })
    day(41)
    await upload()
    expect(await due()).toEqual([
      ['Payment 1 of 2', addDays(firstDay, 10), 31],
      ['Payment 2 of 2', addDays(firstDay, 60), 0],
    ])
    await remove(admin)
    day(42)
    await signLease(app, tenant, id)
    expect((await due())[0]).toEqual(['Payment 1 of 2', addDays(firstDay, 10), 32])
    await expect(remove()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  },
)

type Uploaded = Awaited<ReturnType<typeof uploaded>>
const changes: [string, (lease: Uploaded) => Promise<unknown>][] = [
  ['generates the lease anew', ({ id, owner }) => owner.leases.generate({ applicationId: id })],
  ['adds a deposit', ({ id, owner }) => owner.applications.adminEdit({ id, depositAmount: 100 })],
  [
    'chooses another plan',
    ({ id, owner }) => owner.leases.changePlan({ applicationId: id, version: 1, kind: 'full' }),
  ],
]
test.each(changes)(
  'a lease counts from its own first signature after the owner %s [FIX-31]',
  async (_, change) => {
    const lease = await uploaded({ deposit: false })
    const { admin, day, due, remove, upload } = lease
    day(40)
    await remove(admin)
    await change(lease)
    day(70)
    await upload()
    expect((await due())[0]?.slice(1)).toEqual([addDays(firstDay, 70), 0])
  },
)

test('a clock that was ahead at the first signature delays nothing [FIX-31]', async () => {
  const { admin, day, due, remove, upload } = await uploaded({ deposit: false })
  await remove(admin)
  day(400)
  await upload()
  await remove(admin)
  day(20)
  await upload()
  expect((await due())[0]).toEqual(['Payment 1 of 2', addDays(firstDay, 10), 10])
})

test('rent of an addendum that was to be paid before its signature is due on that day [CHANGE-35]', async () => {
  const { app, day, id, owner, tenant } = await uploaded()
  const dueOf = () => liveInstallments(app.deps.db, id).map(row => [row.id, row.dueDate])
  const before = new Set(dueOf().map(([known]) => known))
  const { addendum } = await owner.addenda.make({
    applicationId: id,
    rentalAmount: 3000,
    rentDue: [
      { amountCents: 200_00, dueDate: addDays(firstDay, 1) },
      { amountCents: 300_00, dueDate: addDays(firstDay, 20) },
    ],
  })
  day(11)
  const scan = { id: addendum.id, content: scanPdf(), name: 'a.pdf' }
  await uploadSignedAddendum(app.deps, proven(app.deps, tenant), scan)
  const added = dueOf().filter(([known]) => !before.has(known ?? ''))
  expect(added.map(([, dueDate]) => dueDate)).toEqual([addDays(firstDay, 11), addDays(firstDay, 20)])
})
