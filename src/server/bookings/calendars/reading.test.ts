import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { calendarFeeds } from '../../../../db/schema.ts'
import { hourMs } from '../../../domain/common/durations.ts'
import { calendarOf, feedApp } from '../../../testing/calendar-host.ts'

const one = { uid: 'one', start: '2026-06-01', end: '2026-06-08' }
const two = { uid: 'two', start: '2026-07-01', end: '2026-07-05' }
const block = { uid: 'block', start: '2026-08-01', end: '2026-08-03', summary: 'Airbnb (Not available)' }
const nothing = { added: 0, moved: 0, missing: 0, ended: 0, unreadable: 0, error: null }

test('sends a conditional request; a 304 or the same bytes count as a successful reading [CAL-13]', async () => {
  const { addFeed, advance, feedRow, host, read } = await feedApp()
  const headers = { etag: '"first"', 'last-modified': 'Tue, 03 Mar 2026 10:00:00 GMT' }
  host.serve({ body: calendarOf(one), headers })
  const id = await addFeed()
  expect(host.requests[0]?.headers).not.toHaveProperty('if-none-match')
  advance(hourMs)
  expect(await read(id)).toEqual({ outcome: 'unchanged', ...nothing })
  expect(host.requests[1]?.headers).toMatchObject({
    'if-none-match': headers.etag,
    'if-modified-since': headers['last-modified'],
  })
  expect(feedRow(id)).toMatchObject({ lastSuccessAt: '2026-03-04T18:00:00.000Z', etag: '"first"' })
  host.serve({ body: calendarOf(one) })
  expect((await read(id)).outcome).toBe('unchanged')
  expect(feedRow(id)).toMatchObject({ etag: null, lastModified: null })
  expect((await read(id)).outcome).toBe('unchanged')
  expect(host.requests[3]?.headers).not.toHaveProperty('if-none-match')
})

test('counts a missing event as missing again when a reading is unchanged [CAL-13, CAL-30]', async () => {
  const { addFeed, advance, events, host, read } = await feedApp()
  host.serveEvents(one, two)
  const id = await addFeed()
  host.serve({ body: calendarOf(two), headers: { etag: '"two"' } })
  expect(await read(id)).toMatchObject({ outcome: 'read', missing: 1, ended: 0 })
  advance(hourMs)
  expect(await read(id)).toMatchObject({ outcome: 'unchanged', missing: 1, ended: 0 })
  advance(hourMs - 1)
  expect(await read(id)).toMatchObject({ outcome: 'unchanged', missing: 1, ended: 0 })
  expect(await events()).toEqual(['2026-06-01 2026-06-08 missing', '2026-07-01 2026-07-05 active'])
  advance(1)
  expect(await read(id)).toMatchObject({ outcome: 'unchanged', missing: 0, ended: 1 })
  expect(await events()).toEqual(['2026-07-01 2026-07-05 active'])
})

test('once a day fetches the file unconditionally and parses it even if unchanged [CAL-23]', async () => {
  const { addFeed, advance, events, host, read } = await feedApp()
  const series = calendarOf(one).replace('SUMMARY:Reserved', 'RRULE:FREQ=YEARLY\r\nSUMMARY:Reserved')
  host.serve({ body: series, headers: { etag: '"same"' } })
  const id = await addFeed()
  expect(await events()).toEqual(['2026-06-01 2026-06-08 active', '2027-06-01 2027-06-08 active'])
  advance(23 * hourMs)
  expect((await read(id)).outcome).toBe('unchanged')
  for (let day = 1; day <= 5; day += 1) {
    advance(60 * 24 * hourMs)
    const { outcome } = await read(id)
    expect(outcome).toBe('read')
  }
  expect(host.requests.at(-1)?.headers).not.toHaveProperty('if-none-match')
  expect(await events()).toContain('2028-06-01 2028-06-08 active')
})

