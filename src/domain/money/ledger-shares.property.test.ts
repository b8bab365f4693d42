import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareTotals, stateOfPaid } from './ledger.ts'

const cents = fc.nat(1_000_000)
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

test('a refund that names neither of two payments is split to the cent, from the deposit last unless it is exactly the deposit, and takes neither below zero [LOOK-80]', () => {
  const payment = fc.record({ amountCents: fc.integer({ min: 1_00, max: 1_000_000 }), feeCents: cents })
  fc.assert(
    fc.property(
      payment,
      payment,
      fc.array(fc.record({ cents: fc.option(cents), of: fc.constantFrom(undefined, 0, 1) })),
      (deposit, rent, given) => {
        const rows = [deposit, rent]
        const totals = rows.map(({ amountCents, feeCents }) => amountCents + feeCents)
        const own = [0, 0]
        const leftThen = [...totals]
        const sentBack = given.map(({ cents, of }) => {
          // Sometimes exactly what is left of the deposit. A refund of one payment is at most what is left of it.
          const wanted = cents ?? Math.max(0, leftThen[0] ?? 0)
          if (of === undefined) return { cents: wanted, of }
          const most = Math.min(wanted, (totals[of] ?? 0) - (own[of] ?? 0))
          own[of] = (own[of] ?? 0) + most
          leftThen[of] = (leftThen[of] ?? 0) - most
          return { cents: most, of }
        })
        const unnamed = sentBack.flatMap(({ cents, of }) => (of === undefined ? [cents] : []))
        const parts = shareTotals(rows, sentBack)
        expect(parts.map(sum)).toEqual(unnamed)
        expect(parts.flat().every(part => part >= 0)).toBe(true)

        const taken = rows.map((_, i) => sum(parts.map(each => each[i] ?? 0)))
        const refunded = rows.map((row, i) => {
          const refundedTotalCents = (own[i] ?? 0) + (taken[i] ?? 0)
          const state = stateOfPaid(row, { refundedTotalCents, withheldCents: 0, lostCents: 0 })
          expect(state.refunded.amountCents).toBeLessThanOrEqual(row.amountCents)
          expect(state.refunded.feeCents).toBeLessThanOrEqual(row.feeCents)
          return state.refunded.amountCents + state.refunded.feeCents
        })
        expect(sum(refunded)).toBe(Math.min(sum(own) + sum(unnamed), sum(totals)))
      },
    ),
    { numRuns: 500 },
  )
})

test.each([
  { sentBack: [{ cents: 300 }], parts: [[0, 300]], why: 'the rent first' },
  { sentBack: [{ cents: 1200 }], parts: [[200, 1000]], why: 'then the deposit' },
  { sentBack: [{ cents: 500 }], parts: [[500, 0]], why: 'exactly the deposit' },
  { sentBack: [{ cents: 485 }], parts: [[485, 0]], why: 'the deposit without its fee' },
  {
    sentBack: [{ cents: 300 }, { cents: 200, of: 0 }],
    parts: [[0, 300]],
    why: 'still the rent when a part of the deposit is returned later',
  },
  {
    sentBack: [{ cents: 500 }, { cents: 100, of: 0 }],
    parts: [[400, 100]],
    why: 'the deposit as far as a later refund leaves room',
  },
])('of a deposit of 500 and a rent of 1,000, $sentBack is $why [LOOK-80]', ({ sentBack, parts }) => {
  const rows = [
    { amountCents: 485, feeCents: 15 },
    { amountCents: 970, feeCents: 30 },
  ]
  expect(shareTotals(rows, sentBack)).toEqual(parts)
})
