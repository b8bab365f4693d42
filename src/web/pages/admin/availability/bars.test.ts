import { expect, test } from 'vitest'
import { barParts } from './bars.ts'

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
const draw = (data: Partial<Parameters<typeof barParts>[0]>) =>
  [...barParts({ bookings: [], entries: [], first: '2026-12-01', ...data }).values()].map(
    ({ kind, name, start, nights, isFirst, isLast, isReachable }) =>
      `${start} ${kind} ${name} ${nights}${isFirst ? ' first' : ''}${isLast ? ' last' : ''}${isReachable ? ' reachable' : ''}`,
  )

test('a booking is one bar from arrival to departure, cut where a row of the calendar ends [LOOK-23]', () => {
  expect(draw({ bookings: [booking] })).toEqual([
    '2026-12-28 booking Carter 4 first reachable',
    '2027-01-01 booking Carter 2',
    '2027-01-03 booking Carter 2 last',
  ])
  expect(draw({ bookings: [booking], first: '2027-01-01' })[1]).toBe('2027-01-01 booking Carter 2 reachable')
  const [part] = barParts({ bookings: [booking], entries: [], first: '2026-12-01' }).values()
  expect(part).toMatchObject({
    href: '/admin/application/a',
    title: 'Sam Carter, APP-2026-0011: Dec 28, 2026 to Jan 5, 2027, 8 nights',
  })
})

test('nights of another platform have its name; blocked days have their reason, where there is one [LOOK-23]', () => {
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
    '2026-12-09 imported Airbnb 2 first last reachable',
    '2026-12-06 blocked Painting 2 first last reachable',
    '2026-12-11 blocked Painting 1 first last reachable',
  ])
})
