import { expect, test } from 'vitest'
import { yearLater } from './promise-until.ts'

test('a year later the last days of a leap February are one night [CLAIM-28]', () => {
  const later = (start: string, end: string) => Object.values(yearLater({ start, end }))
  expect(later('2026-06-01', '2026-07-01')).toEqual(['2027-06-01', '2027-07-01'])
  expect(later('2028-02-27', '2028-02-29')).toEqual(['2029-02-27', '2029-02-28'])
  expect(later('2028-02-28', '2028-02-29')).toEqual(['2029-02-28', '2029-03-01'])
})
