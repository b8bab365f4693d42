import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { calendarConflicts, calendarExports, outbox } from '../../../../db/schema.ts'
import { hourMs } from '../../../domain/common/durations.ts'
import { dates, makeBooking } from '../../../testing/build-application.ts'
import { calendarOf, feedApp } from '../../../testing/calendar-host.ts'
import { listCriticalNotices } from '../../operations/notices/list-notices.ts'

const one = { uid: 'one', start: '2026-06-01', end: '2026-06-08' }

async function noticeApp() {
  const app = await feedApp()
  const mails = (kind: string) =>
    app.deps.db
      .select()
      .from(outbox)
      .all()
      .filter(mail => mail.kind === kind)
  return {
    ...app,
    mails,
    notices: async () => {
      const { notices } = await app.calendars.overview()
      const board = (await app.as(app.admin).notices.list()).notices
      const ofBoard = board.filter(({ id }) => id.startsWith('calendar-'))
      expect(ofBoard).toEqual(notices.map(notice => ({ ...notice, action: { kind: 'calendars' } })))
      return notices
    },
  }
}

test('an event on a booking’s nights shows a danger notice and sends one mail, until acknowledged or resolved [CAL-42, CAL-44, CAL-61]', async () => {
  const app = await noticeApp()
  const { addFeed, admin, advance, calendars, host, mails, notices, read } = app
  const id = await addFeed('Airbnb', { provider: 'airbnb', mode: 'all' })
  const { applicationNumber: number } = await makeBooking(
    app,
    await app.makeTenant(),
    admin,
    dates('2026-06-05', '2026-06-12'),
  )
  host.serveEvents({ ...one, summary: 'Airbnb (Not available)' })
  await read(id)
  expect(await notices()).toEqual([])
  host.serveEvents(one)
  await read(id)
  const title = `Double booking: Airbnb and ${number}`
  const [notice] = await notices()
  expect(notice).toMatchObject({ id: expect.stringMatching(/^calendar-conflict-/), tone: 'danger', title })
  expect(notice?.detail).toContain('Jun 5')
  expect(mails('owner-double-booking')).toHaveLength(1)
  const [conflict] = (await calendars.overview()).conflicts
  expect(conflict).toMatchObject({
    startDate: '2026-06-05',
    endDate: '2026-06-08',
    applicationNumber: number,
  })
  await calendars.acknowledgeConflict({ id: conflict?.id ?? '', acknowledged: true })
  expect(await notices()).toEqual([])
  await calendars.acknowledgeConflict({ id: conflict?.id ?? '', acknowledged: false })
  advance(hourMs)
  await read(id)
  expect(await notices()).toMatchObject([{ title }])
  host.serveEvents({ ...one, end: '2026-06-05' })
  await read(id)
  expect(await notices()).toEqual([])
  expect(mails('owner-double-booking')).toHaveLength(1)
})

test('a second double booking of a calendar on one day has no mail of its own, so the daily mail names it [CAL-42]', async () => {
  const app = await noticeApp()
  const { addFeed, admin, advance, deps, host, mails, read } = app
  const tenant = await app.makeTenant()
  for (const start of ['2026-06-01', '2026-09-01'])
    await makeBooking(app, tenant, admin, dates(start, `${start.slice(0, 8)}08`))
  const id = await addFeed()
  host.serveEvents(one)
  await read(id)
  const critical = () => listCriticalNotices(deps).filter(({ id }) => id.startsWith('calendar-conflict-'))
  expect(critical()).toEqual([])
  advance(hourMs)
  host.serveEvents(one, { uid: 'two', start: '2026-09-01', end: '2026-09-03' })
  await read(id)
  expect(mails('owner-double-booking')).toHaveLength(1)
  expect(critical()).toMatchObject([{ detail: expect.stringContaining('Sep 1') }])
})

