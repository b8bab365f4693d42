import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { calendarConflicts, calendarEvents, outbox } from '../../../../db/schema.ts'
import { calendarSite } from '../../../testing/build-calendar.ts'
import { signLease } from '../../../testing/build-lease.ts'
import { buildOffer, offerPerson, offerToken } from '../../../testing/build-offer.ts'
import { gusEmail, linksOf } from '../../../testing/build-signing.ts'
import { visitor } from '../../../testing/test-app.ts'
import { acceptedIn, acceptedPart } from '../../bookings/calendars/bookable.ts'
import { updateConflicts } from '../../bookings/calendars/conflicts.ts'
import { calendarNotices } from '../../bookings/calendars/notices.ts'

async function site() {
  const app = await calendarSite()
  const { admin, tenant } = app
  const booking = await app.book('2026-06-01', '2026-07-01')
  const terms = { rentalAmount: 2500, depositAmount: 500 }
  await app.as(admin).leases.generate({ applicationId: booking.id, ...terms })
  await signLease(app, tenant, booking.id)
  const make = (input: object = {}) =>
    app.as(admin).addenda.make({
      applicationId: booking.id,
      leaseEndDate: '2026-07-15',
      rentalAmount: 2500,
      ...input,
    })
  const sign = async (addendumId: string) => {
    const { addendumTextSha256, noticeSha256 } = await app.as(tenant).addenda.get({ addendumId })
    const signature = { typedName: 'Maya Rivers', consent: true }
    return app.as(tenant).addenda.sign({ addendumId, addendumTextSha256, noticeSha256, ...signature })
  }
  return { app, booking, make, sign }
}

test('held nights are Blocked in exports, with turnover, and Booked once signed [CLAIM-09]', async () => {
  const { app, make, sign } = await site()
  await app.setTurnover(1)
  await app.addExport()
  const nightsOf = async () => {
    await app.renew()
    return app.published().map(({ end, start, uid }) => [uid.startsWith('block-'), start, end])
  }
  const booked = [false, '2026-05-31', '2026-07-02']
  expect(await nightsOf()).toEqual([booked])
  const { addendum } = await make()
  expect(await nightsOf()).toEqual([booked, [true, '2026-07-01', '2026-07-16']])
  await sign(addendum.id)
  expect(await nightsOf()).toEqual([[false, '2026-05-31', '2026-07-16']])
})

test('an addendum onto nights of its tenant’s own offer or promise is refused, and the offer stays [CHANGE-24, CLAIM-05, CLAIM-33]', async () => {
  const { app, booking, make } = await site()
  const owner = app.as(app.admin)
  const of = { applicationId: booking.id, startDate: '2026-07-10' }
  const { claim } = await owner.offers.make(buildOffer({ ...of, endDate: '2026-07-20' }))
  await expect(make()).rejects.toThrow('These dates are held for Maya Rivers until')
  await expect(make({ leaseEndDate: '2026-07-20' })).rejects.toThrow('Withdraw that offer first.')
  expect((await owner.offers.adminGet({ claimId: claim.id })).claim.state).toBe('open')
  await owner.offers.withdraw({ claimId: claim.id })
  await owner.offers.promise({ ...of, endDate: '2026-07-20', until: '2026-07-01', rentalAmount: 2000 })
  await expect(make()).rejects.toThrow('These dates are promised to Maya Rivers until Jul 1, 2026.')
  expect((await make({ leaseEndDate: '2026-07-10' })).addendum.state).toBe('open')
})

test('of cancelling and a feed’s event on its nights at once, in either order, no double booking is left [CHANGE-11]', async () => {
  for (const isCancelFirst of [true, false]) {
    const { app, booking } = await site()
    const feedId = await app.addFeed('Airbnb')
    const cancel = async () => {
      const form = { applicationId: booking.id, side: 'owner', reason: 'A pipe burst.' } as const
      await app.as(app.admin).cancellations.cancel(form)
    }
    const read = async () => {
      await app.addEvent(feedId, '2026-06-10', '2026-06-12')
      await app.deps.write(tx => updateConflicts(app.deps, tx))
    }
    await Promise.all((isCancelFirst ? [cancel, read] : [read, cancel]).map(run => run()))
    const conflicts = app.deps.db.select().from(calendarConflicts).all()
    expect(conflicts.filter(({ resolvedAt }) => resolvedAt === null)).toEqual([])
  }
})

