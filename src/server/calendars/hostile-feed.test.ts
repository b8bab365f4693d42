import { eq, isNull, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { calendarConflicts, outbox } from '../../../db/schema.ts'
import { maxComingEvents, maxEventsPerNight } from '../../domain/calendar-event.ts'
import { readingErrors } from '../../domain/calendar-messages.ts'
import { addDays } from '../../domain/dates.ts'
import { dates, makeBooking } from '../../testing/build-application.ts'
import { calendarOf, feedApp, type HostedEvent } from '../../testing/calendar-host.ts'
import { refreshCalendars } from './poll.ts'

/** `testNow` at the property. */
const today = '2026-03-04'
const hourMs = 3_600_000

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

  test('leave at most 50 double bookings, the next ones first, with one mail for each reading [FIX-26, CAL-42]', async () => {
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
    expect(conflicts()).toHaveLength(50)
    expect((await calendars.overview()).moreConflicts).toBe(2 * 49 * 20 + 75 * 20 * 20 - 50)
    advance(hourMs)
    await read(first)
    expect(mails()).toHaveLength(1)

    for (const { id } of shown.slice(0, 3)) await calendars.acknowledgeConflict({ id, acknowledged: true })
    await refreshCalendars(deps)
    expect(conflicts().filter(({ acknowledgedAt }) => acknowledgedAt === null)).toHaveLength(50)
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
    expect(conflicts).toHaveLength(50)
    expect(moreConflicts).toBe(10_000 + 25_000_000 - 50)
    host.serveEvents(...times(5000, n => oneNight('2026-06-10', `${n}`)))
    expect(await read(one)).toMatchObject({ outcome: 'failed', error: readingErrors.tooManyComing() })
    // A good file recovers it.
    host.serveEvents(oneNight('2026-06-10', 'new'))
    expect(await read(one)).toMatchObject({ outcome: 'read', added: 0, ended: 4999 })
    await calendars.removeFeed({ id: one })
    await calendars.removeFeed({ id: two })
    const left = deps.db.select().from(calendarConflicts).where(isNull(calendarConflicts.resolvedAt))
    expect(left.all()).toEqual([])
    expect(await calendars.overview()).toMatchObject({ conflicts: [], moreConflicts: 0, notices: [] })
  }, 60_000)
})
