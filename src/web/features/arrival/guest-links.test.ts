import { expect, test } from 'vitest'
import { lockedText } from './guest-links.tsx'

const opensAt = '2026-12-24T04:00:00.000Z'
const timeZone = 'America/New_York'

test.each([
  [['lease', 'deposit'], 'Opens after lease and payment'],
  [['payment', 'on_its_way'], 'Opens after payment'],
  [['on_its_way'], 'Opens when payment arrives'],
  [[], 'Not open yet'],
] as const)('a stay that lacks %j says: %s [STAY-09]', (kinds, text) => {
  const missing = kinds.map(kind => ({ kind, text: '', path: '' }))
  expect(lockedText({ missing, opensAt }, { today: '2026-12-23', timeZone })).toBe(text)
})

test('a stay that is paid but for the bank says when it opens, as long as that is ahead [STAY-09]', () => {
  const missing = [{ kind: 'on_its_way' as const, text: '', path: '' }]
  expect(lockedText({ missing, opensAt }, { today: '2026-12-22', timeZone })).toBe('Opens before the arrival')
})
