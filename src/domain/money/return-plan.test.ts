import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareRefund, stateOfPaid } from './ledger.ts'
import { planReturn, type ReturnSource } from './return-plan.ts'

const card = (source: Partial<ReturnSource> = {}): ReturnSource => ({
  paymentId: 'p1',
  by: 'card',
  amountCents: 500_00,
  feeCents: 15_00,
  refundedTotalCents: 0,
  leftCents: 500_00,
  leftTotalCents: 515_00,
  ...source,
})

test('a part goes back with its part of the card fee, all of it with all of the fee [DEP-30]', () => {
  expect(planReturn(380_00, [card()])).toEqual([
    { by: 'card', paymentId: 'p1', amountCents: 380_00, feeCents: 11_40, totalCents: 391_40 },
  ])
  expect(planReturn(500_00, [card()])[0]?.totalCents).toBe(515_00)
})

test('sources are used in their order, and what none of them can take goes back by hand [DEP-29]', () => {
  const sources = [
    card({ leftCents: 100_00, feeCents: 0 }),
    card({ paymentId: 'p2', by: 'bank', feeCents: 0 }),
  ]
  expect(planReturn(700_00, sources).map(({ amountCents, by }) => [by, amountCents])).toEqual([
    ['card', 100_00],
    ['bank', 500_00],
    ['hand', 100_00],
  ])
  expect(planReturn(300_00, [])).toEqual([
    { by: 'hand', paymentId: null, amountCents: 300_00, feeCents: 0, totalCents: 300_00 },
  ])
})

test('however a payment is divided into refunds, their amounts are as planned and all of it goes back [DEP-30]', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: 0, max: 5_000 }),
      fc.array(fc.integer({ min: 1, max: 40_000 }), { maxLength: 6 }),
      (amountCents, feeCents, parts) => {
        let [leftCents, refundedTotalCents] = [amountCents, 0]
        for (const part of [...parts, amountCents]) {
          const cents = Math.min(part, leftCents)
          if (cents === 0) continue
          const leftTotalCents = amountCents + feeCents - refundedTotalCents
          const source = { amountCents, feeCents, leftCents, leftTotalCents, refundedTotalCents }
          const [leg] = planReturn(cents, [card(source)])
          refundedTotalCents += leg?.totalCents ?? 0
          leftCents -= cents
          expect(shareRefund({ amountCents, feeCents }, refundedTotalCents).amountCents).toBe(
            amountCents - leftCents,
          )
        }
        expect(refundedTotalCents).toBe(amountCents + feeCents)
      },
    ),
  )
})

test('what a lost dispute has left goes back in full, and not a cent more [DEP-29, DEP-30]', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 514_99 }), lostCents => {
      const payment = { amountCents: 500_00, feeCents: 15_00 }
      const paid = (refundedTotalCents: number) =>
        stateOfPaid(payment, { refundedTotalCents, lostCents, withheldCents: 0 })
      const leftCents = payment.amountCents - paid(0).lostAmountCents
      const [leg] = planReturn(leftCents, [card({ leftCents, leftTotalCents: 515_00 - lostCents })])
      expect(leg?.totalCents ?? 0).toBeLessThanOrEqual(515_00 - lostCents)
      expect(paid(leg?.totalCents ?? 0).refunded.amountCents).toBe(payment.amountCents)
    }),
    { numRuns: 2_000 },
  )
})
