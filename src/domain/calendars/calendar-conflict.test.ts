import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seed } from '../../testing/random.ts'
import { addDays } from '../common/dates.ts'
import {
  type BookedNights,
  countDoubleBookings,
  type DoubleBooking,
  doubleBookingKey,
  doubleBookings,
  standingPair,
  takingEvents,
} from './calendar-conflict.ts'
import { type CalendarEvent, eventKinds, sharedNights } from './calendar-event.ts'

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
const found = (events: CalendarEvent[], booked: BookedNights[]) => [
  ...doubleBookings(takingEvents(events, today), booked),
]
const stay = { applicationId: 'app', start: '2027-06-10', end: '2027-06-20' }

test('an event and a booking that share nights from today on are a conflict, with the shared nights [CAL-42]', () => {
  expect(found([event('e', '2027-06-05', '2027-06-12')], [stay])).toEqual([
    { eventId: 'e', applicationId: 'app', otherEventId: null, start: '2027-06-10', end: '2027-06-12' },
  ])
  const begun = { ...stay, start: '2027-05-20', end: '2027-06-03' }
  expect(found([event('e', '2027-05-25', '2027-06-12')], [begun])).toMatchObject([
    { start: '2027-06-01', end: '2027-06-03' },
  ])
  expect(found([event('e', '2027-06-05', '2027-06-10')], [stay])).toEqual([])
  const past = { ...stay, start: '2027-05-01', end: '2027-06-01' }
  expect(found([event('e', '2027-05-05', '2027-06-12')], [past])).toEqual([])
})

test.each([
  ['a block', { kind: 'block' }],
  ['an echo', { kind: 'unclear', echo: true }],
  ['a released event', { releasedAt: '2027-05-01T00:00:00.000Z' }],
  ['an ended event', { endedAt: '2027-05-01T00:00:00.000Z' }],
] as const)('%s is no conflict [CAL-42, CAL-47]', (_title, change) => {
  const changed = event('e', '2027-06-05', '2027-06-12', change)
  expect(found([changed], [stay])).toEqual([])
})

test('two overlapping reservations of different feeds are one conflict, in either order [CAL-43]', () => {
  const one = event('a', '2027-06-05', '2027-06-12')
  const other = event('b', '2027-06-11', '2027-06-14', { feedId: 'vrbo' })
  const expected = [
    { eventId: 'a', otherEventId: 'b', applicationId: null, start: '2027-06-11', end: '2027-06-12' },
  ]
  expect(found([one, other], [])).toEqual(expected)
  expect(found([other, one], [])).toEqual(expected)
  expect(found([one, { ...other, feedId: 'airbnb' }], [])).toEqual([])
  expect(found([one, { ...other, kind: 'unclear' }], [])).toEqual([])
})

test('a stored pair stands while it shares a night [CAL-44]', () => {
  const [one, other] = [
    event('a', '2027-06-05', '2027-06-12'),
    event('b', '2027-06-11', '2027-06-14', { feedId: 'vrbo' }),
  ]
  const standing = (events: CalendarEvent[], booked: BookedNights[], pair: Partial<DoubleBooking>) => {
    const ids = { eventId: 'a', applicationId: null, otherEventId: null, ...pair }
    const eventsById = new Map(takingEvents(events, today).map(each => [each.id, each]))
    return standingPair(ids, eventsById, new Map(booked.map(each => [each.applicationId ?? '', each])))
  }
  const nights = { start: '2027-06-10', end: '2027-06-12' }
  expect(standing([one], [stay], { applicationId: 'app' })).toMatchObject(nights)
  expect(standing([one], [], { applicationId: 'app' })).toBeNull()
  expect(standing([], [stay], { applicationId: 'app' })).toBeNull()
  expect(standing([{ ...one, end: '2027-06-10' }], [stay], { applicationId: 'app' })).toBeNull()
  const pair = { otherEventId: 'b' }
  expect(standing([one, other], [], pair)).toMatchObject({ start: '2027-06-11', end: '2027-06-12' })
  expect(standing([one, { ...other, kind: 'unclear' }], [], pair)).toBeNull()
  expect(standing([one, { ...other, feedId: 'airbnb' }], [], pair)).toBeNull()
})

test('walking by night finds, counts and confirms the same pairs as comparing each with each [FIX-26]', () => {
  const day = fc.integer({ min: 0, max: 12 })
  const range = fc.record({ from: day, nights: fc.integer({ min: 1, max: 5 }) })
  const dates = ({ from, nights }: { from: number; nights: number }) => {
    const start = addDays('2027-05-29', from)
    return { start, end: addDays(start, nights) }
  }
  const feedId = fc.constantFrom('airbnb', 'vrbo', 'booking')
  const kind = fc.constantFrom(...eventKinds)
  const events = fc.array(fc.record({ range, feedId, kind }), { maxLength: 12 })
  fc.assert(
    fc.property(events, fc.array(range, { maxLength: 4 }), (drawn, stays) => {
      const all = drawn.map(({ feedId, kind, range }, at) => {
        const { end, start } = dates(range)
        return event(`e${at}`, start, end, { feedId, kind })
      })
      const taking = takingEvents(all, today)
      const booked = stays.map((range, at) => ({ applicationId: `a${at}`, ...dates(range) }))
      const expected = [
        ...taking.flatMap(({ id, ...nights }) =>
          booked
            .filter(other => sharedNights(nights, other))
            .map(({ applicationId }) => `${id} ${applicationId} `),
        ),
        ...taking.flatMap((one, at) =>
          taking
            .slice(at + 1)
            .filter(other => other.feedId !== one.feedId && sharedNights(one, other))
            .filter(other => one.kind === 'reservation' && other.kind === 'reservation')
            .map(({ id }) => `${[one.id, id].sort().join('  ')}`),
        ),
      ]
      const walked = [...doubleBookings(taking, booked)]
      expect(walked.map(doubleBookingKey).sort()).toEqual(expected.sort())
      expect(walked.map(({ start }) => start)).toEqual(walked.map(({ start }) => start).sort())
      expect(countDoubleBookings(taking, booked)).toBe(expected.length)
      const eventsById = new Map(taking.map(each => [each.id, each]))
      const staysById = new Map(booked.map(each => [each.applicationId, each]))
      for (const pair of walked) expect(standingPair(pair, eventsById, staysById)).toEqual(pair)
    }),
    { seed, numRuns: 300 },
  )
})
