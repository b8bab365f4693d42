import fc from 'fast-check'
import { expect, test } from 'vitest'
import { portionsOf } from './payment-plan-portions.ts'

const charge = (id: string, amountCents: number) => ({ id, label: id, amountCents })
const amounts = (instalments: number[], charges: number[]) =>
  portionsOf(
    instalments.map(amountCents => ({ amountCents })),
    charges.map((cents, k) => charge(`c${k}`, cents)),
  ).map(parts => parts.map(({ amountCents }) => amountCents))

test('the portions of an installment list its part of each charge [PLAN-12]', () => {
  expect(
    portionsOf([{ amountCents: 100 }, { amountCents: 50 }], [charge('rent', 140), charge('tax', 10)]),
  ).toEqual([
    [
      { chargeId: 'rent', label: 'rent', amountCents: 93 },
      { chargeId: 'tax', label: 'tax', amountCents: 7 },
    ],
    [
      { chargeId: 'rent', label: 'rent', amountCents: 47 },
      { chargeId: 'tax', label: 'tax', amountCents: 3 },
    ],
  ])
  expect(amounts([1, 1, 1], [2, 2, -1])).toEqual([
    [0, 1, 0],
    [1, 0, 0],
    [1, 1, -1],
  ])
  expect(amounts([], [5])).toEqual([])
  expect(amounts([5], [0])).toEqual([[]])
})

const cents = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 900_000_000_000 }))

test('for any installments and charges with the same sum, portions add up both ways and match the formula [PLAN-12]', () => {
  fc.assert(
    fc.property(
      fc.array(cents, { minLength: 1, maxLength: 12 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
      fc.integer({ min: 0, max: 100 }),
      (instalments, cuts, discount) => {
        const total = instalments.reduce((sum, part) => sum + part, 0)
        const marks = cuts.map(cut => Math.floor(total * cut)).toSorted((a, b) => a - b)
        const ends = [...marks, total]
        // One charge is raised, and a discount cancels the increase.
        const less = Math.floor((total * discount) / 100)
        const charges = [...ends.map((mark, k) => mark - (ends[k - 1] ?? 0) + (k === 0 ? less : 0)), -less]
        const parts = amounts(instalments, charges)
        const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
        expect(parts.map(sum)).toEqual(instalments)
        expect(charges.map((_, k) => sum(parts.map(row => row[k] ?? 0)))).toEqual(
          charges.map(cents => cents + 0),
        )
        // The formula, term by term.
        const upTo = (values: readonly number[], count: number) => BigInt(sum(values.slice(0, count)))
        const f = (i: number, k: number) => (upTo(instalments, i) * upTo(charges, k)) / BigInt(total)
        const formula = instalments.map((_, i) =>
          charges.map((_, k) => Number(f(i + 1, k + 1) - f(i, k + 1) - f(i + 1, k) + f(i, k))),
        )
        expect(parts.map(row => row.map(cents => cents + 0))).toEqual(formula)
      },
    ),
    { numRuns: 500 },
  )
})
