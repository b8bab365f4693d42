import { expect, test } from 'vitest'
import { lowestPrice } from './lowest-price.ts'

const rate = (nightly: number | null, endDate: string | null = null, weekendNight: number | null = null) => ({
  id: 'r',
  period: 'Winter',
  startDate: null,
  weekly: null,
  monthly: null,
  minStay: 3,
  nightly,
  weekendNight,
  endDate,
})

test('ignores periods in the past', () => {
  const rates = [rate(150, '2026-12-31', 140), rate(85, '2026-06-01'), rate(112.5, '2027-03-31'), rate(null)]
  expect(lowestPrice(rates, '2026-06-01', false)).toBe('$85')
  expect(lowestPrice(rates, '2026-06-02', false)).toBe('$112.50')
  expect(lowestPrice([rate(1250)], '2026-06-02', false)).toBe('$1,250')
})

test('a price with a minimum stay of a month counts unless shorter stays are refused', () => {
  const rates = [{ ...rate(100), minStay: 30 }, { ...rate(145), minStay: 27 }, rate(185)]
  expect(lowestPrice(rates, '2026-06-01', false)).toBe('$100')
  expect(lowestPrice(rates, '2026-06-01', true)).toBe('$145')
})

test('is undefined if no rate has a nightly price', () => {
  expect(lowestPrice([], '2026-06-01', false)).toBeUndefined()
  expect(lowestPrice([rate(null), rate(0), rate(85, '2026-05-31')], '2026-06-01', false)).toBeUndefined()
})