test.each([
  ['nobody answers', { status: 500 }],
  ['the address is gone', { status: 404 }],
  ['it is a web page', { body: '<html>' }],
  ['it breaks off', { body: calendarOf().slice(0, -8) }],
  ['it is too large', { body: calendarOf().padEnd(1024 * 1024 + 1) }],
  ['it has too many events', { body: calendarOf(...Array.from({ length: 5001 }, () => two)) }],
])('a failed reading changes no event: %s [CAL-14, CAL-15]', async (_, answer) => {
  const { addFeed, advance, eventRows, feedRow, host, read } = await feedApp()
  host.serve({ body: calendarOf(one, two), headers: { etag: '"good"' } })
  const id = await addFeed()
  const before = { events: eventRows(), feed: feedRow(id) }
  advance(hourMs)
  host.serve(answer)
  const result = await read(id)
  expect(result).toMatchObject({ outcome: 'failed', ...nothing, error: expect.stringMatching(/\.$/) })
  expect(eventRows()).toEqual(before.events)
  const at = '2026-03-04T18:00:00.000Z'
  const { lastError, nextAttemptAt, ...feed } = feedRow(id)
  expect(feed).toEqual({
    ...before.feed,
    failures: 1,
    lastAttemptAt: at,
    lastError: undefined,
    nextAttemptAt: undefined,
  })
  expect(lastError).toBe(result.error)
  host.serveEvents(one, two)
  expect(await read(id)).toMatchObject({ outcome: 'unchanged' })
  expect(feedRow(id)).toMatchObject({ failures: 0, lastError: null })
})

test('with an unreadable event, adds and moves other events, and counts none as missing [CAL-18]', async () => {
  const { addFeed, advance, events, feedRow, host, read } = await feedApp()
  host.serveEvents(one, two)
  const id = await addFeed()
  const bad = { uid: 'bad', start: '2026-02-30', end: '2026-03-05' }
  const moved = { ...two, start: '2026-07-02', end: '2026-07-06' }
  host.serve({
    body: calendarOf(bad, moved, { ...one, uid: 'three', start: '2026-09-01', end: '2026-09-02' }),
  })
  for (let at = 0; at < 4; at += 1) {
    const added = at === 0 ? { outcome: 'read', added: 1, moved: 1 } : { outcome: 'unchanged' }
    expect(await read(id)).toEqual({ ...nothing, ...added, unreadable: 1 })
    advance(2 * hourMs)
  }
  expect(feedRow(id).unreadable).toBe(1)
  expect(await events()).toEqual([
    '2026-06-01 2026-06-08 active',
    '2026-07-02 2026-07-06 active',
    '2026-09-01 2026-09-02 active',
  ])
})

test('does not count an event as missing in failed readings [CAL-15, CAL-30]', async () => {
  const { addFeed, advance, events, host, read } = await feedApp()
  host.serveEvents(one, two)
  const id = await addFeed()
  host.serveEvents(two)
  await read(id)
  host.serve({ status: 503 })
  for (let at = 0; at < 5; at += 1) {
    advance(24 * hourMs)
    await read(id)
  }
  host.serveEvents(two)
  expect(await read(id)).toMatchObject({ missing: 1, ended: 0 })
  expect(await events()).toHaveLength(2)
  expect(await read(id)).toMatchObject({ missing: 0, ended: 1 })
})

