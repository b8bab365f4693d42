import { expect, test } from 'vitest'
import { datesInRange } from '../../../domain/common/dates.ts'
import { firstMonth } from './first-month.ts'

const taken = (start: string, end: string) =>
  datesInRange({ start, end }).map(date => ({ date, isAvailable: false, reason: 'Booked' }))

test('the home calendar opens on the first month with a free night, or on this one [HOME-13]', () => {
  const today = '2026-11-28'
  expect(firstMonth(today, [])).toBe('2026-11')
  expect(firstMonth(today, taken('2026-11-01', '2026-11-30'))).toBe('2026-11')
  expect(firstMonth(today, taken('2026-11-28', '2026-12-20'))).toBe('2026-12')
  expect(firstMonth(today, taken('2026-11-28', '2027-01-31'))).toBe('2027-01')
  expect(firstMonth(today, taken('2026-11-28', '2027-06-01'))).toBe('2026-11')
})
