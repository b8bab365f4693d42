import { expect, test } from 'vitest'
import { chooseEncoding } from './encodings.ts'

const all = { br: true, gzip: true }

test.each([
  [undefined, 'identity'],
  ['gzip, deflate, br', 'br'],
  ['GZIP ; q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br ; Q=0.000 , gzip;q=0', 'identity'],
  // In quadratic time, this would take an hour.
  [`gzip${' '.repeat(2_000_000)}x, br`, 'br'],
])('chooses what %.30j accepts', (accepted, encoding) => {
  expect(chooseEncoding(accepted, all)).toBe(encoding)
})
