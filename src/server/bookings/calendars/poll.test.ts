import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import {
  calendarConflicts,
  calendarEvents,
  calendarExports,
  calendarFeeds,
  calendarPublished,
} from '../../../../db/schema.ts'
import { hourMs, minuteMs } from '../../../domain/common/durations.ts'
import { dates, makeBooking } from '../../../testing/build-application.ts'
import { calendarOf, feedApp } from '../../../testing/calendar-host.ts'
import { afterThisTest } from '../../../testing/cleanups.ts'
import type { Deps } from '../../kernel/deps.ts'
import { refreshCalendars, startCalendars } from './poll.ts'

const one = { uid: 'one', start: '2026-06-01', end: '2026-06-08' }

function start(deps: Deps) {
  const calendars = startCalendars(deps)
  afterThisTest(calendars.stop)
  return calendars
}
/** Runs one tick and waits for its readings. */
async function tick(deps: Deps) {
  await startCalendars(deps).stop()
}

test('reads a calendar again after 30 minutes ± 20%, and at the start if it is due [CAL-10]', async () => {
  const { addFeed, advance, deps, feedRow, host, read } = await feedApp()
  const id = await addFeed()
  const pauses: number[] = []
  for (let at = 0; at < 30; at += 1) {
    await read(id)
    pauses.push((Date.parse(feedRow(id).nextAttemptAt ?? '') - deps.clock.now().getTime()) / minuteMs)
  }
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(24)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(36)
  expect(new Set(pauses).size).toBeGreaterThan(5)
  const asked = host.requests.length
  advance(23 * minuteMs)
  await tick(deps)
  expect(host.requests).toHaveLength(asked)
  advance(14 * minuteMs)
  await tick(deps)
  expect(host.requests).toHaveLength(asked + 1)
  expect(feedRow(id)).toMatchObject({ lastSuccessAt: deps.clock.now().toISOString() })
  await tick(deps)
  expect(host.requests).toHaveLength(asked + 1)
})

test('reads a due calendar within a minute, until the site stops [CAL-10]', async () => {
  const { addFeed, advance, deps, host } = await feedApp()
  await addFeed()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  afterThisTest(() => void vi.useRealTimers())
  const { stop } = start(deps)
  advance(hourMs)
  vi.advanceTimersByTime(minuteMs)
  await expect.poll(() => host.requests.length).toBe(2)
  await stop()
  advance(hourMs)
  vi.advanceTimersByTime(10 * minuteMs)
  await refreshCalendars(deps)
  expect(host.requests).toHaveLength(2)
})

test('doubles the interval after failures up to 6 hours, honors Retry-After up to that, and resets on success [CAL-11]', async () => {
  const { addFeed, deps, feedRow, host, read } = await feedApp()
  const id = await addFeed()
  const pauseHours = () => (Date.parse(feedRow(id).nextAttemptAt ?? '') - deps.clock.now().getTime()) / hourMs
  host.serve({ status: 500 })
  for (const [least, most] of [
    [0.8, 1.2],
    [1.6, 2.4],
    [3.2, 4.8],
    [6, 6],
    [6, 6],
  ] as const) {
    await read(id)
    expect(pauseHours()).toBeGreaterThanOrEqual(least)
    expect(pauseHours()).toBeLessThanOrEqual(most)
  }
  host.serve({})
  host.serve({ body: calendarOf() })
  await read(id)
  expect(feedRow(id)).toMatchObject({ failures: 0, lastError: null })
  expect(pauseHours()).toBeLessThanOrEqual(0.6)
  host.serve({ status: 429, headers: { 'retry-after': '10800' } })
  await read(id)
  expect(pauseHours()).toBe(3)
  host.serve({ status: 503, headers: { 'retry-after': '999999' } })
  await read(id)
  expect(pauseHours()).toBe(6)
})