test('an emptied calendar keeps its nights for 24 hours, or until the owner confirms [CAL-31]', async () => {
  const { addFeed, advance, calendars, events, host, read } = await feedApp()
  host.serveEvents(one, two)
  const id = await addFeed()
  await expect(calendars.acceptEmpty({ id })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'This calendar is not empty.',
  })
  const fill = calendarOf(one, two)
  host.serveEvents()
  const emptyAt = '2026-03-04T17:00:00.000Z'
  expect(await read(id)).toEqual({ ...nothing, outcome: 'read', missing: 2 })
  for (let at = 0; at < 5; at += 1) {
    advance(4 * hourMs)
    expect(await read(id)).toMatchObject({ outcome: 'unchanged', missing: 2, ended: 0 })
  }
  const [feed] = (await calendars.overview()).feeds
  expect(feed).toMatchObject({ emptySince: emptyAt, eventCount: 2 })
  host.serve({ body: fill })
  expect(await read(id)).toMatchObject({ missing: 0 })
  expect((await calendars.overview()).feeds[0]).toMatchObject({ emptySince: null })
  host.serveEvents()
  await read(id)
  advance(24 * hourMs)
  expect(await read(id)).toEqual({ ...nothing, outcome: 'read', ended: 2 })
  expect(await events()).toEqual([])

  host.serve({ body: fill })
  await read(id)
  host.serveEvents()
  await read(id)
  const accepted = await calendars.acceptEmpty({ id })
  expect(accepted).toMatchObject({ ended: 2, feed: { emptySince: null, eventCount: 0 } })
  await expect(calendars.acceptEmpty({ id })).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('a mode change reads at once; blocks end in mode reservations and return in mode all [CAL-27]', async () => {
  const { addFeed, calendars, events, host } = await feedApp()
  host.serve({ body: calendarOf(one, block), headers: { etag: '"same"' } })
  const id = await addFeed('Airbnb', { provider: 'airbnb' })
  expect(await events()).toEqual(['2026-06-01 2026-06-08 active'])
  const all = await calendars.editFeed({ id, mode: 'all' })
  expect(all).toMatchObject({ feed: { mode: 'all', eventCount: 2 }, result: { outcome: 'read', added: 1 } })
  host.serve({ status: 503 })
  const without = await calendars.editFeed({ id, mode: 'reservations' })
  expect(without).toMatchObject({
    feed: { mode: 'reservations', eventCount: 1 },
    result: { outcome: 'failed' },
  })
  expect(await events()).toEqual(['2026-06-01 2026-06-08 active'])
  host.serve({ body: calendarOf(one, block), headers: { etag: '"same"' } })
  const { result } = await calendars.readNow({ id })
  expect(result).toEqual({ ...nothing, outcome: 'read' })
  expect(host.requests.filter(({ headers }) => 'if-none-match' in headers)).toEqual([])
  expect(await calendars.editFeed({ id, mode: 'reservations' })).toMatchObject({ result: null })
})

test('a new address frees no nights, even if it is refused or does not respond [CAL-08, CAL-34]', async () => {
  const { addFeed, advance, calendars, events, feedRow, host, read } = await feedApp()
  host.serveEvents(one, two)
  const id = await addFeed()
  host.serveEvents(two)
  await read(id)
  advance(3 * hourMs)
  await read(id)
  host.serve({ status: 404 }, '/gone.ics')
  const before = feedRow(id)
  await expect(calendars.editFeed({ id, url: host.url('/gone.ics') })).rejects.toMatchObject({
    cause: { fields: { url: '127.0.0.1 answered with 404.' } },
  })
  expect(feedRow(id)).toEqual(before)
  const moved = await calendars.editFeed({ id, url: host.url('/new.ics') })
  expect(moved).toMatchObject({ feed: { host: new URL(host.url()).host }, result: { missing: 1, ended: 0 } })
  host.serve({ status: 503 }, '/slow.ics')
  const slow = await calendars.editFeed({ id, url: host.url('/slow.ics'), name: 'Slow' })
  expect(slow).toMatchObject({ feed: { name: 'Slow', failures: 1 }, result: { outcome: 'failed' } })
  expect(await events()).toHaveLength(2)
  expect(host.requests.filter(({ headers }) => 'if-none-match' in headers)).toEqual([])
})

test('pausing frees no nights, and a paused calendar is not read [CAL-12, CAL-34]', async () => {
  const { addFeed, calendars, events, host } = await feedApp()
  host.serveEvents(one)
  const id = await addFeed()
  const paused = await calendars.editFeed({ id, active: false })
  expect(paused).toMatchObject({
    feed: { state: 'paused', nextAttemptAt: null, eventCount: 1 },
    result: null,
  })
  await expect(calendars.readNow({ id })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'This calendar is paused.',
  })
  expect(await events()).toEqual(['2026-06-01 2026-06-08 active'])
  expect(host.requests).toHaveLength(1)
  const resumed = await calendars.editFeed({ id, active: true })
  expect(resumed.feed).toMatchObject({ state: 'ok', nextAttemptAt: '2026-03-04T17:00:00.000Z' })
})

test('concurrent readings share one request and its result [CAL-12]', async () => {
  const { addFeed, calendars, host } = await feedApp()
  const id = await addFeed()
  host.serve({ hangs: true })
  const reading = Promise.all([1, 2, 3].map(() => calendars.readNow({ id })))
  await expect.poll(() => host.requests.length).toBe(2)
  host.respondToHanging(calendarOf(one))
  for (const { result } of await reading) expect(result).toMatchObject({ outcome: 'read', added: 1 })
  expect(host.requests).toHaveLength(2)
  host.serveEvents(one)
  await calendars.readNow({ id })
  expect(host.requests).toHaveLength(3)
})

test.each([
  ['removed', 'NOT_FOUND', 'Calendar not found'],
  ['paused', 'CONFLICT', 'This calendar is paused.'],
])(
  'does not apply a reading if the calendar is %s while it is read [CAL-16, CAL-34]',
  async (change, code, message) => {
    const { addFeed, calendars, eventRows, host } = await feedApp()
    const id = await addFeed()
    host.serve({ hangs: true })
    const reading = calendars.readNow({ id })
    const refused = expect(reading).rejects.toMatchObject({ code, message })
    await expect.poll(() => host.requests.length).toBe(2)
    await (change === 'removed' ? calendars.removeFeed({ id }) : calendars.editFeed({ id, active: false }))
    host.respondToHanging(calendarOf(one))
    await refused
    expect(eventRows()).toEqual([])
  },
)

