import { expect, test } from 'vitest'
import { secureSentence } from './claim.ts'

test('whoever accepted is asked until the last day, and then told that we look [CLAIM-26]', () => {
  const on = (today: string) =>
    secureSentence('2026-03-08T05:00:00.000Z', { today, timeZone: 'America/New_York' })
  expect(on('2026-03-07')).toBe('Please sign the lease and pay the deposit by Mar 7, 2026.')
  expect(on('2026-03-08')).toBe('We are checking your payment.')
})
