import { isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { claims } from '../../../db/schema.ts'
import { makeBooking, makePending } from '../../testing/build-application.ts'
import { calendarSite } from '../../testing/build-calendar.ts'
import { signLease } from '../../testing/build-lease.ts'
import { buildCheckout, buildManualPayment, paymentApp } from '../../testing/build-payment.ts'
import { type TestApp, visitor } from '../../testing/test-app.ts'

const range = { startDate: '2026-05-25', endDate: '2026-08-10' }

test('without held nights calendars, exports and notices are as if there were no addenda [CLAIM-01]', async () => {
  const app = await calendarSite()
  const { admin, tenant } = app
  const { id } = await app.book('2026-06-01', '2026-07-01')
  await app.as(admin).leases.generate({ applicationId: id, rentalAmount: 2500, depositAmount: 500 })
  await signLease(app, tenant, id)
  await app.addExport()
  await app.setTurnover(1)
  const seen = async () => {
    await app.renew()
    return {
      visitor: await app.as(visitor).availability.range(range),
      owner: await app.as(admin).availability.adminRange(range),
      nights: await app.as(admin).bookings.nights(range),
      published: app.published(),
      notices: (await app.as(admin).notices.list()).notices,
    }
  }
  const before = await seen()
  const make = async (change: object) =>
    (await app.as(admin).addenda.make({ applicationId: id, ...change })).addendum.id
  const withdraw = (addendumId: string) => app.as(admin).addenda.withdraw({ addendumId })
  // One that adds no nights holds none.
  const dearer = await make({ rentalAmount: 2600 })
  expect(await seen()).toEqual(before)
  await withdraw(dearer)
  const longer = await make({ leaseEndDate: '2026-07-15', rentalAmount: 2500 })
  expect(await seen()).not.toEqual(before)
  await withdraw(longer)
  expect(await seen()).toEqual(before)
  expect(JSON.stringify([before.visitor, before.owner])).not.toMatch(/claim|Held/)
})

test('a checkout, a payment and a pending application hold no night, and money neither prolongs nor revives what is held [CLAIM-12]', async () => {
  const app = await paymentApp()
  const [tenant, other, admin] = [await app.makeTenant(), await app.makeTenant(), await app.makeAdmin()]
  const dates = { requestedStartDate: '2026-06-01', requestedEndDate: '2026-07-01' }
  const asked = await makePending(app, tenant, dates)
  const open = await app.checkout(tenant, buildCheckout({ applicationId: asked.id }))
  const taken = async () => (await app.as(visitor).availability.range(range)).availability
  expect([await taken(), liveClaims(app)]).toEqual([[], []])
  app.provider.pay(open.checkoutSessionId)
  await app.provider.deliverDue()
  expect([await taken(), liveClaims(app)]).toEqual([[], []])
  const { id } = await makeBooking(app, other, admin, dates)

  await app.as(admin).leases.generate({ applicationId: id, rentalAmount: 2500, depositAmount: 500 })
  await signLease(app, other, id)
  const change = { leaseEndDate: '2026-07-15', rentalAmount: 2500, validUntil: '2026-03-05' }
  await app.as(admin).addenda.make({ applicationId: id, ...change })
  const held = liveClaims(app)
  const pay = () => app.as(admin).payments.addManual(buildManualPayment(id))
  await pay()
  expect(liveClaims(app)).toEqual(held)
  app.setNow('2026-03-06T05:00:00.000Z')
  await pay()
  expect(await taken()).toHaveLength(30)
  app.setNow('2026-03-05T12:00:00.000Z')
  await makePending(app, tenant, { requestedStartDate: '2026-08-01', requestedEndDate: '2026-08-08' })
  app.setNow('2026-03-06T05:00:00.000Z')
  await makeBooking(app, tenant, admin, { requestedStartDate: '2026-07-01', requestedEndDate: '2026-07-08' })
  expect(liveClaims(app)).toEqual([])
})

const liveClaims = ({ deps }: Pick<TestApp, 'deps'>) =>
  deps.db.select().from(claims).where(isNull(claims.endedAt)).all()
