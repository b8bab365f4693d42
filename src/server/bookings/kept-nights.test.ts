import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { claims, events, outbox } from '../../../db/schema.ts'
import { makeBooking, makePending } from '../../testing/build-application.ts'
import { buildOffer, offerPerson, offerToken } from '../../testing/build-offer.ts'
import { startCalendarHost } from '../../testing/calendar-host.ts'
import { testApp, visitor } from '../../testing/test-app.ts'
import { composeMail } from '../mail/compose.ts'
import { verifyStore } from '../operations/backup/verify.ts'

const august = { startDate: '2026-08-01', endDate: '2026-08-20' }

async function site() {
  const host = await startCalendarHost()
  const app = await testApp({ env: { FETCH_ALLOW: host.origin, CALENDAR_POLL_SECONDS: '0' } })
  const owner = await app.makeAdmin({ email: 'owner@condo.example' })
  const tenant = await app.makeTenant({ email: 'maya@guest.example' })
  const admin = app.as(owner)
  const accept = (claimId: string) =>
    app.as(visitor).offers.acceptByLink({
      token: offerToken(app, claimId),
      typedName: 'Anna Miller',
      totalCents: 200_000,
      person: offerPerson,
    })
  const exported = async (scope: 'platform' | 'owner' | 'cleaning') => {
    const { url } = await admin.calendars.createExport({ name: scope, scope })
    return (await app.http.inject(new URL(url).pathname)).body
  }
  return { app, host, owner, tenant, admin, accept, exported }
}

test('without a claim nothing is new, and held nights are named to the owner alone [CLAIM-01, CLAIM-08]', async () => {
  const { admin, app } = await site()
  expect(await admin.availability.adminRange(august)).toEqual({
    availability: [],
    bookings: [],
    promises: [],
  })
  const { claim } = await admin.offers.make(buildOffer())
  const { availability } = await admin.availability.adminRange(august)
  expect(availability).toHaveLength(14)
  expect(availability[0]).toMatchObject({
    date: '2026-08-03',
    isAvailable: false,
    reason: 'Held',
    claimId: claim.id,
    claimName: 'Anna Miller',
    claimUntil: claim.until,
  })
  const [first] = (await app.as(visitor).availability.range(august)).availability
  expect(first).toEqual({ date: '2026-08-03', isAvailable: false, reason: 'Held' })
})

test('the nights that stay free around an application end at nights held for somebody, not at promised ones [LOOK-61, CLAIM-30]', async () => {
  const { admin, app, tenant } = await site()
  const { id } = await makePending(app, tenant, {
    requestedStartDate: '2026-08-20',
    requestedEndDate: '2026-08-30',
  })
  const stay = await makeBooking(app, tenant, await app.makeAdmin(), {
    requestedStartDate: '2026-05-01',
    requestedEndDate: '2026-05-10',
  })
  await admin.offers.promise({
    applicationId: stay.id,
    startDate: '2027-01-10',
    endDate: '2027-01-20',
    rentalAmount: 2000,
  })
  const around = async () => {
    const { freeAfter, freeBefore } = (await admin.applications.adminStatusPreview({ id })).decision
    return [freeBefore, freeAfter]
  }
  expect(await around()).toEqual([102, null])
  const { claim } = await admin.offers.make(buildOffer())
  await admin.offers.make(buildOffer({ startDate: '2026-09-02', endDate: '2026-09-09' }))
  expect(await around()).toEqual([3, 3])
  await admin.offers.withdraw({ claimId: claim.id })
  app.setNow(claim.until ?? '')
  // Over without any job.
  expect(await around()).toEqual([102, null])
})

test('an ended claim stays ended when the clock goes back, and its nights stay free [CLAIM-03, CLAIM-07, CLAIM-12]', async () => {
  const { admin, app, tenant } = await site()
  const { claim } = await admin.offers.make(buildOffer())
  const held = 'Held for Anna Miller: Aug 3, 2026. Withdraw the offer to free these nights.'
  const free = { date: '2026-08-03', isAvailable: true }
  await expect(admin.availability.setDate(free)).rejects.toThrow(held)
  app.setNow('2026-03-07T17:00:00.000Z')
  await admin.availability.setDate(free)
  app.setNow('2026-03-05T17:00:00.000Z')
  const pending = await makePending(app, tenant, {
    requestedStartDate: '2026-08-03',
    requestedEndDate: '2026-08-10',
  })
  // A pending application holds nothing.
  const { warnings } = await admin.offers.make(buildOffer({ email: 'ben@guest.example' }))
  expect(warnings).toEqual([`Asked for by ${pending.applicationNumber}`])
  expect((await admin.offers.adminGet({ claimId: claim.id })).claim.endedAs).toBe('expired')
})

