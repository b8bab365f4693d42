import { expect, test } from 'vitest'
import { barParts, importedStays } from './bars.ts'

const entry = (date: string, reason: string, isAvailable = false) => ({
  date,
  isAvailable,
  reason,
  applicationId: null,
  applicationNumber: null,
})
const imported = (date: string) => ({ ...entry(date, 'Booked'), feedId: 'f', feedName: 'Airbnb' })
const booking = {
  applicationId: 'a',
  applicationNumber: 'APP-2026-0011',
  firstName: 'Sam',
  lastName: 'Carter',
  // A Monday and a Tuesday.
  start: '2026-12-28',
  end: '2027-01-05',
}
const nothing = { bookings: [], entries: [], promises: [], timeZone: 'America/New_York', first: '2026-12-01' }
const draw = (data: Partial<Parameters<typeof barParts>[0]>) =>
  [...barParts({ ...nothing, ...data }).values()]
    .flat()
    .map(({ kind, name, start, nights, isFirst, isJoined, isLast, isNamed, isReachable }) =>
      [
        `${start} ${kind} ${isNamed ? name : '-'} ${nights}`,
        ...(isFirst ? ['first'] : []),
        ...(isLast ? ['last'] : []),
        ...(isJoined ? ['half'] : []),
        ...(isReachable ? ['reachable'] : []),
      ].join(' '),
    )

test('draws a booking as one bar from arrival to departure, split at the end of each calendar row [LOOK-23]', () => {
  expect(draw({ bookings: [booking] })).toEqual([
    '2026-12-28 booking Carter 4 first reachable',
    '2027-01-01 booking Carter 2',
    '2027-01-03 booking Carter 2 last half',
  ])
  expect(draw({ bookings: [booking], first: '2027-01-01' })[1]).toBe('2027-01-01 booking Carter 2 reachable')
  const [[part] = []] = barParts({ ...nothing, bookings: [booking] }).values()
  expect(part).toMatchObject({
    href: '/admin/application/a',
    title: 'Sam Carter, APP-2026-0011: Dec 28, 2026 – Jan 5, 2027, 8 nights',
  })
})

test('names each part, and shows a departure in a separate row as half a day', () => {
  // From a Friday to a Sunday, and from there to a Saturday.
  const end = '2026-12-13'
  const next = { ...booking, applicationId: 'b', lastName: 'Bell', start: end, end: '2026-12-19' }
  expect(draw({ bookings: [{ ...booking, start: '2026-12-04', end }, next] })).toEqual([
    '2026-12-04 booking Carter 2 first reachable',
    '2026-12-06 booking Carter 7',
    '2026-12-13 booking - 0 last half',
    '2026-12-13 booking Bell 6 first last half reachable',
  ])
  expect(draw({ bookings: [{ ...booking, end: '2027-01-02' }], first: '2027-01-01' })).toEqual([
    '2026-12-28 booking Carter 4 first',
    '2027-01-01 booking Carter 1 last half reachable',
  ])
})

test('shows imported nights with their platform and blocked days with their reason [LOOK-23]', () => {
  const entries = [
    entry('2026-12-06', 'Painting'),
    entry('2026-12-07', 'Painting'),
    entry('2026-12-08', 'Unavailable'),
    imported('2026-12-09'),
    imported('2026-12-10'),
    entry('2026-12-11', 'Painting'),
    entry('2026-12-12', 'Painting', true),
  ]
  expect(draw({ entries })).toEqual([
    '2026-12-09 imported Airbnb 2 first last half reachable',
    '2026-12-06 blocked Painting 2 first last reachable',
    '2026-12-11 blocked Painting 1 first last reachable',
  ])
})

test('shows held and promised nights as stays with whom they are kept for [CLAIM-08]', () => {
  const held = { claimId: 'c', claimName: 'Anna Miller', claimUntil: '2027-01-03T23:00:00.000Z' }
  const entries = ['2026-12-07', '2026-12-08'].map(date => ({ ...entry(date, 'Held'), ...held }))
  const promise = {
    claimId: 'p',
    name: 'Maya Rivers',
    state: 'asked' as const,
    until: '2026-12-06T05:00:00.000Z',
  }
  const promises = [{ ...promise, startDate: '2026-12-14', endDate: '2026-12-18' }]
  expect(draw({ entries, promises })).toEqual([
    '2026-12-07 held Held for Anna Miller 2 first last half reachable',
    '2026-12-14 promised Promised to Maya Rivers 4 first last half reachable',
  ])
  const parts = [...barParts({ ...nothing, entries, promises }).values()].flat()
  expect(parts.map(({ href, title }) => ({ href, title }))).toEqual([
    { href: '/admin/offers', title: 'Held for Anna Miller until Jan 3, 2027, 6:00 PM' },
    { href: '/admin/offers?show=promised', title: 'Promised to Maya Rivers until Dec 5, 2026, to answer' },
  ])
})

const night = (date: string, feed?: string) => ({
  date,
  isAvailable: false,
  reason: 'Booked',
  applicationId: null,
  applicationNumber: null,
  ...(feed && { feedId: feed, feedName: `Name of ${feed}` }),
})

test('merges consecutive imported nights of the same calendar into stays [CAL-36]', () => {
  const entries = [
    night('2027-06-01', 'a'),
    night('2027-06-02', 'a'),
    night('2027-06-03', 'b'),
    night('2027-06-04'),
    night('2027-06-05', 'b'),
    night('2027-06-07', 'b'),
  ]
  expect(importedStays(entries)).toEqual([
    { feedId: 'a', feedName: 'Name of a', start: '2027-06-01', end: '2027-06-03' },
    { feedId: 'b', feedName: 'Name of b', start: '2027-06-03', end: '2027-06-04' },
    { feedId: 'b', feedName: 'Name of b', start: '2027-06-05', end: '2027-06-06' },
    { feedId: 'b', feedName: 'Name of b', start: '2027-06-07', end: '2027-06-08' },
  ])
  expect(importedStays([night('2027-06-04')])).toEqual([])
})
