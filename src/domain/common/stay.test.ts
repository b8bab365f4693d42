import { expect, test } from 'vitest'
import { formatBriefStay, stayPhase } from './stay.ts'

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

test.each([
  ['2026-11-28', '2026-12-08', 'Nov 28 – Dec 8'],
  ['2026-11-03', '2026-11-08', 'Nov 3 – 8'],
  ['2026-12-28', '2027-01-04', 'Dec 28, 2026 – Jan 4, 2027'],
  ['2027-01-03', '2027-02-02', 'Jan 3 – Feb 2, 2027'],
])('in 2026 the short form of a stay from %s to %s is %s [LOOK-44]', (start, end, text) => {
  expect(formatBriefStay({ start, end }, '2026-11-22')).toBe(text)
})
