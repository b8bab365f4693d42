import { expect, test } from 'vitest'
import { formatAge } from './age.ts'

const now = new Date('2027-06-01T12:00:00Z')
const [second, minute, hour] = [1000, 60_000, 3_600_000]

test.each([
  [0, 'just now'],
  [-59 * second, 'just now'],
  [-minute, '1 minute ago'],
  [-5 * minute - 59 * second, '5 minutes ago'],
  [-59 * minute, '59 minutes ago'],
  [-hour, '1 hour ago'],
  [-23 * hour - 59 * minute, '23 hours ago'],
  [-24 * hour, '1 day ago'],
  [-72 * hour, '3 days ago'],
  [30 * second, 'in a moment'],
  [25 * minute, 'in 25 minutes'],
  [6 * hour, 'in 6 hours'],
  [72 * hour - second, 'in 3 days'],
  [60 * hour - second, 'in 2 days'],
  // The end of a day in New York, and a full day before one.
  [279 * hour + 59 * minute, 'in 11 days'],
  [280 * hour, 'in 11 days'],
])('shows a timestamp %d ms from now as %s', (ms, text) => {
  expect(formatAge(new Date(now.getTime() + ms).toISOString(), now, 'America/New_York')).toBe(text)
})
