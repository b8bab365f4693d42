import { expect, test } from 'vitest'
import { diffConflicts, doubleBookings } from './calendar-conflict.ts'
import type { CalendarEvent } from './calendar-event.ts'

const today = '2027-06-01'
const event = (
  id: string,
  start: string,
  end: string,
  change: Partial<CalendarEvent> = {},
): CalendarEvent => ({
  id,
  feedId: 'airbnb',
  uid: id,
  kind: 'reservation',
  start,
  end,
  echo: false,
  coveredAt: null,
  lastSeenAt: '2027-05-01T00:00:00.000Z',
  missingSince: null,
  misses: 0,
  releasedAt: null,
  endedAt: null,
  ...change,
})
const stay = { applicationId: 'app', start: '2027-06-10', end: '2027-06-20' }

test('an event and a booking that share nights from today on are a conflict, with the shared nights [CAL-42]', () => {
  expect(doubleBookings([event('e', '2027-06-05', '2027-06-12')], [stay], today)).toEqual([
    { eventId: 'e', applicationId: 'app', otherEventId: null, start: '2027-06-10', end: '2027-06-12' },
  ])
  const begun = { ...stay, start: '2027-05-20', end: '2027-06-03' }
  expect(doubleBookings([event('e', '2027-05-25', '2027-06-12')], [begun], today)).toMatchObject([
    { start: '2027-06-01', end: '2027-06-03' },
  ])
  expect(doubleBookings([event('e', '2027-06-05', '2027-06-10')], [stay], today)).toEqual([])
  const past = { ...stay, start: '2027-05-01', end: '2027-06-01' }
  expect(doubleBookings([event('e', '2027-05-05', '2027-06-12')], [past], today)).toEqual([])
})

test.each([
  ['a block', { kind: 'block' }],
  ['an echo', { kind: 'unclear', echo: true }],
  ['a released event', { releasedAt: '2027-05-01T00:00:00.000Z' }],
  ['an ended event', { endedAt: '2027-05-01T00:00:00.000Z' }],
] as const)('%s is no conflict [CAL-42, CAL-47]', (_title, change) => {
  const changed = event('e', '2027-06-05', '2027-06-12', change)
  expect(doubleBookings([changed], [stay], today)).toEqual([])
})

test('two overlapping reservations of different feeds are one conflict, in either order [CAL-43]', () => {
  const one = event('a', '2027-06-05', '2027-06-12')
  const other = event('b', '2027-06-11', '2027-06-14', { feedId: 'vrbo' })
  const expected = [
    { eventId: 'a', otherEventId: 'b', applicationId: null, start: '2027-06-11', end: '2027-06-12' },
  ]
  expect(doubleBookings([one, other], [], today)).toEqual(expected)
  expect(doubleBookings([other, one], [], today)).toEqual(expected)
  expect(doubleBookings([one, { ...other, feedId: 'airbnb' }], [], today)).toEqual([])
  expect(doubleBookings([one, { ...other, kind: 'unclear' }], [], today)).toEqual([])
})

test('a conflict is reported once, ends when no night is shared any more, and can come back [CAL-42, CAL-44]', () => {
  const [found] = doubleBookings([event('e', '2027-06-05', '2027-06-12')], [stay], today)
  if (!found) throw new Error('no conflict')
  const stored = { eventId: 'e', applicationId: 'app', otherEventId: null, resolvedAt: null }
  const over = { ...stored, resolvedAt: '2027-05-01T00:00:00.000Z' }
  expect(diffConflicts([], [found])).toEqual({ added: [found], back: [], gone: [] })
  expect(diffConflicts([stored], [found])).toEqual({ added: [], back: [], gone: [] })
  expect(diffConflicts([stored], [])).toEqual({ added: [], back: [], gone: [stored] })
  expect(diffConflicts([over], [found])).toEqual({ added: [], back: [over], gone: [] })
  expect(diffConflicts([over], [])).toEqual({ added: [], back: [], gone: [] })
})
