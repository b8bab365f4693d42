import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import {
  applications,
  availability,
  calendarEvents,
  calendarExports,
  calendarFeeds,
  calendarPublished,
} from '../../../../db/schema.ts'
import { isOwnUid } from '../../../domain/calendars/calendar-matching.ts'
import { calendarSite } from '../../../testing/build-calendar.ts'
import { readFact } from '../../kernel/installation-facts.ts'
import { needsPublishSync, platformExportsFor, uidDomainOf } from './published.ts'

const hour = 3_600_000
const told = ({ end, sequence, start }: { start: string; end: string; sequence: number }) =>
  `${start} ${end} #${sequence}`

test('without an export stores nothing, not even a UID domain [CAL-01]', async () => {
  const site = await calendarSite()
  await site.book('2026-06-01', '2026-07-01')
  expect(needsPublishSync(site.deps, site.deps.db)).toBe(false)
  await site.renew()
  expect(site.published()).toEqual([])
  expect(readFact(site.deps.db, 'calendarUidDomain')).toBeUndefined()
})

test('exports bookings, imported stays and own blocks, but no imported blocks, echoes, released or ended events [CAL-53]', async () => {
  const site = await calendarSite()
  await site.addExport()
  const feed = await site.addFeed('Vrbo')
  await site.book('2026-06-01', '2026-07-01')
  await site.addEvent(feed, '2026-08-01', '2026-08-03')
  await site.addEvent(feed, '2026-08-05', '2026-08-07', { kind: 'unclear' })
  await site.addEvent(feed, '2026-08-10', '2026-08-12', { kind: 'block' })
  await site.addEvent(feed, '2026-08-15', '2026-08-17', { echo: true, kind: 'unclear' })
  await site.addEvent(feed, '2026-08-20', '2026-08-22', { releasedAt: '2026-03-01T00:00:00.000Z' })
  await site.addEvent(feed, '2026-08-25', '2026-08-27', { endedAt: '2026-03-01T00:00:00.000Z' })
  // Nights blocked by the owner before, during and after the booking.
  await site.block('2026-05-30', '2026-07-03')
  await site.renew()
  expect(site.published().map(told)).toEqual([
    '2026-05-30 2026-06-01 #0',
    '2026-06-01 2026-07-01 #0',
    '2026-07-01 2026-07-03 #0',
    '2026-08-01 2026-08-03 #0',
    '2026-08-05 2026-08-07 #0',
  ])
})

test('nights blocked thousands of years ahead are exported without a walk over all nights before them [FIX-26]', async () => {
  const site = await calendarSite()
  await site.addExport()
  await site.block('2026-06-01', '2026-06-03')
  await site.block('9999-12-29', '9999-12-31')
  await site.deps.write(tx =>
    tx
      .insert(availability)
      .values({ date: '9999-12-31', isAvailable: false, reason: '', updatedAt: '2026-03-01T00:00:00.000Z' })
      .run(),
  )
  const written = vi.spyOn(Date.prototype, 'toISOString')
  await site.renew()
  expect(written.mock.calls.length).toBeLessThan(1000)
  written.mockRestore()
  expect(site.published().map(told)).toEqual(['2026-06-01 2026-06-03 #0', '9999-12-29 9999-12-31 #0'])
})

test('an event that began long ago is exported from the beginning of a month a year ago [FIX-26]', async () => {
  const site = await calendarSite()
  await site.addExport()
  const feed = await site.addFeed('Vrbo')
  await site.addEvent(feed, '1899-12-31', '2026-03-06')
  await site.addEvent(feed, '2025-03-01', '2026-03-10')
  await site.renew()
  const before = site.published()
  expect(before.map(told)).toEqual(['2025-03-01 2026-03-06 #0', '2025-03-01 2026-03-10 #0'])
  site.advance(24 * hour)
  expect(needsPublishSync(site.deps, site.deps.db)).toBe(false)
  await site.setTurnover(2)
  await site.renew()
  expect(site.published().map(({ start }) => start)).toEqual(['2025-02-27', '2025-02-27'])
})

