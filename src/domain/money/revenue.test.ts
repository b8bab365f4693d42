import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paymentTypes, returnTypes } from './ledger.ts'
import { depositsLeft, describeReturned, revenueBreakdown } from './revenue.ts'

const entry = fc.record({ amount: fc.nat({ max: 99_000_000 }), count: fc.integer({ min: 1, max: 500 }) })
const anyRevenue = fc.dictionary(fc.constantFrom(...paymentTypes), entry).map(byType =>
  Object.fromEntries(
    paymentTypes.flatMap(type => {
      const found = byType[type]
      if (!found) return []
      return [[type, returnTypes.includes(type) ? { ...found, amount: -found.amount } : found]]
    }),
  ),
)

test('shares are between 0 and 1 and add up to everything received; returned money has none [LOOK-03]', () => {
  fc.assert(
    fc.property(anyRevenue, byType => {
      const { received, returned } = revenueBreakdown(byType)
      const shares = received.map(({ share }) => share ?? 0)
      for (const share of shares) expect(share >= 0 && share <= 1).toBe(true)
      const total = received.reduce((sum, { amount }) => sum + amount, 0)
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(total > 0 ? 1 : 0)
      expect(received.every(({ type }) => !returnTypes.includes(type))).toBe(true)
      expect(returned.every(({ type, share }) => returnTypes.includes(type) && share === undefined)).toBe(
        true,
      )
      expect(received.length + returned.length).toBe(Object.keys(byType).length)
    }),
  )
})

test('sorts the largest first, and lists returned deposits separately [LOOK-03]', () => {
  const byType = {
    deposit_return: { amount: -4500_00, count: 9 },
    deposit: { amount: 1000_00, count: 2 },
    rent: { amount: 9000_00, count: 20 },
  }
  expect(revenueBreakdown(byType)).toEqual({
    received: [
      { type: 'rent', label: 'Rent', amount: 9000_00, count: 20, share: 0.9 },
      { type: 'deposit', label: 'Deposit', amount: 1000_00, count: 2, share: 0.1 },
    ],
    returned: [{ type: 'deposit_return', label: 'Deposits returned', amount: -4500_00, count: 9 }],
  })
})

test('subtracts returned deposits from received deposits', () => {
  const deposit = { amount: 6060_00, count: 12 }
  const rent = { amount: 9000_00, count: 20 }
  expect(depositsLeft({ deposit, deposit_return: { amount: -4500_00, count: 9 }, rent })).toBe(1560_00)
  expect(depositsLeft({ deposit, refund: { amount: -100_00, count: 1 } })).toBe(6060_00)
  expect(depositsLeft({ rent })).toBe(0)
})

test('counts returned money in words [LOOK-03, LOOK-06]', () => {
  expect(describeReturned({ deposit_return: { count: 9 }, rent: { count: 22 } })).toEqual([
    '9 deposits returned',
  ])
  expect(describeReturned({ refund: { count: 2 }, deposit_return: { count: 1 } })).toEqual([
    '1 deposit returned',
    '2 refunds',
  ])
  expect(describeReturned({ rent: { count: 22 } })).toEqual([])
})
