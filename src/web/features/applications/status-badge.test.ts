import { expect, test } from 'vitest'
import { statusTone } from './status-badge.tsx'

test.each([
  ['draft', 'neutral', 'neutral'],
  ['pending', 'green', 'blue'],
  ['approved', 'green', 'green'],
  ['rejected', 'red', 'red'],
  ['completed', 'blue', 'blue'],
  ['archived', 'neutral', 'neutral'],
])('colors the %s status [STATUS-01, STATUS-02, STATUS-03, STATUS-04]', (status, tone, detailsTone) => {
  expect(statusTone(status, 'dashboard')).toBe(tone)
  expect(statusTone(status, 'details')).toBe(detailsTone)
})