test('releasing an event or removing its calendar resolves its double booking; taking it back reopens it [CAL-35, CAL-44]', async () => {
  const app = await noticeApp()
  const { addFeed, admin, calendars, eventRows, host } = app
  host.serveEvents(one)
  const id = await addFeed()
  await makeBooking(app, await app.makeTenant(), admin, dates('2026-09-01', '2026-09-05'))
  host.serveEvents({ ...one, start: '2026-09-01', end: '2026-09-03' })
  await app.read(id)
  const stored = () => app.deps.db.select().from(calendarConflicts).all()
  const conflicts = async () => {
    const open = stored().filter(({ resolvedAt }) => resolvedAt === null)
    expect((await calendars.overview()).conflicts.map(({ id }) => id)).toEqual(open.map(({ id }) => id))
    return open.length
  }
  const event = { id: eventRows()[0]?.id ?? '' }
  expect(await conflicts()).toBe(1)
  await calendars.releaseEvent({ ...event, released: true })
  expect(await conflicts()).toBe(0)
  await calendars.releaseEvent({ ...event, released: false })
  expect(await conflicts()).toBe(1)
  await calendars.removeFeed({ id })
  expect(await conflicts()).toBe(0)
})

test('reservations of two platforms on one night are a double booking [CAL-43]', async () => {
  const { calendars, host, mails, notices } = await noticeApp()
  host.serveEvents(one)
  await calendars.addFeed({ name: 'Airbnb', url: host.url('/1'), provider: 'airbnb' })
  await calendars.addFeed({ name: 'Other', url: host.url('/2') })
  expect(await notices()).toEqual([])
  await calendars.addFeed({ name: 'Vrbo', url: host.url('/3'), provider: 'vrbo' })
  expect((await notices()).map(({ title }) => title)).toEqual([
    expect.stringMatching(/^Double booking: (Airbnb and Vrbo|Vrbo and Airbnb)$/),
  ])
  expect(mails('owner-double-booking')).toHaveLength(1)
})

test('a calendar is stale after 6 hours and failing after 24, which sends one mail until a reading succeeds [CAL-60, CAL-61]', async () => {
  const { addFeed, advance, calendars, host, mails, notices, read } = await noticeApp()
  const id = await addFeed()
  const state = async () => (await calendars.overview()).feeds[0]?.state
  const failing = () => mails('owner-feed-failing')
  host.serve({ status: 500 })
  advance(6 * hourMs - 1)
  await read(id)
  expect([await state(), await notices()]).toEqual(['ok', []])
  advance(1)
  await read(id)
  expect(await state()).toBe('stale')
  expect(await notices()).toMatchObject([
    { id: `calendar-stale-${id}`, tone: 'warning', title: 'Airbnb has not been read for 6 hours' },
  ])
  advance(18 * hourMs)
  expect(await state()).toBe('failing')
  const title = 'Airbnb has not been read for a day'
  expect(await notices()).toMatchObject([{ id: `calendar-failing-${id}`, tone: 'danger', title }])
  expect((await notices())[0]?.detail).toContain('127.0.0.1 answered with 500.')
  expect(failing()).toEqual([])
  for (let at = 0; at < 3; at += 1) {
    await read(id)
    advance(6 * hourMs)
  }
  expect(failing()).toMatchObject([
    { props: { feedName: 'Airbnb', lastError: '127.0.0.1 answered with 500.' } },
  ])
  host.serve({ body: calendarOf() })
  await read(id)
  expect([await state(), await notices()]).toEqual(['ok', []])
  host.serve({ status: 500 })
  advance(25 * hourMs)
  await read(id)
  expect(failing()).toHaveLength(2)
  await calendars.editFeed({ id, active: false })
  expect(await notices()).toEqual([])
})

