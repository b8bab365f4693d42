import { expect, test } from 'vitest'
import { chooseDay } from './stay-selection.ts'

const booked = ['2026-06-10', '2026-06-11']
const isFree = (day: string) => day >= '2026-06-01' && !booked.includes(day)
const choose = (...days: string[]) =>
  days.reduce<ReturnType<typeof chooseDay>>((selection, day) => chooseDay(selection, day, isFree), undefined)

test('the first chosen day is the arrival, a later day is the departure', () => {
  expect(choose('2026-06-03')).toEqual({ start: '2026-06-03' })
  expect(choose('2026-06-03', '2026-06-08')).toEqual({ start: '2026-06-03', end: '2026-06-08' })
})

test("allows leaving on another guest's arrival day, but not staying over a booked night", () => {
  expect(choose('2026-06-03', '2026-06-10')).toEqual({ start: '2026-06-03', end: '2026-06-10' })
  expect(choose('2026-06-03', '2026-06-11')).toEqual({ start: '2026-06-03' })
  expect(choose('2026-06-03', '2026-06-14')).toEqual({ start: '2026-06-03' })
})

test('an earlier day, or any day after a complete stay, starts a new selection', () => {
  expect(choose('2026-06-08', '2026-06-03')).toEqual({ start: '2026-06-03' })
  expect(choose('2026-06-03', '2026-06-08', '2026-06-20')).toEqual({ start: '2026-06-20' })
})

test('choosing the arrival again clears the selection', () => {
  expect(choose('2026-06-03', '2026-06-03')).toBeUndefined()
})

test('does not accept a booked or past day as the arrival', () => {
  expect(choose('2026-06-10')).toBeUndefined()
  expect(choose('2026-05-31')).toBeUndefined()
  const arrived = choose('2026-06-12')
  expect(chooseDay(arrived, '2026-05-31', isFree)).toBe(arrived)
})
