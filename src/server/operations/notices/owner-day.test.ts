import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { applications } from '../../../../db/schema.ts'
import { dates, makePending } from '../../../testing/build-application.ts'
import { makeEvent, makeFeed } from '../../../testing/build-calendar.ts'
import { makeLease, signLease } from '../../../testing/build-lease.ts'
import { storePayment, storeSignedPlan } from '../../../testing/build-signed-plan.ts'
import { testApp } from '../../../testing/test-app.ts'
import { ownerDay } from './owner-day.ts'

test('the owner’s day follows each change, keeps overdue payments, and tells what is owed beyond the deposit 30 days ahead [LOOK-70, LOOK-83]', async () => {
  const app = await testApp()
  const { admin, id, tenant } = await makeLease(app)
  const { userId } = tenant
  const day = () => app.as(admin).notices.ownerDay()
  const titles = async () => (await day()).tasks.map(({ title }) => title)
  expect(await titles()).toEqual(['Maya Rivers has not signed the lease yet'])
  expect(ownerDay(app.deps)).toBe(ownerDay(app.deps))

  const { id: pending } = await makePending(app, tenant, {
    ...dates('2026-10-01', '2026-10-20'),
    firstName: 'Mia',
  })
  expect(await day()).toMatchObject({
    taskCount: 2,
    tasks: [
      {
        applicationId: pending,
        kind: 'answer',
        action: 'Decide',
        title: 'Mia Rivers is waiting for your answer',
      },
      { applicationId: id },
    ],
  })
  await app.as(admin).applications.adminSetStatus({ id: pending, status: 'rejected' })
  await signLease(app, tenant, id)
  expect(await titles()).toEqual(['Maya Rivers owes $3,000.00'])
  expect((await day()).figures.toReceiveCents).toBe(3000_00)
  await app.deps.write(tx =>
    storePayment(tx, { userId, applicationId: id, type: 'deposit', amountCents: 500_00 }),
  )
  expect(await titles()).toEqual([])
  const now = app.deps.clock.now()
  app.setNow('2026-05-02T17:00:00.000Z')
  expect(await titles()).toEqual(['Maya Rivers owes $2,500.00'])
  app.setNow(now.toISOString())
  await app.deps.write(tx => storePayment(tx, { userId, applicationId: id, amountCents: 2500_00 }))
  expect(await titles()).toEqual(['Maya Rivers’s booking is ready to confirm'])
  await app.as(admin).applications.adminSetStatus({ id, status: 'completed' })
  expect(await day()).toEqual({
    tasks: [],
    taskCount: 0,
    visits: [],
    staying: '',
    figures: {
      arrival: { applicationId: id, name: 'Maya Rivers', day: 'Jun 1' },
      departure: { applicationId: id, name: 'Maya Rivers', day: 'Jul 1' },
      nights: { booked: 0, all: 31 },
      toReceiveCents: 0,
      notListedCents: 0,
    },
  })

  const number = 'APP-2026-0900'
  const parts: [number, string][] = [
    [1000_00, '2026-03-10'],
    [1000_00, '2026-05-30'],
  ]
  await app.deps.write(tx => storeSignedPlan(tx, { userId, number, parts }))
  expect(await titles()).toEqual([])
  app.setNow('2026-03-10T17:00:00.000Z')
  expect(await titles()).toEqual(['Maya Rivers owes $1,000.00'])
  app.setNow('2026-03-12T17:00:00.000Z')
  expect(await titles()).toEqual(['Maya Rivers is late with $1,000.00'])
  app.setNow('2026-03-20T17:00:00.000Z')
  expect((await day()).tasks).toMatchObject([
    { kind: 'overdue', detail: expect.stringMatching(/ · overdue since Mar 10, 2026$/) },
  ])
  const { notices } = await app.as(admin).notices.list()
  expect(notices.map(({ title }) => title)).toContain(
    `${number}: $1,000.00 has been overdue since Mar 10, 2026`,
  )
})

test('what Due does not list is what each current booking owes beyond its listed payments, even if a stay that ended long ago still owes money [PLAN-35, LOOK-83]', async () => {
  const app = await testApp()
  const [{ userId }, admin] = [await app.makeTenant(), await app.makeAdmin()]
  await app.deps.write(tx => {
    const store = (number: string, parts: [number, string][]) =>
      storeSignedPlan(tx, { userId, number, parts, payments: [{ amountCents: 100_00 }] })
    store('APP-2026-0001', [[1100_00, '2026-06-01']])
    const current = store('APP-2026-0002', [
      [500_00, '2026-09-20'],
      [3000_00, '2027-03-01'],
    ])
    storePayment(tx, {
      userId,
      applicationId: current,
      amountCents: 150_00,
      method: 'card',
      status: 'processing',
    })
    const stay = { stayStartDate: '2027-03-05', stayEndDate: '2027-04-05' }
    tx.update(applications).set(stay).where(eq(applications.id, current)).run()
  })
  const figures = async () => (await app.as(admin).notices.ownerDay()).figures
  // Both stays are current, with $1,400 listed.
  app.setNow('2026-09-28T17:00:00.000Z')
  expect(await figures()).toMatchObject({ toReceiveCents: 4400_00, notListedCents: 3000_00 })
  const { totals } = await app.as(admin).plans.due({})
  expect(totals).toEqual({ overdueCents: 1250_00, dueCents: 0, next30Cents: 0, onItsWayCents: 150_00 })
  app.setNow('2026-11-01T17:00:00.000Z')
  expect(await figures()).toMatchObject({ toReceiveCents: 3400_00, notListedCents: 3000_00 })
})

test("shows the week's arrivals and departures of this site’s guests and of other platforms’", async () => {
  const app = await testApp()
  const { admin, id } = await makeLease(app)
  app.setNow('2026-05-27T17:00:00.000Z')
  const feedId = await makeFeed(app)
  const eventId = await makeEvent(app, feedId, { start: '2026-05-29', end: '2026-06-01' })
  await makeEvent(app, feedId, { start: '2026-05-27', end: '2026-05-28' }, { kind: 'block' })
  const { figures, visits } = await app.as(admin).notices.ownerDay()
  expect(figures).toMatchObject({ arrival: { name: 'A guest of Airbnb' }, nights: { booked: 3, all: 31 } })
  const airbnb = { applicationId: null, detail: '3 nights' }
  expect(visits).toEqual([
    { ...airbnb, id: `${eventId} arrives`, day: 'Fri, May 29', title: 'A guest of Airbnb arrives' },
    { ...airbnb, id: `${eventId} leaves`, day: 'Mon, Jun 1', title: 'A guest of Airbnb leaves' },
    {
      id: `${id} arrives`,
      applicationId: id,
      day: 'Mon, Jun 1',
      title: 'Maya Rivers arrives',
      detail: '30 nights · 1 guest',
    },
  ])
  app.setNow('2026-07-01T17:00:00.000Z')
  expect((await app.as(admin).notices.ownerDay()).visits).toMatchObject([
    { day: 'Today', title: 'Maya Rivers leaves' },
  ])
})