test('does not apply a file from the old address after the address changed [CAL-16]', async () => {
  const { addFeed, calendars, deps, eventRows, host } = await feedApp()
  const id = await addFeed()
  host.serve({ hangs: true })
  const reading = calendars.readNow({ id })
  const refused = expect(reading).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect.poll(() => host.requests.length).toBe(2)
  await deps.write(tx =>
    tx
      .update(calendarFeeds)
      .set({ url: host.url('/new.ics') })
      .where(eq(calendarFeeds.id, id))
      .run(),
  )
  host.respondToHanging(calendarOf(one))
  await refused
  expect(eventRows()).toEqual([])
})

test('removing a calendar ends its events and returns how many nights became free [CAL-34]', async () => {
  const { addFeed, admin, as, calendars, events, host } = await feedApp()
  const begun = { uid: 'begun', start: '2026-03-01', end: '2026-03-06' }
  host.serve({ body: calendarOf(one, { ...one, uid: 'same nights' }, begun) }, '/Airbnb.ics')
  host.serve({ body: calendarOf({ uid: 'x', start: '2026-06-07', end: '2026-06-10' }) }, '/Vrbo.ics')
  const id = await addFeed()
  await addFeed('Vrbo')
  await as(admin).availability.setDate({ date: '2026-04-01', isAvailable: false, reason: 'Painting' })
  expect(await events()).toHaveLength(4)
  // June 1 to 6 (Vrbo has June 7), and March 4 and 5 (past nights do not count).
  expect(await calendars.removeFeed({ id })).toEqual({
    message: 'Airbnb was removed. 8 nights became free.',
    freedNights: 8,
  })
  expect(await events()).toEqual(['2026-06-07 2026-06-10 active'])
  await expect(calendars.removeFeed({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(calendars.readNow({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(calendars.events({ feedId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a released event takes no nights until it is taken back or moves [CAL-35]', async () => {
  const { addFeed, calendars, eventRows, events, host, read } = await feedApp()
  host.serveEvents(one)
  const id = await addFeed()
  const event = eventRows()[0]?.id ?? ''
  const released = await calendars.releaseEvent({ id: event, released: true })
  expect(released.event).toMatchObject({ state: 'released', blocks: false })
  await read(id)
  expect(await events()).toEqual(['2026-06-01 2026-06-08 released'])
  expect((await calendars.overview()).feeds[0]).toMatchObject({ eventCount: 0 })
  const back = await calendars.releaseEvent({ id: event, released: false })
  expect(back.event).toMatchObject({ state: 'active', blocks: true })
  await calendars.releaseEvent({ id: event, released: true })
  host.serveEvents({ ...one, end: '2026-06-09' })
  await read(id)
  expect(await events()).toEqual(['2026-06-01 2026-06-09 active'])
  // The nights that were released may have been booked there by another guest.
  await calendars.releaseEvent({ id: event, released: true })
  host.serveEvents({ ...one, uid: 'another', end: '2026-06-09' })
  expect(await read(id)).toMatchObject({ added: 1, moved: 0, missing: 0, ended: 1 })
  expect(await events()).toEqual(['2026-06-01 2026-06-09 active'])
  await calendars.removeFeed({ id })
  await expect(calendars.releaseEvent({ id: event, released: true })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('limits "Read now" to 30 times in 10 minutes, and sends no request beyond that [CAL-12]', async () => {
  const { addFeed, calendars, host } = await feedApp({ env: { RATE_LIMITS: 'on' } })
  const id = await addFeed()
  for (let at = 0; at < 30; at += 1) await calendars.readNow({ id })
  await expect(calendars.readNow({ id })).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect(host.requests).toHaveLength(31)
})

test('a calendar counts the events that take nights from today on [CAL-25, CAL-35]', async () => {
  const { addFeed, advance, calendars, host } = await feedApp()
  host.serveEvents({ uid: 'past', start: '2026-03-05', end: '2026-03-08' }, one, two)
  await addFeed()
  const count = async () => (await calendars.overview()).feeds[0]?.eventCount
  expect(await count()).toBe(3)
  advance(4 * 24 * hourMs)
  expect(await count()).toBe(2)
  const [{ id = '' } = {}] = (await calendars.events({})).events
  await calendars.releaseEvent({ id, released: true })
  expect(await count()).toBe(1)
})
