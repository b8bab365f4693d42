import { expect, test } from 'vitest'
import { secureSentence } from './claim.ts'

test('a guest who accepted is reminded until the deadline, then reads that the payment is being checked [CLAIM-26]', () => {
  const on = (today: string) =>
    secureSentence('2026-03-08T05:00:00.000Z', { today, timeZone: 'America/New_York' })
  expect(on('2026-03-07')).toBe('Please sign the lease and pay the deposit by Mar 7, 2026.')
  expect(on('2026-03-08')).toBe('We are checking your payment.')
})
