import { expect, test } from 'vitest'
import { importedStays } from './imported-stays.ts'

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