test('exports carry what is kept, and turnover nights are kept around it [CLAIM-09]', async () => {
  const { admin, app, exported, owner, tenant } = await site()
  await admin.settings.calendar.save({ version: 0, body: { turnoverNights: 1 } })
  await admin.offers.make(buildOffer())
  const stay = await makeBooking(app, tenant, owner)
  await admin.offers.promise({ applicationId: stay.id, rentalAmount: 2000 })
  const platform = await exported('platform')
  expect(platform).toContain('DTSTART;VALUE=DATE:20260802')
  expect(platform).toContain('DTEND;VALUE=DATE:20260818')
  expect(platform).toContain('DTSTART;VALUE=DATE:20270601')
  expect(platform).not.toContain('Anna')
  const own = await exported('owner')
  expect(own).toContain('Held for Anna Miller')
  expect(own).toContain('Promised to Maya Rivers')
  expect(await exported('cleaning')).not.toMatch(/Anna|Promised/)
  const { nights } = await admin.bookings.nights({ startDate: '2026-08-17', endDate: '2026-08-18' })
  expect(nights).toMatchObject([{ stands: 'turnover', apply: false, book: true }])
})

test('the owner may block kept nights, and another calendar ends nothing [CLAIM-10, CLAIM-11]', async () => {
  const { accept, admin, app, host } = await site()
  const { claim } = await admin.offers.make(buildOffer())
  await admin.availability.setDates({ dates: ['2026-08-03'], isAvailable: false, reason: 'Painting' })
  host.serveEvents({ uid: 'theirs', start: '2026-08-05', end: '2026-08-08' })
  const { feed } = await admin.calendars.addFeed({ name: 'Airbnb', url: host.url('/airbnb.ics') })
  const [conflict] = (await admin.calendars.overview()).conflicts
  expect(conflict).toMatchObject({ claimId: claim.id, claimName: 'Anna Miller' })
  expect(
    app.deps.db
      .select()
      .from(outbox)
      .all()
      .map(({ kind }) => kind),
  ).toContain('owner-double-booking')
  await expect(accept(claim.id)).rejects.toThrow('These dates are no longer available. Please write to ')
  const other = buildOffer({ email: 'ben@guest.example', startDate: '2026-09-01', endDate: '2026-09-10' })
  const theirs = { uid: 'theirs', start: '2026-08-05', end: '2026-08-08' }
  host.serveEvents(theirs, { uid: 'late', start: '2026-09-02', end: '2026-09-05' })
  await admin.calendars.readNow({ id: feed.id })
  await expect(admin.offers.make(other)).rejects.toMatchObject({ code: 'CONFLICT' })
  const overridden = await admin.offers.make({ ...other, overrideCalendar: true })
  await accept(overridden.claim.id)
  await admin.calendars.releaseEvent({ id: conflict?.eventId ?? '', released: true })
  await accept(claim.id)
})

test('an event on promised nights asks the owner about the promise, not about an offer that holds them [CLAIM-11, CLAIM-30]', async () => {
  const { admin, app, host, owner, tenant } = await site()
  const { id: applicationId } = await makeBooking(app, tenant, owner)
  await admin.offers.promise({ applicationId, rentalAmount: 2000 })
  host.serveEvents({ uid: 'theirs', start: '2027-06-05', end: '2027-06-08' })
  await admin.calendars.addFeed({ name: 'Airbnb', url: host.url('/airbnb.ics') })
  const { conflicts, notices } = await admin.calendars.overview()
  expect(conflicts).toMatchObject([{ claimKind: 'promise' }])
  expect(notices).toMatchObject([
    {
      title: 'Taken on Airbnb, promised to Maya Rivers',
      detail: expect.stringContaining('withdraw the promise'),
    },
  ])
  const mail = app.deps.db.select().from(outbox).where(eq(outbox.kind, 'owner-double-booking')).get()
  const sent = mail && (await composeMail(app.deps, {}, mail))
  expect(sent?.subject).toBe('Taken on Airbnb, promised to Maya Rivers')
  expect(sent?.words).toMatch(/are promised to Maya Rivers\. .* withdraw the promise, or/s)
})

test('no email is in the audit log of offers, and verify finds what can not be [CLAIM-44]', async () => {
  const { accept, admin, app } = await site()
  const { claim } = await admin.offers.make(buildOffer())
  const { claim: other } = await admin.offers.make(
    buildOffer({ startDate: '2026-10-01', endDate: '2026-10-10' }),
  )
  await accept(claim.id)
  const logged = app.deps.db.select().from(events).all()
  const ofClaims = logged.filter(({ kind }) => kind.startsWith('claim.'))
  expect(ofClaims.map(({ kind }) => kind)).toEqual(['claim.made', 'claim.made', 'claim.accepted'])
  expect(JSON.stringify(ofClaims)).not.toContain('anna@guest.example')
  const { databaseFile, uploadsDir } = app.deps.config
  const faults = async () => (await verifyStore({ databaseFile, uploadsDir }, () => {})).faults
  expect(await faults()).toEqual([])
  await app.deps.write(tx => {
    const [row] = tx
      .select()
      .from(claims)
      .all()
      .filter(({ id }) => id === other.id)
    if (row)
      tx.insert(claims)
        .values({ ...row, id: 'twice' })
        .run()
    tx.update(claims).set({ acceptedApplicationId: null }).run()
  })
  expect((await faults()).map(fault => fault.split(':')[0])).toEqual([
    '1 claims that share a night with another',
    '1 accepted offers without their application',
    '1 applications of offers without their claim',
  ])
})
