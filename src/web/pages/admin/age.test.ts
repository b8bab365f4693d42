import { expect, test } from 'vitest'
import { formatAge } from './age.ts'

const read = '2027-06-01T16:00:00.000Z'
const minutesLater = (minutes: number) =>
  formatAge(read, new Date(Date.parse(read) + minutes * 60_000), 'America/New_York')

test.each([
  [0.9, 'just now'],
  [-4, 'just now'],
  [1, '1 minute ago'],
  [59.9, '59 minutes ago'],
  [60, '1 hour ago'],
  [23.9 * 60, '23 hours ago'],
  [24 * 60, '1 day ago'],
  [80 * 60, '3 days ago'],
])('%d minutes after a reading it says: %s', (minutes, text) => {
  expect(minutesLater(minutes)).toBe(text)
})

test('a clock that is behind the reading shows when it was', () => {
  expect(minutesLater(-6)).toBe('Jun 1, 2027, 12:00 PM EDT')
})
