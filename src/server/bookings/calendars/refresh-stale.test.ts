import { expect, test } from 'vitest'
import { minuteMs } from '../../../domain/common/durations.ts'
import { calendarOf, feedApp } from '../../../testing/calendar-host.ts'
import { refreshStaleFeeds } from './refresh-stale.ts'

const one = { uid: 'one', start: '2026-06-01', end: '2026-06-08' }

test('reads only active calendars without a successful reading in the last 15 minutes [CAL-40]', async () => {
  const { addFeed, advance, calendars, deps, events, host, read } = await feedApp()
  const saysKinds = { provider: 'airbnb' } as const
  await addFeed('Airbnb', saysKinds)
  const vrbo = await addFeed('Vrbo', saysKinds)
  await calendars.editFeed({ id: await addFeed('Paused'), active: false })
  host.requests.length = 0
  advance(15 * minuteMs - 1)
  expect(await refreshStaleFeeds(deps)).toEqual([])
  expect(host.requests).toEqual([])
  await read(vrbo)
  advance(1)
  host.requests.length = 0
  host.serve({ body: calendarOf(one) })
  expect(await refreshStaleFeeds(deps)).toEqual([])
  expect(host.requests.map(({ path }) => path)).toEqual(['/Airbnb.ics'])
  expect(await events()).toEqual(['2026-06-01 2026-06-08 active'])
  await refreshStaleFeeds(deps)
  expect(host.requests).toHaveLength(1)
})

test('always reads a calendar that does not say what an event is [CAL-40]', async () => {
  const { addFeed, deps, events, host } = await feedApp()
  await addFeed('Booking.com')
  await addFeed('Airbnb', { provider: 'airbnb' })
  host.requests.length = 0
  host.serve({ body: calendarOf(one) })
  expect(await refreshStaleFeeds(deps)).toEqual([])
  expect(host.requests.map(({ path }) => path)).toEqual(['/Booking.com.ics'])
  expect(await events()).toEqual(['2026-06-01 2026-06-08 active'])
})

test('reports a failing calendar without stopping the others, with one time limit for all [CAL-40]', async () => {
  const { addFeed, advance, deps, events, host } = await feedApp()
  for (const name of ['Airbnb', 'Vrbo', 'Slow']) await addFeed(name)
  advance(16 * minuteMs)
  host.serve({ body: calendarOf(one) }, '/Airbnb.ics')
  host.serve({ status: 500 }, '/Vrbo.ics')
  host.serve({ hangs: true }, '/Slow.ics')
  const began = performance.now()
  expect((await refreshStaleFeeds(deps, 1500)).sort()).toEqual([
    'Slow could not be read just now: 127.0.0.1 did not answer within 10 seconds.',
    'Vrbo could not be read just now: 127.0.0.1 answered with 500.',
  ])
  expect(performance.now() - began).toBeLessThan(5000)
  expect(await events()).toEqual(['2026-06-01 2026-06-08 active'])
})

test('does nothing without calendars [CAL-01, CAL-40]', async () => {
  const { deps, host } = await feedApp()
  expect(await refreshStaleFeeds(deps)).toEqual([])
  expect(host.requests).toEqual([])
})