test('a hanging calendar delays neither the others nor the start nor the shutdown [CAL-11]', async () => {
  const { addFeed, advance, deps, events, feedRow, host } = await feedApp()
  const hanging = await addFeed('Hanging')
  // The hanging calendar is due first.
  advance(1)
  await addFeed('Airbnb')
  await addFeed('Vrbo')
  advance(hourMs)
  host.serve({ body: calendarOf(one) })
  host.serve({ hangs: true }, '/Hanging.ics')
  const { nextAttemptAt: due, ...before } = feedRow(hanging)
  const { stop } = start(deps)
  await expect.poll(events).toHaveLength(2)
  const began = performance.now()
  await stop()
  expect(performance.now() - began).toBeLessThan(3000)
  const { nextAttemptAt, ...after } = feedRow(hanging)
  expect(after).toEqual(before)
  // A reading that ended the process is not repeated at each start.
  expect(Date.parse(nextAttemptAt ?? '') - Date.parse(due ?? '')).toBeGreaterThan(10 * minuteMs)
})

test('does not read paused or removed calendars [CAL-10, CAL-34]', async () => {
  const { addFeed, advance, calendars, deps, host } = await feedApp()
  await calendars.editFeed({ id: await addFeed('Airbnb'), active: false })
  await calendars.removeFeed({ id: await addFeed('Vrbo') })
  advance(48 * hourMs)
  await tick(deps)
  expect(host.requests).toHaveLength(2)
})

test('with CALENDAR_POLL_SECONDS=0 reads no calendar automatically, but still runs ticks [CAL-10]', async () => {
  const { addFeed, addStay, advance, deps, feedRow, host, setNow } = await withBooking({
    CALENDAR_POLL_SECONDS: '0',
  })
  await addStay(one.start, one.end)
  host.serveEvents(one)
  const id = await addFeed()
  expect(feedRow(id).nextAttemptAt).toBeNull()
  advance(hourMs)
  await deps.write(tx => tx.update(calendarFeeds).set({ nextAttemptAt: '2026-03-04T17:00:00.000Z' }).run())
  await refreshCalendars(deps)
  const conflict = () => deps.db.select().from(calendarConflicts).get()
  expect(conflict()).toMatchObject({ resolvedAt: null })
  setNow('2026-06-20T17:00:00.000Z')
  await tick(deps)
  expect(conflict()).toMatchObject({ resolvedAt: '2026-06-20T17:00:00.000Z' })
  expect(host.requests).toHaveLength(1)
})

test('treats a calendar as due if its next reading is impossibly far ahead because the clock went back [CAL-11, CAL-33]', async () => {
  const { addFeed, deps, feedRow, host, setNow } = await feedApp()
  const id = await addFeed()
  setNow('2026-02-01T12:00:00.000Z')
  await tick(deps)
  expect(host.requests).toHaveLength(2)
  expect(feedRow(id).nextAttemptAt).toMatch(/^2026-02-01T12/)
})

test('a tick that changes nothing writes nothing [CAL-01]', async () => {
  const { addExport, addFeed, addStay, deps, host } = await withBooking()
  const quiet = async () => {
    const before = deps.dataVersion()
    await tick(deps)
    await refreshCalendars(deps)
    expect(deps.dataVersion()).toBe(before)
  }
  await quiet()
  await addStay('2026-06-05', '2026-06-10')
  host.serveEvents(one)
  await addFeed()
  await addExport({})
  await refreshCalendars(deps)
  await quiet()
})

test('a tick updates the published rows [CAL-54]', async () => {
  const { addExport, addStay, deps } = await withBooking()
  await addExport({})
  const published = () => deps.db.select().from(calendarPublished).all()
  await addStay('2026-06-05', '2026-06-10')
  await tick(deps)
  expect(published()).toMatchObject([{ start: '2026-06-05', end: '2026-06-10', sequence: 0 }])
})

