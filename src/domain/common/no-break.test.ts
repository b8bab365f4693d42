import { expect, test } from 'vitest'
import { noBreak } from './no-break.ts'

test.each([
  ['Answer by Dec 10, 2026.', 'Answer by Dec~10,~2026.'],
  ['Jun 12 – Jun 26, 2028', 'Jun~12~– Jun~26,~2028'],
  ['Dec 5, 2026, from 4:00 PM EST', 'Dec~5,~2026, from 4:00~PM~EST'],
  ['Sep 21, 2026, 12:32 PM EDT', 'Sep~21,~2026, 12:32~PM~EDT'],
  ['Unit 2B, Seabright Beach, FL 32000', 'Unit~2B, Seabright Beach, FL~32000'],
  ['Payment 2 of 2: $50.00, THE rest', 'Payment~2 of~2: $50.00, THE rest'],
])('keeps dates, times and numbers of %s together [LOOK-98]', (text, kept) => {
  expect(noBreak(text).replaceAll('\u00a0', '~')).toBe(kept)
})
