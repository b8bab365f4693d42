import { eq, isNull, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { calendarConflicts, outbox } from '../../../../db/schema.ts'
import { maxComingEvents, maxEventsPerNight } from '../../../domain/calendars/calendar-event.ts'
import { readingErrors } from '../../../domain/calendars/calendar-messages.ts'
import { addDays } from '../../../domain/common/dates.ts'
import { hourMs } from '../../../domain/common/durations.ts'
import { dates, makeBooking } from '../../../testing/build-application.ts'
import { makeEvent, makeFeed } from '../../../testing/build-calendar.ts'
import { calendarOf, feedApp, type HostedEvent } from '../../../testing/calendar-host.ts'
import { refreshCalendars } from './poll.ts'

/** `testNow` at the property. */
const today = '2026-03-04'

const oneNight = (start: string, uid: string): HostedEvent => ({ uid, start, end: addDays(start, 1) })
const times = (count: number, eventOf: (n: number) => HostedEvent) =>
  Array.from({ length: count }, (_, n) => eventOf(n))
/** As many events as a file may have, on as few nights as possible. */
const worstFile = (from = '2026-06-01', count = maxComingEvents) =>
  times(count, n => oneNight(addDays(from, Math.floor(n / maxEventsPerNight)), `${from} ${n}`))

describe('a file', () => {
  const crowded = times(5000, n => oneNight('2026-06-05', `${n}`))
  const far = oneNight(addDays(today, 1097), 'far')
  test.each([
    ['of 5,000 events on one night', crowded, readingErrors.tooManyComing()],
    ['with 21 events on one night', crowded.slice(0, 21), readingErrors.tooManyPerNight()],
    [
      'with 21 overlapping events',
      times(21, n => ({ uid: `${n}`, start: addDays('2026-06-01', -n), end: addDays('2026-06-02', n) })),
      readingErrors.tooManyPerNight(),
    ],
    [
      'with 1,501 events',
      [...worstFile(), oneNight('2027-06-01', 'one more')],
      readingErrors.tooManyComing(),
    ],
    ['with an event that begins more than three years ahead', [far], readingErrors.tooFarAhead()],
  ])('%s is an error of that calendar, and its last good state stays [FIX-26]', async (_, events, error) => {
    const { addFeed, calendars, events: live, feedRow, host, read } = await feedApp()
    host.serve({ body: calendarOf(...events.slice(0, 5001)) }, '/hostile.ics')
    await expect(calendars.addFeed({ name: 'Hostile', url: host.url('/hostile.ics') })).rejects.toMatchObject(
      {
        cause: { code: 'bad_request', fields: { url: error } },
      },
    )
    host.serveEvents(oneNight('2026-06-01', 'one'))
    const id = await addFeed()
    host.serveEvents(...events)
    expect(await read(id)).toMatchObject({ outcome: 'failed', error })
    expect(feedRow(id)).toMatchObject({ lastError: error, failures: 1 })
    expect(await live()).toEqual(['2026-06-01 2026-06-02 active'])
  })

  test('with the most events on the fewest nights, past events, and a night blocked forever is read [FIX-26, CAL-25]', async () => {
    const { addFeed, eventRows, host, read } = await feedApp()
    const id = await addFeed()
    const past = times(1000, n => oneNight('2025-06-01', `past ${n}`))
    const last = oneNight(addDays(today, 1096), 'last')
    const endless = { uid: 'endless', start: '2026-09-01', end: '2099-12-31', summary: 'Blocked' }
    host.serveEvents(...worstFile().slice(2), ...past, last, endless)
    expect(await read(id)).toMatchObject({ outcome: 'read', added: 1500 })
    expect(eventRows().filter(({ uid }) => uid === 'endless')).toMatchObject([{ end: '2099-12-31' }])
  })

  test('cannot pile up events by leaving them out: beyond the limits the missing ones end at once [FIX-26, CAL-30]', async () => {
    const { addFeed, eventRows, host, read } = await feedApp()
    const id = await addFeed()
    host.serveEvents(...worstFile('2026-06-01', 800))
    await read(id)
    host.serveEvents(...worstFile('2027-06-01', 800))
    expect(await read(id)).toMatchObject({ outcome: 'read', added: 800, missing: 0, ended: 800 })
    expect(eventRows().filter(({ endedAt }) => endedAt === null)).toHaveLength(800)
    // Stays that have begun never end by missing: a further night of them is an error.
    for (const round of ['c', 'd']) {
      host.serveEvents(
        ...times(15, n => ({
          uid: `${round}${n}`,
          start: addDays(today, -n - (round === 'c' ? 0 : 20)),
          end: '2026-03-10',
        })),
      )
      expect(await read(id)).toMatchObject(
        round === 'c' ? { outcome: 'read' } : { outcome: 'failed', error: readingErrors.tooManyPerNight() },
      )
    }
  })
})

describe('the worst calendars', () => {
  async function twoFeeds() {
    const app = await feedApp()
    const tenant = await app.makeTenant()
    for (let n = 0; n < 7; n++)
      await makeBooking(
        app,
        tenant,
        app.admin,
        dates(addDays('2026-06-01', n * 10), addDays('2026-06-08', n * 10)),
      )
    const conflicts = () =>
      app.deps.db.select().from(calendarConflicts).where(isNull(calendarConflicts.resolvedAt)).all()
    const mails = () => app.deps.db.select().from(outbox).where(eq(outbox.kind, 'owner-double-booking')).all()
    app.host.serveEvents(...worstFile())
    const first = await app.addFeed('Airbnb', { provider: 'airbnb' })
    return { ...app, conflicts, mails, first }
  }

  test('leave at most 50 double bookings of each, and 50 of both, the next ones first, with one mail each [FIX-26, CAL-42]', async () => {
    const { addFeed, advance, as, admin, calendars, conflicts, deps, mails, first, read } = await twoFeeds()
    // 49 of the 75 nights are booked here.
    expect(conflicts()).toHaveLength(50)
    const { conflicts: shown, moreConflicts } = await calendars.overview()
    expect(shown).toHaveLength(50)
    expect([...new Set(shown.map(({ startDate }) => startDate))]).toEqual([
      '2026-06-01',
      '2026-06-02',
      '2026-06-03',
    ])
    expect(moreConflicts).toBe(49 * 20 - 50)
    expect(mails()).toMatchObject([{ props: { more: 49 * 20 - 1 } }])
    const { notices } = await as(admin).notices.list()
    const about = notices.filter(({ id }) => id.startsWith('calendar-conflict-'))
    expect(about).toHaveLength(51)
    expect(about.at(-1)).toMatchObject({
      id: 'calendar-conflict-more',
      title: 'And 930 more double bookings',
    })

    await addFeed('Vrbo', { provider: 'airbnb' })
    expect(conflicts()).toHaveLength(150)
    expect((await calendars.overview()).moreConflicts).toBe(2 * 49 * 20 + 75 * 20 * 20 - 150)
    advance(hourMs)
    await read(first)
    expect(mails()).toHaveLength(2)

    for (const { id } of shown.slice(0, 3)) await calendars.acknowledgeConflict({ id, acknowledged: true })
    await refreshCalendars(deps)
    expect(conflicts().filter(({ acknowledgedAt }) => acknowledgedAt === null)).toHaveLength(150)
  }, 60_000)

  test('hide no double booking of another calendar [FIX-26, CAL-42]', async () => {
    const { addFeed, as, admin, host, mails, read } = await twoFeeds()
    host.serveEvents()
    const vrbo = await addFeed('Vrbo', { provider: 'airbnb' })
    host.serveEvents({ uid: 'real', start: '2026-08-01', end: '2026-08-05' })
    await read(vrbo)
    expect(mails()).toMatchObject([{ props: { feedName: 'Airbnb' } }, { props: { feedName: 'Vrbo' } }])
    const titles = (await as(admin).notices.list()).notices.map(({ title }) => title)
    expect(titles.filter(title => title.startsWith('Double booking: Vrbo and APP-'))).toHaveLength(1)
  }, 60_000)

  test('can be removed, which resolves their double bookings and frees their nights [FIX-26]', async () => {
    const { addFeed, calendars, conflicts, first } = await twoFeeds()
    const second = await addFeed('Vrbo', { provider: 'airbnb' })
    await calendars.removeFeed({ id: first })
    expect((await calendars.removeFeed({ id: second })).freedNights).toBe(75 - 49)
    expect(conflicts()).toEqual([])
    expect(await calendars.overview()).toMatchObject({ conflicts: [], moreConflicts: 0, notices: [] })
  }, 60_000)

  test('list at most 500 events [FIX-26]', async () => {
    const { calendars } = await twoFeeds()
    const { events, more } = await calendars.events({})
    expect([events.length, more]).toEqual([500, 1000])
    expect(events[499]?.startDate).toBe('2026-06-25')
  }, 60_000)
})

describe('a host that changes its file at each reading', () => {
  /** A feed with one booking on its nights, and a function that reads its next file. */
  async function changingFeed() {
    const app = await feedApp()
    const tenant = await app.makeTenant()
    await makeBooking(app, tenant, app.admin, dates('2026-06-01', '2026-06-30'))
    let round = 0
    const next = (count = 1) => {
      round++
      app.host.serveEvents(
        ...times(count, n => ({
          ...oneNight(addDays('2026-06-01', round % 9), `${'x'.repeat(900)} ${round} ${n}`),
        })),
      )
    }
    next()
    const id = await app.addFeed('Airbnb', { provider: 'airbnb' })
    const mails = () => app.deps.db.select().from(outbox).where(eq(outbox.kind, 'owner-double-booking')).all()
    const readNext = async (count?: number) => {
      next(count)
      app.advance(hourMs)
      return app.read(id)
    }
    return { ...app, id, mails, readNext }
  }

  test('causes one mail a day about double bookings, all of which are shown [FIX-26, CAL-42]', async () => {
    const { calendars, mails, readNext } = await changingFeed()
    for (let hour = 0; hour < 6; hour++) await readNext()
    expect((await calendars.overview()).conflicts.length).toBeGreaterThan(1)
    expect(mails()).toHaveLength(1)
    for (let hour = 0; hour < 24; hour++) await readNext()
    expect(mails()).toHaveLength(2)
  }, 60_000)

  test('fills no disk: events that ended are deleted after 30 days, with their double bookings [FIX-26]', async () => {
    const { addEvents, advance, calendars, deps, eventRows, id, readNext } = await withEnded()
    await calendars.createExport({ name: 'Platform', scope: 'platform' })
    await addEvents(20)
    const rows = () => deps.db.select().from(calendarConflicts).all()
    const ended = () => eventRows().filter(({ endedAt, feedId }) => endedAt !== null && feedId === id)
    advance(30 * 24 * hourMs - 2 * hourMs)
    await readNext()
    expect(ended().filter(({ id }) => id.startsWith('ended'))).toHaveLength(20)
    expect(rows().filter(({ id }) => id.startsWith('ended'))).toHaveLength(20)
    advance(3 * hourMs)
    await readNext()
    expect(ended().filter(({ id }) => id.startsWith('ended'))).toEqual([])
    expect(rows().filter(({ id }) => id.startsWith('ended'))).toEqual([])
  }, 60_000)

  test('fills no disk: beyond 3,000 the events that ended first are deleted, over several readings [FIX-26]', async () => {
    const { addEvents, deps, eventRows, id, other, readNext } = await withEnded()
    await addEvents(7000)
    await readNext()
    expect(eventRows().filter(({ id }) => id.startsWith('ended'))).toHaveLength(4000)
    await readNext()
    const kept = eventRows().filter(({ id }) => id.startsWith('ended'))
    expect(kept.map(({ id }) => id)).toContain('ended-6999')
    expect(kept.length).toBeLessThanOrEqual(3001)
    expect(kept.length).toBeGreaterThan(2900)
    expect(deps.db.select().from(calendarConflicts).all().length).toBeLessThan(3010)
    expect(eventRows().filter(({ feedId }) => feedId === other)).toHaveLength(1)
    expect(eventRows().some(({ endedAt, feedId }) => feedId === id && endedAt === null)).toBe(true)
  }, 60_000)

  /** A changing feed, another feed with an old event, and a function that adds events that ended one by one. */
  async function withEnded() {
    const app = await changingFeed()
    const { deps, id } = app
    const other = await makeFeed(app)
    const over = { endedAt: '2025-01-01T00:00:00.000Z' }
    await makeEvent(app, other, { start: '2025-06-01', end: '2025-06-02' }, over)
    /** The first one in a double booking that is not resolved. */
    const addEvents = (count: number) =>
      deps.write(tx => {
        tx.run(sql`
          with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})
          insert into calendar_events (id, feed_id, uid, kind, start_date, end_date, echo, first_seen_at, last_seen_at, ended_at)
          select 'ended-' || n, ${id}, n, 'reservation', '2027-06-01', '2027-06-02', 0, '', '',
            strftime('%Y-%m-%dT%H:%M:%fZ', '2026-03-04T17:00:00', '-' || (${count} - n) || ' seconds') from numbers`)
        tx.run(sql`
          insert into calendar_conflicts (id, event_id, other_event_id, created_at, acknowledged_at, resolved_at)
          select calendar_events.id, calendar_events.id, null, '', '',
            case when calendar_events.id = 'ended-0' then null else '' end
          from calendar_events where id like 'ended-%'`)
      })
    return { ...app, addEvents, other }
  }

  test('stores short UIDs, by which events still match [FIX-26, CAL-28]', async () => {
    const { addFeed, advance, deps, eventRows, host, read } = await feedApp()
    const long = (end: string) => `${'y'.repeat(990)}${end}`
    const move = (start: string) => [oneNight(start, long('one')), oneNight(addDays(start, 9), long('two'))]
    host.serveEvents(...move('2026-06-01'))
    const id = await addFeed()
    const before = eventRows()
    expect(new Set(before.map(({ uid }) => uid)).size).toBe(2)
    expect(Math.max(...before.map(({ uid }) => uid.length))).toBeLessThanOrEqual(200)
    // As an earlier version stored them.
    await deps.write(tx => tx.run(sql`update calendar_events set uid = ${long('')} || substr(uid, -3)`))
    advance(hourMs)
    host.serveEvents(...move('2026-07-20'))
    expect(await read(id)).toMatchObject({ added: 0, missing: 0, moved: 2 })
    expect(eventRows()).toMatchObject(before.map(({ id, uid }) => ({ id, uid })))
  })
})

describe('what an earlier version stored', () => {
  test('any number of overlapping events and double bookings is kept, shown up to the limit, and can be removed [FIX-26]', async () => {
    const app = await feedApp()
    const { addFeed, calendars, deps, host, read } = app
    const booking = await makeBooking(
      app,
      await app.makeTenant(),
      app.admin,
      dates('2026-06-01', '2026-06-30'),
    )
    const [one, two] = [
      await addFeed('One', { provider: 'airbnb' }),
      await addFeed('Two', { provider: 'airbnb' }),
    ]
    await deps.write(tx => {
      for (const feed of [one, two])
        tx.run(sql`
          with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 4999)
          insert into calendar_events (id, feed_id, uid, kind, start_date, end_date, echo, first_seen_at, last_seen_at)
          select ${feed} || n, ${feed}, n, 'reservation', '2026-06-10', date('2026-06-11', (n % 900) || ' days'), 0,
            '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z' from numbers`)
      tx.run(sql`
        insert into calendar_conflicts (id, event_id, application_id, created_at)
        select 'conflict-' || id, id, ${booking.id}, '2026-03-01T00:00:00.000Z' from calendar_events`)
    })
    await refreshCalendars(deps)
    const { conflicts, moreConflicts } = await calendars.overview()
    expect(conflicts).toHaveLength(150)
    expect(moreConflicts).toBe(10_000 + 25_000_000 - 150)
    host.serveEvents(...times(5000, n => oneNight('2026-06-10', `${n}`)))
    expect(await read(one)).toMatchObject({ outcome: 'failed', error: readingErrors.tooManyComing() })
    // A good file recovers it.
    host.serveEvents(oneNight('2026-06-10', 'new'))
    expect(await read(one)).toMatchObject({ outcome: 'read', added: 1, ended: 5000 })
    await calendars.removeFeed({ id: one })
    await calendars.removeFeed({ id: two })
    const left = deps.db.select().from(calendarConflicts).where(isNull(calendarConflicts.resolvedAt))
    expect(left.all()).toEqual([])
    expect(await calendars.overview()).toMatchObject({ conflicts: [], moreConflicts: 0, notices: [] })
  }, 60_000)
})
