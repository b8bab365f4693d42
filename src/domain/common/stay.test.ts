import { expect, test } from 'vitest'
import { stayPhase } from './stay.ts'

test.each([
  ['2026-05-31', 'before'],
  ['2026-06-01', 'during'],
  ['2026-06-15', 'during'],
  ['2026-06-30', 'during'],
  ['2026-07-01', 'after'],
  ['2027-06-10', 'after'],
] as const)('on %s a stay from Jun 1 to Jun 30, 2026 counts as %s [LOOK-05]', (today, phase) => {
  expect(stayPhase({ start: '2026-06-01', end: '2026-06-30' }, today)).toBe(phase)
})