test('own nights that come back are an echo without nights or conflicts, and own UIDs are ignored [CAL-46, CAL-47]', async () => {
  const { addExport, addFeed, addStay, advance, calendars, deps, events, host, read } = await withBooking()
  const id = await addFeed()
  await addStay('2026-06-05', '2026-06-10')
  await addExport({ feedId: id })
  await tick(deps)
  const blocked = { uid: 'theirs', start: '2026-06-05', end: '2026-06-10', summary: 'Airbnb (Not available)' }
  // The export was not fetched yet, so these nights cannot be an echo.
  host.serveEvents(blocked)
  await read(id)
  expect(await events()).toEqual(['2026-06-05 2026-06-10 active'])
  expect((await calendars.overview()).conflicts).toHaveLength(1)

  host.serveEvents({ ...blocked, start: '2026-06-06' })
  advance(minuteMs)
  await deps.write(tx =>
    tx.update(calendarExports).set({ lastFetchedAt: deps.clock.now().toISOString() }).run(),
  )
  await read(id)
  expect(await events()).toEqual(['2026-06-06 2026-06-10 echo'])
  expect((await calendars.overview()).conflicts).toEqual([])
  expect((await calendars.overview()).feeds[0]).toMatchObject({ eventCount: 0 })

  const ours = deps.db.select().from(calendarPublished).get()?.uid ?? ''
  host.serveEvents({ ...blocked, start: '2026-06-06' }, { uid: ours, start: '2026-12-01', end: '2026-12-09' })
  expect(await read(id)).toMatchObject({ added: 0, moved: 0 })
  expect(await events()).toHaveLength(1)
})

test.each(['could not be read', 'was read'] as const)(
  'a guest of a platform without kinds is not taken for the booking’s own nights, if its calendar %s before [CAL-40, CAL-47]',
  async reading => {
    const { addExport, addFeed, addStay, advance, calendars, deps, events, host, read } = await withBooking()
    const id = await addFeed('Booking')
    await addExport({ feedId: id })
    advance(hourMs)
    // Sold there since the last reading.
    const sold = { uid: 'sold', start: '2026-06-05', end: '2026-06-10', summary: 'CLOSED - Not available' }
    if (reading === 'was read') host.serveEvents(sold)
    else host.serve({ status: 503 })
    const booking = addStay(sold.start, sold.end)
    if (reading === 'was read') return expect(booking).rejects.toThrow('Taken on Booking')
    await booking
    await tick(deps)
    advance(minuteMs)
    await deps.write(tx =>
      tx.update(calendarExports).set({ lastFetchedAt: deps.clock.now().toISOString() }).run(),
    )
    host.serveEvents(sold)
    await read(id)
    expect(await events()).toEqual(['2026-06-05 2026-06-10 active'])
    expect((await calendars.overview()).conflicts).toHaveLength(1)
  },
)

test('a block of a platform without kinds that appears after the booking is an echo, also if its calendar was last read before the booking [CAL-40, CAL-47]', async () => {
  const { addExport, addFeed, addStay, advance, calendars, deps, events, host, read } = await withBooking()
  const id = await addFeed('Booking')
  await addExport({ feedId: id })
  advance(hourMs)
  // Its calendar is read before the booking, and next after the platform has fetched ours.
  await addStay('2026-06-05', '2026-06-10')
  await tick(deps)
  advance(minuteMs)
  await deps.write(tx =>
    tx.update(calendarExports).set({ lastFetchedAt: deps.clock.now().toISOString() }).run(),
  )
  host.serveEvents({ start: '2026-06-05', end: '2026-06-10', summary: 'CLOSED - Not available' })
  advance(20 * minuteMs)
  await read(id)
  expect(await events()).toEqual(['2026-06-05 2026-06-10 echo'])
  expect((await calendars.overview()).conflicts).toEqual([])
})

test('a double booking is reported although somebody fetched an export that belongs to no calendar [CAL-42, CAL-47]', async () => {
  const { addFeed, addStay, admin, advance, as, calendars, events, host, http, read } = await withBooking()
  const id = await addFeed('Booking')
  const { export: given, url } = await calendars.createExport({ name: 'Mine', scope: 'platform' })
  await addStay('2026-06-01', '2026-06-08')
  const sold = { uid: 'sold', start: '2026-06-01', end: '2026-06-05', summary: 'CLOSED - Not available' }
  const fetchExport = (accept: string) =>
    http.inject({ method: 'GET', url: new URL(url).pathname, headers: { accept } })
  await fetchExport('text/calendar')
  advance(minuteMs)
  host.serveEvents(sold)
  await read(id)
  expect(await events()).toEqual(['2026-06-01 2026-06-05 active'])
  const detail = async () =>
    (await as(admin).notices.list()).notices.find(({ id }) => /conflict/.test(id))?.detail
  expect(await detail()).toContain('Link the calendar Mine to Booking, so that repeats are told apart')

  // Linked, but the platform itself has not fetched it yet: only its owner looked.
  await calendars.editExport({ id: given.id, feedId: id })
  expect(await detail()).not.toContain('Link')
  await fetchExport('text/html,application/xhtml+xml,*/*;q=0.8')
  advance(minuteMs)
  host.serveEvents({ ...sold, end: '2026-06-04' })
  await read(id)
  expect(await events()).toEqual(['2026-06-01 2026-06-04 active'])
  await fetchExport('*/*')
  advance(minuteMs)
  host.serveEvents({ ...sold, end: '2026-06-08' })
  await read(id)
  expect(await events()).toEqual(['2026-06-01 2026-06-08 echo'])
})