test('shows notices for an empty calendar, unreadable events and an export that is no longer fetched [CAL-18, CAL-31, CAL-61]', async () => {
  const { addFeed, advance, calendars, deps, host, notices, read } = await noticeApp()
  host.serveEvents(one)
  const id = await addFeed()
  host.serveEvents()
  await read(id)
  expect(await notices()).toMatchObject([
    { id: `calendar-empty-${id}`, tone: 'warning', title: 'Airbnb no longer has any events. Is that right?' },
  ])
  await calendars.acceptEmpty({ id })
  expect(await notices()).toEqual([])
  host.serveEvents({ ...one, start: '2026-02-31' })
  await read(id)
  expect(await notices()).toMatchObject([
    { id: `calendar-unreadable-${id}`, tone: 'warning', title: '1 event of Airbnb could not be read' },
  ])
  await calendars.removeFeed({ id })
  const add = (scope: 'platform' | 'cleaning', lastFetchedAt: string | null) => {
    const row = {
      id: randomUUID(),
      name: scope,
      scope,
      token: randomUUID(),
      createdAt: '2026-03-01T00:00:00.000Z',
    }
    return deps.write(tx =>
      tx
        .insert(calendarExports)
        .values({ ...row, lastFetchedAt })
        .returning()
        .get(),
    )
  }
  await add('platform', null)
  await add('cleaning', '2026-03-04T17:00:00.000Z')
  const fetched = await add('platform', '2026-03-04T17:00:00.000Z')
  advance(48 * hourMs - 1)
  expect(await notices()).toEqual([])
  advance(1)
  expect(await notices()).toMatchObject([{ id: `calendar-unread-${fetched.id}`, tone: 'warning' }])
})

test('reopens an acknowledged double booking when more nights are shared, without a second mail [CAL-42, CAL-44]', async () => {
  const app = await feedApp()
  const { addFeed, advance, calendars, host, read } = app
  await makeBooking(app, await app.makeTenant(), app.admin)
  host.serveEvents({ uid: 'one', start: '2026-06-06', end: '2026-06-10' })
  const id = await addFeed()
  const titles = async () => (await calendars.overview()).notices.map(({ title }) => title)
  const [{ id: conflict = '' } = {}] = (await calendars.overview()).conflicts
  await calendars.acknowledgeConflict({ id: conflict, acknowledged: true })
  for (const [start, end] of [
    ['2026-06-07', '2026-06-09'],
    ['2026-06-08', '2026-06-09'],
  ] as const) {
    advance(hourMs)
    host.serveEvents({ uid: 'one', start, end })
    await read(id)
    expect(await titles()).toEqual([])
  }
  advance(hourMs)
  host.serveEvents({ uid: 'one', start: '2026-06-20', end: '2026-06-22' })
  await read(id)
  expect(await titles()).toEqual(['Double booking: Airbnb and APP-2026-0001'])
  const mails = app.deps.db.select().from(outbox).all()
  expect(mails.filter(({ kind }) => kind === 'owner-double-booking')).toHaveLength(1)
})

test('an acknowledged double booking with an event of an unclear kind warns again once it is a reservation [CAL-42, CAL-44, CLAIM-11]', async () => {
  const app = await noticeApp()
  const { addFeed, advance, calendars, host, mails, notices, read } = app
  await makeBooking(app, await app.makeTenant(), app.admin)
  const event = { uid: 'one', start: '2026-06-06', end: '2026-06-10' }
  host.serveEvents({ ...event, summary: 'Maintenance' })
  const id = await addFeed('Airbnb', { provider: 'airbnb', mode: 'all' })
  expect(app.eventRows()).toMatchObject([{ kind: 'unclear' }])
  const [conflict] = (await calendars.overview()).conflicts
  await calendars.acknowledgeConflict({ id: conflict?.id ?? '', acknowledged: true })
  const serve = async (summary: string) => {
    advance(hourMs)
    host.serveEvents({ ...event, summary })
    await read(id)
    return (await notices()).map(({ title }) => title)
  }
  expect(await serve('Cleaning')).toEqual([])
  expect(await serve('Reserved')).toEqual(['Double booking: Airbnb and APP-2026-0001'])
  await calendars.acknowledgeConflict({ id: conflict?.id ?? '', acknowledged: true })
  expect(await serve('Reserved')).toEqual([])
  expect(mails('owner-double-booking')).toHaveLength(1)
})
