import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  additionalTax,
  additionalTaxCents,
  type ChargeTerms,
  chargesOf,
  type FeeTerm,
  hasOtherCharges,
  shareCents,
  sumOf,
  type TaxTerm,
} from './charge.ts'

const fee = (overrides: Partial<FeeTerm> = {}): FeeTerm => ({
  kind: 'fee',
  name: 'Cleaning fee',
  per: 'stay',
  amountCents: 150_00,
  basisPoints: null,
  taxable: true,
  refundable: false,
  feeRuleId: 'cleaning',
  ...overrides,
})
const discount = (overrides: Partial<FeeTerm> = {}) =>
  fee({ kind: 'discount', name: 'Early booking', taxable: false, feeRuleId: 'early', ...overrides })
const tax = (overrides: Partial<TaxTerm> = {}): TaxTerm => ({
  name: 'State tax',
  basisPoints: 600,
  onRent: true,
  onFees: true,
  taxRuleId: 'state',
  ...overrides,
})
const linesOf = (terms: Partial<ChargeTerms>) =>
  chargesOf({ nights: 30, guests: 2, rentCents: 1800_00, fees: [], taxes: [], ...terms })
const told = (terms: Partial<ChargeTerms>) =>
  linesOf(terms).map(({ amountCents, label }) => [label, amountCents])

describe('fees', () => {
  test('are charged per stay, per night, per guest, per guest and night, or as a share of the rent [CHG-05, CHG-10]', () => {
    const fees = [
      fee(),
      fee({ name: 'Resort fee', per: 'night', amountCents: 10_00 }),
      fee({ name: 'Linen', per: 'guest', amountCents: 12_50 }),
      fee({ name: 'Towels', per: 'guest_night', amountCents: 1_00 }),
      fee({ name: 'Booking fee', per: 'rent', amountCents: null, basisPoints: 250 }),
    ]
    expect(told({ fees })).toEqual([
      ['Rent', 1800_00],
      ['Cleaning fee', 150_00],
      ['Resort fee (30 nights × $10.00)', 300_00],
      ['Linen (2 guests × $12.50)', 25_00],
      ['Towels (2 guests × 30 nights × $1.00)', 60_00],
      ['Booking fee (2.5% of $1,800.00)', 45_00],
    ])
  })

  test('use the singular for one night and one guest [CHG-10]', () => {
    const fees = [fee({ name: 'Towels', per: 'guest_night', amountCents: 1_00 })]
    expect(told({ fees, nights: 1, guests: 1 })[1]).toEqual(['Towels (1 guest × 1 night × $1.00)', 1_00])
  })

  test('as a share of the rent are rounded half up to the cent [CHG-05]', () => {
    const cents = (rentCents: number, basisPoints: number) =>
      linesOf({ rentCents, fees: [fee({ per: 'rent', amountCents: null, basisPoints })] })[1]?.amountCents
    expect([cents(10_50, 100), cents(10_49, 100), cents(1_00, 50)]).toEqual([11, 10, 1])
  })

  test('include the price of one unit, or the base of the share', () => {
    const fees = [
      fee({ per: 'night', amountCents: 10_00 }),
      fee({ per: 'rent', amountCents: null, basisPoints: 250 }),
    ]
    expect(linesOf({ fees }).slice(1)).toMatchObject([
      { baseCents: 10_00, rateBasisPoints: null, per: 'night', feeRuleId: 'cleaning', taxable: true },
      { baseCents: 1800_00, rateBasisPoints: 250, per: 'rent' },
    ])
  })
})

describe('discounts', () => {
  test('are listed below the fees as negative amounts [CHG-06, CHG-10]', () => {
    const fees = [discount({ per: 'rent', amountCents: null, basisPoints: 500 }), fee()]
    expect(told({ fees })).toEqual([
      ['Rent', 1800_00],
      ['Cleaning fee', 150_00],
      ['Early booking (5% of $1,800.00)', -90_00],
    ])
  })

  test('together are at most the rent: the last one is cut, further ones are zero [CHG-06]', () => {
    const fees = [1000_00, 900_00, 50_00].map(amountCents => discount({ amountCents }))
    const [, ...lines] = linesOf({ fees })
    expect(lines.map(({ amountCents }) => amountCents)).toEqual([-1000_00, -800_00, 0])
    // Avoids -0 in responses.
    expect(Object.is(lines[2]?.amountCents, 0)).toBe(true)
  })
})

