import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, dateIn } from './dates.ts'
import { middayIn, startOfDateIn } from './zoned-time.ts'

test('a date begins at midnight of its zone, in winter, summer and on the nights of the clock change', () => {
  const start = (date: string, zone = 'America/New_York') => startOfDateIn(date, zone).toISOString()
  expect(start('2026-01-15')).toBe('2026-01-15T05:00:00.000Z')
  expect(start('2026-07-15')).toBe('2026-07-15T04:00:00.000Z')
  expect([start('2026-03-08'), start('2026-03-09')]).toEqual([
    '2026-03-08T05:00:00.000Z',
    '2026-03-09T04:00:00.000Z',
  ])
  expect([start('2026-11-01'), start('2026-11-02')]).toEqual([
    '2026-11-01T04:00:00.000Z',
    '2026-11-02T05:00:00.000Z',
  ])
  // Midnight of that day did not exist in Santiago.
  expect(start('2026-09-06', 'America/Santiago')).toBe('2026-09-06T04:00:00.000Z')
})

test('for any date and zone, the start is in that date and the moment before is not', () => {
  const zones = [
    'America/New_York',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'Asia/Kathmandu',
    'UTC',
    'America/Santiago',
  ]
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 6000 }), fc.constantFrom(...zones), (days, zone) => {
      const date = addDays('2020-01-01', days)
      const start = startOfDateIn(date, zone)
      expect(dateIn(start, zone)).toBe(date)
      expect(dateIn(new Date(start.getTime() - 1), zone)).toBe(addDays(date, -1))
      expect(dateIn(new Date(middayIn(date, zone)), zone)).toBe(date)
    }),
  )
})
