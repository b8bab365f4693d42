import { expect, test } from 'vitest'
import { chooseDay } from './stay-selection.ts'

const booked = ['2026-06-10', '2026-06-11']
const isFree = (day: string) => day >= '2026-06-01' && !booked.includes(day)
const choose = (...days: string[]) =>
  days.reduce<ReturnType<typeof chooseDay>>((selection, day) => chooseDay(selection, day, isFree), undefined)

test('the first day is the arrival, a later one the departure', () => {
  expect(choose('2026-06-03')).toEqual({ start: '2026-06-03' })
  expect(choose('2026-06-03', '2026-06-08')).toEqual({ start: '2026-06-03', end: '2026-06-08' })
})

test('one may leave on the day on which somebody else arrives, but not stay over a booked night', () => {
  expect(choose('2026-06-03', '2026-06-10')).toEqual({ start: '2026-06-03', end: '2026-06-10' })
  expect(choose('2026-06-03', '2026-06-11')).toEqual({ start: '2026-06-03' })
  expect(choose('2026-06-03', '2026-06-14')).toEqual({ start: '2026-06-14' })
})

test('an earlier day, and any day after a whole stay, begins a new one', () => {
  expect(choose('2026-06-08', '2026-06-03')).toEqual({ start: '2026-06-03' })
  expect(choose('2026-06-03', '2026-06-08', '2026-06-20')).toEqual({ start: '2026-06-20' })
})

test('the arrival picked again is dropped', () => {
  expect(choose('2026-06-03', '2026-06-03')).toBeUndefined()
})

test('booked and past days cannot be the arrival', () => {
  expect(choose('2026-06-10')).toBeUndefined()
  expect(choose('2026-05-31')).toBeUndefined()
  const arrived = choose('2026-06-12')
  expect(chooseDay(arrived, '2026-05-31', isFree)).toBe(arrived)
})