describe('taxes', () => {
  test('are one line each, on rent less discounts and taxable fees, never on the deposit [CHG-11]', () => {
    const lines = told({
      depositCents: 500_00,
      fees: [fee({ amountCents: 175_00 }), fee({ name: 'Pet fee', taxable: false, amountCents: 200_00 })],
      taxes: [
        tax(),
        tax({ name: 'County tax', basisPoints: 500, onFees: false }),
        tax({ name: 'Cleaning tax', basisPoints: 625, onRent: false }),
      ],
    })
    expect(lines).toEqual([
      ['Rent', 1800_00],
      ['Cleaning fee', 175_00],
      ['Pet fee', 200_00],
      ['State tax (6% of $1,975.00)', 118_50],
      ['County tax (5% of $1,800.00)', 90_00],
      ['Cleaning tax (6.25% of $175.00)', 10_94],
      ['Security deposit', 500_00],
    ])
    const discounted = linesOf({ fees: [discount({ amountCents: 300_00 }), fee()], taxes: [tax()] })
    expect(discounted.at(-1)).toMatchObject({ baseCents: 1650_00, amountCents: 99_00 })
  })

  test('have a base of at least zero if discounts use up the rent [CHG-11]', () => {
    const lines = linesOf({ fees: [discount({ amountCents: 9000_00 })], taxes: [tax({ onFees: false })] })
    expect(lines.at(-1)).toMatchObject({ baseCents: 0, amountCents: 0 })
  })

  test('are rounded once over the stay, not for each line [CHG-12]', () => {
    // Three lines of 8 cents at 6%: 0.48 cents each would round to 0, together they are 1.44.
    const fees = [1, 2, 3].map(() => fee({ amountCents: 8 }))
    expect(linesOf({ rentCents: 0, fees, taxes: [tax()] }).at(-1)?.amountCents).toBe(1)
    expect([shareCents(25, 200), shareCents(24, 200)]).toEqual([1, 0])
  })

  test('on later charges are the tax on everything minus the tax already charged [CHG-23]', () => {
    const later = [
      { kind: 'fee', amountCents: 75_00, taxable: true },
      { kind: 'damage', amountCents: 40_00, taxable: false },
    ] as const
    const known = { ...tax(), baseCents: 1975_00 }
    expect(additionalTax(known, later)).toMatchObject({
      label: 'State tax (6% of $75.00, added later)',
      amountCents: 4_50,
      baseCents: 75_00,
      rateBasisPoints: 600,
      taxRuleId: 'state',
    })
    const onRentAlone = { ...known, onFees: false }
    expect(additionalTax(onRentAlone, later)).toBeUndefined()
    const cut = [{ kind: 'discount', amountCents: -75_00, taxable: true }] as const
    expect(additionalTax(onRentAlone, cut)?.amountCents).toBe(-4_50)
  })
})

test('itemizes charges only if one of them is neither rent nor deposit', () => {
  expect(hasOtherCharges(linesOf({ depositCents: 500_00 }))).toBe(false)
  expect(hasOtherCharges(linesOf({ fees: [fee({ amountCents: 0 })] }))).toBe(false)
  expect(hasOtherCharges(linesOf({ fees: [fee()] }))).toBe(true)
})

