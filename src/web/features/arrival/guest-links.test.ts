import { expect, test } from 'vitest'
import { lockedText } from './guest-links.tsx'

test.each([
  [['lease', 'deposit'], 'Opens after lease and payment'],
  [['payment', 'on_its_way'], 'Opens after payment'],
  [['on_its_way'], 'Opens when payment arrives'],
  [[], 'Not open yet'],
] as const)('a stay that lacks %j says: %s [STAY-09]', (kinds, text) => {
  const missing = kinds.map(kind => ({ kind, text: '', path: '' }))
  expect(lockedText({ missing })).toBe(text)
})
