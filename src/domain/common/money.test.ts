import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dollars, positiveCents } from './inputs.ts'
import { cardFeeCents, centsToDollars, dollarsToCents, formatCents } from './money.ts'

test('formats money as US dollars in en-US [MONEY-01]', () => {
  expect(formatCents(123_400)).toBe('$1,234.00')
  expect(formatCents(5)).toBe('$0.05')
  expect(formatCents(-51_500)).toBe('−$515.00')
})

test.each([
  [50_000, 1_500],
  [100, 3],
  [16, 0],
  [17, 1],
  [50, 2],
  [15_050, 452],
  [1, 0],
  [99_999, 3_000],
])('the card fee on %i cents is %i, 3 %% rounded half up to the cent [PAY-10]', (amount, fee) => {
  expect(cardFeeCents(amount)).toBe(fee)
})

test('the card fee of 3 % is exact for any amount [PAY-10]', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_000_000 }), cents => {
      const exact = (BigInt(cents) * 6n + 100n) / 200n
      expect(cardFeeCents(cents)).toBe(Number(exact))
    }),
  )
})

test('the fee is off by at most half a cent, for any percentage', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000_000 }),
      fc.integer({ min: 0, max: 1000 }),
      (amount, points) => {
        const exactTimes10000 = BigInt(amount) * BigInt(points)
        const difference = BigInt(cardFeeCents(amount, points)) * 10_000n - exactTimes10000
        expect(difference > -5000n && difference <= 5000n).toBe(true)
      },
    ),
  )
})

test('dollars with two decimals survive a round trip through cents', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), cents => {
      expect(dollarsToCents(centsToDollars(cents))).toBe(cents)
      expect(dollars().safeParse(centsToDollars(cents)).success).toBe(true)
    }),
  )
})

test.each([0.001, 12.345, -1, Number.NaN, Number.POSITIVE_INFINITY, 10_000_001, '5', null])(
  'rejects a dollar amount of %s',
  value => {
    expect(dollars().safeParse(value).success).toBe(false)
  },
)

test.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e12, '100', null])(
  'rejects a payment of %s cents',
  value => {
    expect(positiveCents().safeParse(value).error?.issues[0]?.message).toBe('Please enter a valid amount')
  },
)
