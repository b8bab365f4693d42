import { expect, test } from 'vitest'
import { asSignedCents, parseDollars, toDollarText } from './dollar-amount.ts'

test.each([
  ['2500', 250_000],
  ['0.29', 29],
  ['19.9', 1990],
  ['1.', 100],
  ['.5', 50],
  [' 1234.56 ', 123_456],
  ['10000000', 1_000_000_000],
])('parses %s dollars as %i cents', (text, cents) => {
  expect(parseDollars(text)).toBe(cents)
})

test.each(['', '.', '-5', '1e3', '1,000', '2.345', 'ten', 'NaN', '10000000.01'])('rejects %s', text => {
  expect(parseDollars(text)).toBeUndefined()
})

test('parses formatted cents back to the same amount', () => {
  expect([250_000, 275_050, 29].map(toDollarText)).toEqual(['2500', '2750.50', '0.29'])
  for (const cents of [1, 99, 100, 201_533]) expect(parseDollars(toDollarText(cents))).toBe(cents)
})

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