const cents = fc.integer({ min: 1, max: 100_000_000 })
const anyFee: fc.Arbitrary<FeeTerm> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('fee', 'discount'),
    per: fc.constantFrom('stay', 'night', 'guest', 'guest_night', null),
    amountCents: cents,
    taxable: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom('fee', 'discount'),
    per: fc.constant('rent'),
    basisPoints: fc.integer({ min: 1, max: 10_000 }),
    taxable: fc.boolean(),
  }),
) as fc.Arbitrary<Partial<FeeTerm>> as fc.Arbitrary<FeeTerm>
const anyTax: fc.Arbitrary<TaxTerm> = fc.record({
  name: fc.constant('Tax'),
  basisPoints: fc.integer({ min: 1, max: 5000 }),
  onRent: fc.boolean(),
  onFees: fc.boolean(),
  taxRuleId: fc.constant('tax'),
})
const anyTerms: fc.Arbitrary<ChargeTerms> = fc.record({
  nights: fc.integer({ min: 1, max: 1096 }),
  guests: fc.integer({ min: 1, max: 8 }),
  rentCents: fc.integer({ min: 0, max: 1_000_000_000 }),
  depositCents: fc.integer({ min: 0, max: 1_000_000_000 }),
  fees: fc.array(
    anyFee.map(fee => ({ ...discount({ amountCents: null }), ...fee })),
    { maxLength: 8 },
  ),
  taxes: fc.array(anyTax, { maxLength: 5 }),
})

/** Independent implementation: half up, in BigInt. */
function halfUp(base: bigint, basisPoints: number): bigint {
  const exact = base * BigInt(basisPoints)
  return exact / 10_000n + (exact % 10_000n >= 5000n ? 1n : 0n)
}

test('for any terms, the parts add up, discounts stay within the rent, and amounts are whole cents [CHG-02, CHG-06]', () => {
  fc.assert(
    fc.property(anyTerms, terms => {
      const lines = chargesOf(terms)
      const of = (kind: string) => lines.filter(line => line.kind === kind)
      expect(lines).toHaveLength(2 + terms.fees.length + terms.taxes.length)
      const kinds = ['rent', 'fee', 'discount', 'tax', 'deposit']
      expect(lines.map(({ kind }) => kinds.indexOf(kind))).toEqual(
        lines.map(({ kind }) => kinds.indexOf(kind)).toSorted((a, b) => a - b),
      )
      const exact = lines.reduce((total, { amountCents }) => total + BigInt(amountCents), 0n)
      expect(BigInt(sumOf(lines))).toBe(exact)
      expect(-sumOf(of('discount'))).toBeLessThanOrEqual(terms.rentCents)
      for (const { amountCents } of of('discount')) expect(amountCents).toBeLessThanOrEqual(0)
      for (const { amountCents } of lines) expect(Number.isSafeInteger(amountCents)).toBe(true)
    }),
  )
})

test('for any terms, each tax is its rate times its base, half up [CHG-11, CHG-12]', () => {
  fc.assert(
    fc.property(anyTerms, terms => {
      const lines = chargesOf(terms)
      const big = (kind: string, isPart: (taxable: boolean) => boolean) =>
        lines
          .filter(line => line.kind === kind && isPart(line.taxable))
          .reduce((total, { amountCents }) => total + BigInt(amountCents), 0n)
      const rent = BigInt(terms.rentCents) + big('discount', () => true)
      const fees = big('fee', taxable => taxable)
      const taxed = lines.filter(({ kind }) => kind === 'tax')
      for (const [at, { amountCents, baseCents }] of taxed.entries()) {
        const { basisPoints = 0, onFees, onRent } = terms.taxes[at] ?? {}
        const base = (onRent ? rent : 0n) + (onFees ? fees : 0n)
        expect(BigInt(baseCents ?? -1)).toBe(base)
        expect(BigInt(amountCents)).toBe(halfUp(base, basisPoints))
      }
    }),
  )
})

test("for any base, the lease's tax plus the further tax is the tax on both [CHG-23]", () => {
  const base = fc.integer({ min: 0, max: 1_000_000_000 })
  fc.assert(
    fc.property(
      base,
      fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
      fc.integer({ min: 1, max: 5000 }),
      (baseCents, laterCents, basisPoints) => {
        const together = halfUp(BigInt(Math.max(0, baseCents + laterCents)), basisPoints)
        const parts =
          shareCents(baseCents, basisPoints) + additionalTaxCents(baseCents, laterCents, basisPoints)
        expect(BigInt(parts)).toBe(together)
      },
    ),
  )
})