test('a UID ends with the installation’s random domain and reveals no id [CAL-46, CAL-54]', async () => {
  const [site, other] = [await calendarSite(), await calendarSite()]
  const domain = await site.deps.write(uidDomainOf)
  expect(await site.deps.write(uidDomainOf)).toBe(domain)
  expect(await other.deps.write(uidDomainOf)).not.toBe(domain)
  await site.addExport()
  const { id } = await site.book('2026-06-01', '2026-07-01')
  const eventId = await site.addEvent(await site.addFeed('Vrbo'), '2026-08-01', '2026-08-03')
  await site.block('2026-09-01', '2026-09-03')
  await site.renew()
  const uids = site.published().map(({ uid }) => uid)
  expect(uids).toHaveLength(3)
  for (const uid of uids) {
    expect(isOwnUid(uid, domain)).toBe(true)
    for (const secret of [id, eventId]) expect(uid).not.toContain(secret.slice(0, 8))
  }
})

test('a renewal without changes writes nothing; new dates and a return after removal increment the sequence [CAL-54]', async () => {
  const site = await calendarSite()
  await site.addExport()
  const { id } = await site.book('2026-06-01', '2026-07-01')
  expect(needsPublishSync(site.deps, site.deps.db)).toBe(true)
  await site.renew()
  const [first] = site.published()
  expect(first).toMatchObject({ sequence: 0, changedAt: '2026-03-04T17:00:00.000Z' })
  site.advance(hour)
  expect(needsPublishSync(site.deps, site.deps.db)).toBe(false)
  await site.renew()
  expect(site.published()).toEqual([first])

  const set = (change: Partial<typeof applications.$inferInsert>) =>
    site.deps.write(tx => tx.update(applications).set(change).where(eq(applications.id, id)).run())
  await set({ stayEndDate: '2026-07-04' })
  expect(needsPublishSync(site.deps, site.deps.db)).toBe(true)
  await site.renew()
  expect(site.published()).toMatchObject([
    { uid: first?.uid, end: '2026-07-04', sequence: 1, changedAt: '2026-03-04T18:00:00.000Z' },
  ])
  await set({ status: 'rejected' })
  site.advance(hour)
  await site.renew()
  const { db } = site.deps
  expect(db.select().from(calendarPublished).all()).toMatchObject([
    { uid: first?.uid, sequence: 1, goneAt: '2026-03-04T19:00:00.000Z' },
  ])
  expect(needsPublishSync(site.deps, db)).toBe(false)
  await set({ status: 'approved' })
  site.advance(hour)
  await site.renew()
  expect(db.select().from(calendarPublished).all()).toMatchObject([
    { uid: first?.uid, sequence: 2, changedAt: '2026-03-04T20:00:00.000Z', goneAt: null },
  ])
})

test('a current run of blocked nights stays unchanged until it is over, and is then removed [CAL-53, CAL-55]', async () => {
  const site = await calendarSite()
  await site.addExport()
  await site.block('2026-02-20', '2026-03-08')
  await site.renew()
  const before = site.published()
  expect(before.map(told)).toEqual(['2026-02-20 2026-03-08 #0'])
  site.setNow('2026-03-07T17:00:00.000Z')
  await site.renew()
  expect(site.published()).toEqual(before)
  site.setNow('2026-03-08T17:00:00.000Z')
  await site.renew()
  expect(site.published()).toEqual([])
})

test('an endless event is exported up to the end of a month, so that the file does not change daily [CAL-25, CAL-55]', async () => {
  const site = await calendarSite()
  await site.addExport()
  const feed = await site.addFeed('Vrbo')
  await site.addEvent(feed, '2026-08-01', '9999-12-31', { kind: 'unclear' })
  await site.renew()
  const before = site.published()
  expect(before.map(told)).toEqual(['2026-08-01 2029-04-01 #0'])
  site.advance(24 * hour)
  await site.renew()
  expect(site.published()).toEqual(before)
})

