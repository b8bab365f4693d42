import { expect, test } from 'vitest'
import { asSignedCents } from './money-values.ts'

test.each([
  ['25', 2500],
  ['-25.5', -2550],
  [' -0.29 ', -29],
  ['', undefined],
  ['-', undefined],
])('converts %j dollars to %j cents', (text, cents) => {
  expect(asSignedCents.setValueAs(text)).toBe(cents)
})

test.each(['1.234', '--5', 'ten'])('rejects %j', text => {
  expect(asSignedCents.setValueAs(text)).toBeNaN()
})