test('a double booking ends with the booking that is cancelled [CHANGE-11]', async () => {
  const app = await calendarSite()
  const booking = await app.book('2026-06-01', '2026-07-01')
  await app.addEvent(await app.addFeed('Airbnb'), '2026-06-10', '2026-06-12')
  await app.deps.write(tx => updateConflicts(app.deps, tx))
  const resolved = () =>
    app.deps.db
      .select()
      .from(calendarConflicts)
      .all()
      .map(({ resolvedAt }) => resolvedAt)
  expect(resolved()).toEqual([null])
  const form = { applicationId: booking.id, side: 'owner', reason: 'A pipe burst.' } as const
  await app.as(app.admin).cancellations.cancel(form)
  expect(resolved()).toEqual([expect.any(String)])
})

test('an event that comes onto held nights ends nothing: both stand until it is gone [CLAIM-11, CHANGE-40]', async () => {
  const { app, booking, make, sign } = await site()
  const feedId = await app.addFeed('Airbnb')
  const { addendum } = await make()
  const eventId = await app.addEvent(feedId, '2026-07-10', '2026-07-12')
  await app.deps.write(tx => updateConflicts(app.deps, tx))
  await app.deps.write(tx => updateConflicts(app.deps, tx))
  const title = `Taken on Airbnb, held for ${booking.applicationNumber}`
  expect(calendarNotices(app.deps)).toMatchObject([{ tone: 'danger', title }])
  const mails = app.deps.db.select().from(outbox).where(eq(outbox.kind, 'owner-double-booking')).all()
  expect(mails).toMatchObject([{ props: { claimName: booking.applicationNumber } }])
  await expect(sign(addendum.id)).rejects.toThrow(
    'These dates are no longer available: Jul 10, 2026 to Jul 11, 2026',
  )
  const at = '2026-03-04T17:00:00.000Z'
  await app.deps.write(tx =>
    tx.update(calendarEvents).set({ releasedAt: at }).where(eq(calendarEvents.id, eventId)).run(),
  )
  expect((await sign(addendum.id)).addendum.state).toBe('signed')
})

test('what the owner overrode when making it is not asked about again, what came later is [CHANGE-21, CHANGE-24, CHANGE-26, CHANGE-40]', async () => {
  const { app, booking, make, sign } = await site()
  const feedId = await app.addFeed('Airbnb')
  await app.addEvent(feedId, '2026-07-10', '2026-07-12')
  const change = { applicationId: booking.id, leaseEndDate: '2026-07-15', rentalAmount: 2500 }
  const { warnings } = await app.as(app.admin).addenda.preview(change)
  expect(warnings).toEqual([expect.stringContaining('Taken on Airbnb: Jul 10, 2026 to Jul 12, 2026')])
  await expect(make()).rejects.toMatchObject({ code: 'CONFLICT' })
  const { addendum } = await make({ overrideCalendar: true })
  const conflicts = () => app.deps.db.select().from(calendarConflicts).all()
  expect(conflicts()).toMatchObject([{ acknowledgedAt: expect.any(String), resolvedAt: null }])
  const later = await app.addEvent(feedId, '2026-07-13', '2026-07-14')
  await expect(sign(addendum.id)).rejects.toThrow('These dates are no longer available')
  await app.deps.write(tx => tx.delete(calendarEvents).where(eq(calendarEvents.id, later)).run())
  expect((await sign(addendum.id)).addendum.state).toBe('signed')
  expect(conflicts()).toMatchObject([
    { resolvedAt: expect.any(String) },
    { applicationId: booking.id, acknowledgedAt: expect.any(String), resolvedAt: null },
  ])
})

