import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, datesInRange } from '../common/dates.ts'
import { occupancyOf } from './occupancy.ts'

const day = fc.integer({ min: -40, max: 400 }).map(offset => addDays('2026-01-01', offset))
const stay = fc
  .tuple(day, fc.integer({ min: 1, max: 60 }))
  .map(([start, nights]) => ({ start, end: addDays(start, nights) }))

test('each night counts once, as booked, elsewhere, blocked or free, and months add up to the year [BOOK-19]', () => {
  fc.assert(
    fc.property(fc.array(stay), fc.array(stay), fc.array(day), (bookings, elsewhere, blocked) => {
      const { months, year } = occupancyOf(2026, { bookings, elsewhere, blocked })
      expect(months.map(({ month }) => month)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
      for (const key of ['nights', 'booked', 'elsewhere', 'blocked', 'open', 'arrivals'] as const)
        expect(months.reduce((sum, each) => sum + each[key], 0)).toBe(year[key])
      const dates = datesInRange({ start: '2026-01-01', end: '2027-01-01' })
      const isIn = (date: string, stays: typeof bookings) =>
        stays.some(({ end, start }) => start <= date && date < end)
      const uses = dates.map(date =>
        isIn(date, bookings)
          ? 'booked'
          : isIn(date, elsewhere)
            ? 'elsewhere'
            : blocked.includes(date)
              ? 'blocked'
              : '',
      )
      for (const use of ['booked', 'elsewhere', 'blocked'] as const)
        expect(year[use]).toBe(uses.filter(each => each === use).length)
      expect(year.open).toBe(365 - year.blocked)
      expect(year.percent).toBeLessThanOrEqual(100)
    }),
  )
})

test('a month half blocked and half booked is full; a blocked booking is booked; a stay that comes back from elsewhere arrives once [BOOK-19]', () => {
  const { months } = occupancyOf(2026, {
    bookings: [
      { start: '2025-12-20', end: '2026-01-04' },
      { start: '2026-06-11', end: '2026-06-26' },
    ],
    elsewhere: [
      { start: '2026-06-11', end: '2026-06-26' },
      { start: '2026-07-30', end: '2026-08-02' },
    ],
    blocked: [
      ...datesInRange({ start: '2026-06-01', end: '2026-06-16' }),
      ...datesInRange({ start: '2026-09-01', end: '2026-10-01' }),
    ],
  })
  expect(months[0]).toMatchObject({ nights: 31, booked: 3, open: 31, percent: 9.7, arrivals: 0 })
  expect(months[5]).toMatchObject({
    nights: 30,
    booked: 15,
    elsewhere: 0,
    blocked: 10,
    open: 20,
    percent: 75,
    arrivals: 1,
  })
  expect(months[6]).toMatchObject({ elsewhere: 2, percent: 6.5, arrivals: 1 })
  expect(months[7]).toMatchObject({ elsewhere: 1, arrivals: 0 })
  expect(months[8]).toMatchObject({ blocked: 30, open: 0, percent: 0 })
})
