import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildFeeRule, buildTaxRule, feeRuleOf, taxRuleOf } from '../../testing/build-charge-rule.ts'
import { addDays } from '../common/dates.ts'
import {
  authorityKey,
  feeApplies,
  feeRuleForm,
  feeTermOf,
  taxApplies,
  taxRuleForm,
  taxTermOf,
  validityOverlaps,
} from './charge-rule.ts'

type Values = Record<string, unknown>
const problemsOf = (form: typeof feeRuleForm | typeof taxRuleForm) => (values: Values) =>
  Object.fromEntries(
    form.safeParse(values).error?.issues.map(({ message, path }) => [path.join('.'), message]) ?? [],
  )
const feeErrors = (overrides: Values = {}) => problemsOf(feeRuleForm)({ ...buildFeeRule(), ...overrides })
const taxErrors = (overrides: Values = {}) => problemsOf(taxRuleForm)({ ...buildTaxRule(), ...overrides })
const stay = (start: string, nights: number) => ({ start, end: addDays(start, nights) })

describe('the fee form', () => {
  test('fills in missing fields [CHG-15]', () => {
    expect(feeRuleForm.parse({ kind: 'discount', name: '  Early ', per: 'rent', basisPoints: 500 })).toEqual({
      kind: 'discount',
      name: 'Early',
      per: 'rent',
      amountCents: null,
      basisPoints: 500,
      required: false,
      taxable: false,
      refundable: false,
      minNights: null,
      maxNights: null,
      validFrom: null,
      validTo: null,
    })
  })

  test.each([
    ['name', ['', '   ', 'x'.repeat(81), 'a\nb', 'tab\u0007', 7, null]],
    ['kind', ['tax', '', null]],
    ['per', ['week', '', null]],
    ['amountCents', [0, -1, 0.5, 100_000_001, '15000', null]],
    ['minNights', [0, 1097, 1.5, -3]],
    ['maxNights', [0, 1097, 1.5, '7']],
    ['validFrom', ['2026-02-30', '6/1/2026', 20260601]],
    ['validTo', ['2026-13-01', 'soon', '']],
    ['required', ['yes', 1]],
  ] satisfies [string, unknown[]][])('reports an invalid %s at its field [CHG-15]', (name, values) => {
    for (const value of values)
      expect(Object.keys(feeErrors({ [name]: value })), JSON.stringify(value)).toEqual([name])
  })

  test('accepts the bounds themselves [CHG-15]', () => {
    for (const values of [
      { name: 'x', amountCents: 1, minNights: 1, maxNights: 1 },
      { name: 'x'.repeat(80), amountCents: 100_000_000, minNights: 1096, maxNights: 1096 },
      { validFrom: '2026-06-01', validTo: '2026-06-01' },
      { per: 'rent', amountCents: null, basisPoints: 1 },
      { per: 'rent', amountCents: undefined, basisPoints: 10_000 },
    ])
      expect(feeErrors(values)).toEqual({})
  })

  test('requires an amount, or a percentage for a share of the rent, never both [CHG-15]', () => {
    expect(feeErrors({ basisPoints: 100 })).toEqual({
      basisPoints: 'Only a share of the rent has a percentage',
    })
    expect(feeErrors({ per: 'rent' })).toEqual({
      amountCents: 'A share of the rent needs a percentage, not an amount',
      basisPoints: 'Please enter a percentage',
    })
    expect(feeErrors({ per: 'night', amountCents: null })).toEqual({
      amountCents: 'Please enter an amount',
    })
    for (const basisPoints of [0, 10_001, 1.5])
      expect(Object.keys(feeErrors({ per: 'rent', amountCents: null, basisPoints }))).toEqual(['basisPoints'])
  })

  test('requires its bounds in order [CHG-15]', () => {
    expect(Object.keys(feeErrors({ minNights: 8, maxNights: 7 }))).toEqual(['maxNights'])
    expect(Object.keys(feeErrors({ validFrom: '2026-06-02', validTo: '2026-06-01' }))).toEqual(['validTo'])
    expect(feeErrors({ validFrom: '2026-06-02', validTo: '9999-12-31' })).toEqual({})
    expect(feeErrors({ minNights: 8, maxNights: null, validFrom: '2026-06-02' })).toEqual({})
  })
})

describe('the tax form', () => {
  test.each([
    ['name', ['', 'x'.repeat(81), 'a\nb']],
    ['authority', ['', '  ', 'x'.repeat(81), null]],
    ['basisPoints', [0, 5001, 6.5, '600', null]],
    ['maxMonths', [0, 13, 1.5]],
    ['maxNights', [0, 367, 1.5]],
    ['validFrom', ['2026-02-30']],
  ] satisfies [string, unknown[]][])('reports an invalid %s at its field [CHG-15]', (name, values) => {
    for (const value of values)
      expect(Object.keys(taxErrors({ [name]: value })), JSON.stringify(value)).toEqual([name])
  })

  test('requires rent or fees, and a limit in months or nights, not both [CHG-15]', () => {
    expect(Object.keys(taxErrors({ onRent: false, onFees: false }))).toEqual(['onRent'])
    expect(Object.keys(taxErrors({ maxMonths: 6, maxNights: 182 }))).toEqual(['maxNights'])
    expect(Object.keys(taxErrors({ validFrom: '2026-06-02', validTo: '2026-06-01' }))).toEqual(['validTo'])
    for (const values of [
      { basisPoints: 1, onRent: false, maxMonths: 1 },
      { basisPoints: 5000, onFees: false, maxMonths: 12 },
      { maxNights: 1 },
      { maxNights: 366 },
    ])
      expect(taxErrors(values)).toEqual({})
  })
})