test('a block or an event of unknown kind that the owner overrode may have other UIDs, but not become a guest’s, before an addendum is signed or an offer accepted [CHANGE-40, CLAIM-11, FIX-41]', async () => {
  const { app, make, sign } = await site()
  const feedId = await app.addFeed('Airbnb')
  const blocked = await app.addEvent(feedId, '2026-07-10', '2026-07-12', { kind: 'block' })
  const unclear = await app.addEvent(feedId, '2026-08-05', '2026-08-08', { kind: 'unclear' })
  const { addendum } = await make({ overrideCalendar: true })
  const { claim } = await app.as(app.admin).offers.make(buildOffer({ overrideCalendar: true }))
  const open = () =>
    app.deps.db
      .select()
      .from(calendarConflicts)
      .where(and(isNull(calendarConflicts.resolvedAt), eq(calendarConflicts.eventId, unclear)))
      .all()
  const acknowledged = { claimId: null, applicationId: null, acknowledgedAt: expect.any(String) }
  expect(open()).toMatchObject([{ ...acknowledged, claimId: claim.id }])
  const accept = () =>
    app.as(visitor).offers.acceptByLink({
      token: offerToken(app, claim.id),
      typedName: 'Anna Miller',
      totalCents: 200_000,
      person: offerPerson,
    })
  const set = (id: string, event: Partial<typeof calendarEvents.$inferInsert>) =>
    app.deps.write(tx => {
      tx.update(calendarEvents).set(event).where(eq(calendarEvents.id, id)).run()
      updateConflicts(app.deps, tx)
    })
  await set(blocked, { uid: 'new-1', kind: 'reservation' })
  await set(unclear, { uid: 'new-2', kind: 'reservation' })
  await expect(sign(addendum.id)).rejects.toThrow('These dates are no longer available')
  await expect(accept()).rejects.toThrow('These dates are no longer available')
  await set(blocked, { kind: 'block' })
  await set(unclear, { kind: 'unclear' })
  expect((await sign(addendum.id)).addendum.state).toBe('signed')
  expect((await accept()).claim.state).toBe('accepted')
  const { acceptedApplicationId } = (await app.as(app.admin).offers.adminGet({ claimId: claim.id })).claim
  expect(open()).toMatchObject([{ ...acknowledged, applicationId: acceptedApplicationId }])
})

test('a platform’s thousands of events on the nights that the owner overrode do not hold a signature up [CHANGE-40]', () => {
  const nights = { start: '2026-07-10', end: '2026-07-12' }
  const of = { ...nights, feedId: 'feed', feedName: 'Airbnb', uid: '', kind: 'reservation' } as const
  const taken = Array.from({ length: 20_000 }, (_, i) => ({ ...of, eventId: `event-${i}` }))
  const began = performance.now()
  const isAccepted = acceptedIn(taken.map(acceptedPart))
  expect(taken.every(isAccepted)).toBe(true)
  expect(performance.now() - began).toBeLessThan(3000)
  expect(isAccepted({ ...of, eventId: 'event-0', end: '2026-07-13' })).toBe(false)
  expect(isAccepted({ ...of, eventId: 'another' })).toBe(false)
})

test('with own links the last signature is refused while its nights are taken, and stored once they are free [CHANGE-26, SIGNER-11]', async () => {
  const { app, booking, make, sign } = await site()
  const feedId = await app.addFeed('Airbnb')
  const { addendum } = await make()
  const guarantor = { role: 'guarantor' as const, firstName: 'Gus', lastName: 'Grant', email: gusEmail }
  await app.as(app.admin).signing.adminInvite({
    applicationId: booking.id,
    addendumId: addendum.id,
    signers: [guarantor],
  })
  expect((await sign(addendum.id)).addendum.state).toBe('open')
  const eventId = await app.addEvent(feedId, '2026-07-10', '2026-07-12')
  const links = linksOf(app)
  await expect(links.sign(gusEmail)).rejects.toThrow('These dates are no longer available')
  const at = '2026-03-04T17:00:00.000Z'
  await app.deps.write(tx =>
    tx.update(calendarEvents).set({ releasedAt: at }).where(eq(calendarEvents.id, eventId)).run(),
  )
  expect(await links.sign(gusEmail)).toMatchObject({ state: 'complete' })
})
