import { expect, test } from 'vitest'
import { datesInRange } from '../../../domain/common/dates.ts'
import { firstMonth } from './first-month.ts'

const [today, knownUntil] = ['2026-11-28', '2027-03-31']
const taken = (start: string, end: string) =>
  datesInRange({ start, end }).map(date => ({ date, isAvailable: false, reason: 'Booked' }))
const monthWith = (...entries: ReturnType<typeof taken>[]) => firstMonth(today, knownUntil, entries.flat())

test('a calendar opens on the first month with a week free, else with a free night, else on this one [HOME-13]', () => {
  expect(monthWith()).toBe('2026-11')
  expect(monthWith(taken('2026-11-01', '2026-11-30'))).toBe('2026-11')
  expect(monthWith(taken('2026-11-28', '2026-12-20'))).toBe('2026-12')
  expect(monthWith(taken('2026-11-28', '2026-12-10'), taken('2026-12-16', '2027-02-03'))).toBe('2027-02')
  expect(monthWith(taken('2026-11-28', '2026-12-10'), taken('2026-12-16', '2027-06-01'))).toBe('2026-12')
  expect(monthWith(taken('2026-11-28', '2027-06-01'))).toBe('2026-11')
})

test('a calendar opens where the minimum stay of the season is free [HOME-13]', () => {
  const entries = [...taken('2026-11-28', '2026-12-10'), ...taken('2026-12-20', '2027-01-25')]
  const rates = [
    { startDate: '2026-11-01', endDate: '2027-02-28', minStay: 30 },
    { startDate: '2026-12-15', endDate: '2027-01-03', minStay: 5 },
  ]
  expect(firstMonth(today, knownUntil, entries, rates)).toBe('2026-12')
  expect(firstMonth(today, knownUntil, entries, rates.slice(0, 1))).toBe('2027-01')
})

test('a calendar opens on a month in which guests may arrive', () => {
  expect(firstMonth(today, knownUntil, [], [], day => day >= '2027-01-04')).toBe('2027-01')
})