describe('rules that apply to a stay', () => {
  test('fees depend on the nights of the stay, limits included [CHG-07]', () => {
    const rule = feeRuleOf({ minNights: 7, maxNights: 27 })
    const nights = [6, 7, 27, 28].map(nights => feeApplies(rule, stay('2026-06-01', nights)))
    expect(nights).toEqual([false, true, true, false])
    const open = [feeRuleOf({ minNights: 7 }), feeRuleOf({ maxNights: 27 }), feeRuleOf()]
    expect(open.map(rule => feeApplies(rule, stay('2026-06-01', 1096)))).toEqual([true, false, true])
    expect(open.map(rule => feeApplies(rule, stay('2026-06-01', 1)))).toEqual([false, true, true])
  })

  test('fees and taxes depend on the first day of the stay, both ends included [CHG-07, CHG-13]', () => {
    const validity = { validFrom: '2026-06-01', validTo: '2026-06-30' }
    for (const applies of [
      (start: string) => feeApplies(feeRuleOf(validity), stay(start, 60)),
      (start: string) => taxApplies(taxRuleOf(validity), stay(start, 60)),
    ])
      expect(['2026-05-31', '2026-06-01', '2026-06-30', '2026-07-01'].map(applies)).toEqual([
        false,
        true,
        true,
        false,
      ])
    const open = { validFrom: null, validTo: '2026-06-30' }
    expect(feeApplies(feeRuleOf(open), stay('1999-01-01', 3))).toBe(true)
    expect(taxApplies(taxRuleOf({ validFrom: '2026-06-30' }), stay('2099-01-01', 3))).toBe(true)
  })

  test('a tax exempts a stay longer than its months or nights [CHG-13]', () => {
    const months = (start: string, end: string) => taxApplies(taxRuleOf({ maxMonths: 6 }), { start, end })
    expect(months('2026-01-15', '2026-07-15')).toBe(true)
    expect(months('2026-01-15', '2026-07-16')).toBe(false)
    // August 31 plus six months is the last day of February.
    expect(months('2026-08-31', '2027-02-28')).toBe(true)
    expect(months('2026-08-31', '2027-03-01')).toBe(false)
    const nights = [30, 31].map(count => taxApplies(taxRuleOf({ maxNights: 30 }), stay('2026-01-15', count)))
    expect(nights).toEqual([true, false])
  })
})

describe('taxes of one authority', () => {
  test("ignore case and surrounding spaces in the authority's name [CHG-14]", () => {
    expect(new Set(['Bay County', ' bay county ', 'BAY COUNTY'].map(authorityKey)).size).toBe(1)
    expect(authorityKey('Baycounty')).not.toBe(authorityKey('Bay County'))
  })

  test('overlap if a day is in both, ends included [CHG-14]', () => {
    const at = (validFrom: string | null, validTo: string | null) => ({ validFrom, validTo })
    const year = at('2026-01-01', '2026-12-31')
    expect(validityOverlaps(year, at('2026-12-31', null))).toBe(true)
    expect(validityOverlaps(year, at('2027-01-01', null))).toBe(false)
    expect(validityOverlaps(year, at(null, '2025-12-31'))).toBe(false)
    expect(validityOverlaps(year, at(null, null))).toBe(true)
    expect(validityOverlaps(at('2026-01-01', null), at(null, '2026-01-01'))).toBe(true)
  })

  test('overlap exactly if some day is valid in both, in either order [CHG-14]', () => {
    const day = fc.option(fc.integer({ min: 0, max: 12 }))
    const span = fc
      .tuple(day, day)
      .filter(([from, to]) => from === null || to === null || from <= to)
      .map(([from, to]) => ({
        validFrom: from === null ? null : addDays('2026-06-01', from),
        validTo: to === null ? null : addDays('2026-06-01', to),
      }))
    const days = Array.from({ length: 17 }, (_, at) => stay(addDays('2026-05-30', at), 1))
    fc.assert(
      fc.property(span, span, (a, b) => {
        const shared = days.some(day => taxApplies(taxRuleOf(a), day) && taxApplies(taxRuleOf(b), day))
        expect(validityOverlaps(a, b)).toBe(shared)
        expect(validityOverlaps(b, a)).toBe(shared)
      }),
    )
  })
})

test('copies a rule to a lease with its id', () => {
  expect(feeTermOf(feeRuleOf({ id: 'linen', per: 'guest', refundable: true }))).toEqual({
    kind: 'fee',
    name: 'Cleaning fee',
    per: 'guest',
    amountCents: 150_00,
    basisPoints: null,
    taxable: false,
    refundable: true,
    feeRuleId: 'linen',
  })
  expect(taxTermOf(taxRuleOf({ id: 'county' }))).toEqual({
    name: 'State tax',
    basisPoints: 600,
    onRent: true,
    onFees: true,
    taxRuleId: 'county',
  })
})