test('an echo takes its nights a day after they were last exported, and a notice appears [CAL-48, CAL-61]', async () => {
  const { addExport, addFeed, addStay, admin, advance, as, calendars, deps, eventRows, events, host, read } =
    await withBooking()
  const stay = { uid: 'theirs', start: '2026-06-05', end: '2026-06-10', summary: 'CLOSED - Not available' }
  const id = await addFeed()
  const application = await addStay(stay.start, stay.end)
  await addExport({ feedId: id })
  await tick(deps)
  advance(1)
  await deps.write(tx =>
    tx.update(calendarExports).set({ lastFetchedAt: deps.clock.now().toISOString() }).run(),
  )
  host.serveEvents(stay)
  await read(id)
  expect(await events()).toEqual(['2026-06-05 2026-06-10 echo'])
  await as(admin).applications.adminSetStatus({ id: application, status: 'rejected' })
  await deps.write(tx =>
    tx.update(calendarFeeds).set({ active: false }).where(eq(calendarFeeds.id, id)).run(),
  )
  advance(24 * hourMs - 1)
  await tick(deps)
  expect(await events()).toEqual(['2026-06-05 2026-06-10 echo'])
  advance(1)
  await tick(deps)
  expect(await events()).toEqual(['2026-06-05 2026-06-10 active'])
  const event = eventRows()[0]?.id ?? ''
  const notices = async () => (await calendars.overview()).notices.filter(({ id }) => id.includes('echo'))
  expect(await notices()).toMatchObject([{ id: `calendar-echo-${event}`, tone: 'warning' }])
  await calendars.releaseEvent({ id: event, released: true })
  expect(await notices()).toEqual([])
  await calendars.releaseEvent({ id: event, released: false })
  expect(await notices()).toEqual([])
  expect(await events()).toEqual(['2026-06-05 2026-06-10 active'])
})

test('keeping an ended echo’s nights dismisses its notice; taking back an echo leaves it an echo [CAL-35, CAL-48]', async () => {
  const { addFeed, calendars, deps, eventRows, host } = await feedApp()
  host.serveEvents(one)
  await addFeed()
  const id = eventRows()[0]?.id ?? ''
  const change = async (values: { echo: boolean }) => {
    const covered = { coveredAt: deps.clock.now().toISOString() }
    await deps.write(tx =>
      tx
        .update(calendarEvents)
        .set({ ...covered, ...values })
        .run(),
    )
  }
  await change({ echo: false })
  expect((await calendars.overview()).notices).toHaveLength(1)
  await calendars.releaseEvent({ id, released: false })
  expect((await calendars.overview()).notices).toEqual([])
  await change({ echo: true })
  await calendars.releaseEvent({ id, released: true })
  expect((await calendars.releaseEvent({ id, released: false })).event.state).toBe('echo')
  expect(eventRows()[0]?.coveredAt).not.toBeNull()
})

/** A site with functions that add bookings and exports directly to the database. */
async function withBooking(env: Record<string, string> = {}) {
  const app = await feedApp({ env })
  const tenant = await app.makeTenant()
  return {
    ...app,
    addStay: async (from: string, to: string) =>
      (await makeBooking(app, tenant, app.admin, dates(from, to))).id,
    addExport: (change: Partial<typeof calendarExports.$inferInsert>) =>
      app.deps.write(tx =>
        tx
          .insert(calendarExports)
          .values({
            id: randomUUID(),
            name: 'For Airbnb',
            scope: 'platform',
            token: randomUUID(),
            createdAt: app.deps.clock.now().toISOString(),
            ...change,
          })
          .run(),
      ),
  }
}
