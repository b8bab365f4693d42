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
      fc.tuple(cents, cents),
      fc.array(fc.option(cents)),
      (deposit, rent, named, given) => {
        const rows = [deposit, rent]
        // A refund of one payment is at most that payment.
        const own = rows.map(({ amountCents, feeCents }, i) =>
          Math.min(named[i] ?? 0, amountCents + feeCents),
        )
        const left = rows.map(({ amountCents, feeCents }, i) => amountCents + feeCents - (own[i] ?? 0))
        // Sometimes exactly what is left of the deposit.
        const totals = given.map(total => total ?? left[0] ?? 0)
        const parts = shareTotals(left, totals)
        expect(parts.map(sum)).toEqual(totals)
        expect(parts.flat().every(part => part >= 0)).toBe(true)

        let rentLeft = left[1] ?? 0
        let depositLeft = left[0] ?? 0
        for (const [i, total] of totals.entries()) {
          const isDeposit = total === depositLeft && total !== rentLeft
          const ofRent = isDeposit ? 0 : Math.min(rentLeft, total)
          expect(parts[i]).toEqual([total - ofRent, ofRent])
          rentLeft -= ofRent
          depositLeft -= total - ofRent
        }
        const taken = rows.map((_, i) => sum(parts.map(each => each[i] ?? 0)))
        const refunded = rows.map((row, i) => {
          const refundedTotalCents = (own[i] ?? 0) + (taken[i] ?? 0)
          const state = stateOfPaid(row, { refundedTotalCents, withheldCents: 0, lostCents: 0 })
          expect(state.refunded.amountCents).toBeLessThanOrEqual(row.amountCents)
          expect(state.refunded.feeCents).toBeLessThanOrEqual(row.feeCents)
          return state.refunded.amountCents + state.refunded.feeCents
        })
        expect(sum(refunded)).toBe(Math.min(sum(own) + sum(totals), sum(own) + sum(left)))
      },
    ),
    { numRuns: 500 },
  )
})