test('exports bookings and imported events with turnover nights on both sides, and blocks without [CAL-49]', async () => {
  const site = await calendarSite()
  await site.addExport()
  await site.book('2026-06-01', '2026-07-01')
  await site.addEvent(await site.addFeed('Vrbo'), '2026-08-01', '2026-08-03')
  await site.block('2026-09-01', '2026-09-03')
  await site.renew()
  await site.setTurnover(2)
  await site.renew()
  expect(site.published().map(told)).toEqual([
    '2026-05-30 2026-07-03 #1',
    '2026-07-30 2026-08-05 #1',
    '2026-09-01 2026-09-03 #0',
  ])
})

test('a change in the same millisecond as a fetch, or after the clock went back, counts as not fetched [CAL-47]', async () => {
  const site = await calendarSite()
  const fetchedAt = site.deps.clock.now().toISOString()
  await site.addExport({ lastFetchedAt: fetchedAt })
  await site.book('2026-06-01', '2026-07-01')
  await site.renew()
  const [first] = site.published()
  expect(first && first.changedAt > fetchedAt).toBe(true)
  const feed = await site.addFeed('Booking')
  await site.deps.write(tx => tx.update(calendarExports).set({ feedId: feed }).run())
  const lastFetch = () => platformExportsFor(site.deps, site.deps.db, feed)[0]?.lastFetchedAt
  expect(lastFetch()).toBe(fetchedAt)
  site.advance(-2 * hour)
  expect(lastFetch()).toBeNull()
  await site.book('2026-08-01', '2026-09-01')
  await site.renew()
  expect(site.published()[1]?.changedAt).toBe(site.deps.clock.now().toISOString())
  site.advance(3 * hour)
  expect(lastFetch()).toBeNull()
})

test('compares a feed with platform exports for it or for no feed; the latter count as never fetched [CAL-47, CAL-53]', async () => {
  const site = await calendarSite()
  const [airbnb, vrbo] = [await site.addFeed('Airbnb'), await site.addFeed('Vrbo')]
  expect(site.exportedFor(airbnb)).toEqual([])
  await site.addExport({ feedId: airbnb, lastFetchedAt: '2026-03-01T00:00:00.000Z' })
  site.advance(1)
  await site.addExport({ lastFetchedAt: '2026-03-01T00:00:00.000Z' })
  for (const scope of ['owner', 'cleaning'] as const) await site.addExport({ scope })
  const removed = await site.addExport()
  await site.deps.write(tx =>
    tx.update(calendarExports).set({ removedAt: 'x' }).where(eq(calendarExports.id, removed)).run(),
  )
  await site.addExport({ feedId: vrbo })
  await site.book('2026-06-01', '2026-07-01')
  await site.addEvent(airbnb, '2026-08-01', '2026-08-03')
  await site.addEvent(vrbo, '2026-08-05', '2026-08-07')
  await site.block('2026-09-01', '2026-09-03')
  const common = ['2026-06-01 2026-07-01', '2026-08-05 2026-08-07', '2026-09-01 2026-09-03']
  expect(site.exportedFor(airbnb)).toEqual([common, common])
  await site.renew()
  expect(site.exportedFor(airbnb)).toEqual([common, common])
  const [first, second] = platformExportsFor(site.deps, site.deps.db, airbnb)
  expect(second?.lastFetchedAt).toBeNull()
  expect(first?.lastFetchedAt).toBe('2026-03-01T00:00:00.000Z')
  expect(first?.nights.get('2026-06-01')).toBe(site.published()[0]?.changedAt)
})

test('an export whose feed was removed counts as an export for no feed [CAL-34, CAL-53]', async () => {
  const site = await calendarSite()
  const [airbnb, vrbo] = [await site.addFeed('Airbnb'), await site.addFeed('Vrbo')]
  await site.addExport({ feedId: airbnb })
  await site.addEvent(vrbo, '2026-08-05', '2026-08-07')
  expect(site.exportedFor(vrbo)).toEqual([])
  await site.deps.write(tx => {
    tx.update(calendarFeeds).set({ removedAt: 'x' }).where(eq(calendarFeeds.id, airbnb)).run()
    tx.update(calendarEvents).set({ endedAt: 'x' }).where(eq(calendarEvents.feedId, airbnb)).run()
  })
  expect(site.exportedFor(vrbo)).toEqual([[]])
  expect((await site.calendars.overview()).exports).toMatchObject([{ feedId: null }])
})
