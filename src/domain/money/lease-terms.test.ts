import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, nightsBetween } from '../common/dates.ts'
import { rentLabel, rentPlusDepositCents, termRent, termRentSum } from './lease-terms.ts'

describe('the rent of a term', () => {
  test.each([
    // Columns: start, end, monthly cents, months, days, total cents
    ['2026-06-01', '2026-06-02', 2500_00, 1, 0, 2500_00],
    ['2026-06-01', '2026-06-08', 2500_00, 1, 0, 2500_00],
    ['2026-06-01', '2026-07-01', 2500_00, 1, 0, 2500_00],
    ['2026-06-01', '2026-07-02', 2500_00, 1, 0, 2500_00],
    ['2026-06-01', '2026-07-03', 2500_00, 1, 2, 2666_67],
    ['2026-02-01', '2026-03-04', 2500_00, 1, 0, 2500_00],
    ['2026-02-01', '2026-03-05', 2500_00, 1, 4, 2833_33],
    ['2026-06-01', '2026-09-01', 2500_00, 3, 0, 7500_00],
    ['2026-06-01', '2026-09-13', 2500_00, 3, 12, 8500_00],
    ['2026-01-31', '2026-03-03', 2500_00, 1, 0, 2500_00],
    ['2026-01-31', '2026-03-04', 2500_00, 1, 4, 2833_33],
    ['2026-01-31', '2026-03-30', 2500_00, 1, 30, 5000_00],
    ['2026-01-31', '2026-03-31', 2500_00, 2, 0, 5000_00],
    ['2028-02-29', '2029-02-28', 1000_00, 12, 0, 12_000_00],
    ['2028-01-29', '2028-03-01', 1000_00, 1, 1, 1033_33],
    ['2026-12-15', '2027-12-15', 3650_50, 12, 0, 43_806_00],
    ['2026-06-01', '2026-07-31', 2515, 1, 30, 2515 * 2],
    ['2026-06-01', '2026-07-03', 0, 1, 2, 0],
    ['9999-10-01', '9999-12-20', 3000_00, 2, 19, 7900_00],
    ['9999-11-30', '9999-12-31', 3000_00, 1, 0, 3000_00],
    ['9999-11-01', '9999-12-31', 3000_00, 1, 30, 6000_00],
  ])('from %s to %s at %i cents a month', (start, end, monthlyCents, months, days, totalCents) => {
    expect(termRent(start, end, monthlyCents)).toMatchObject({ monthlyCents, months, days, totalCents })
  })

  test('rejects a term without a night', () => {
    expect(() => termRent('2026-06-01', '2026-06-01', 2500_00)).toThrow('The lease must end after it starts.')
    expect(() => termRent('2026-06-02', '2026-06-01', 2500_00)).toThrow('The lease must end after it starts.')
  })

  const date = fc.integer({ min: 0, max: 3000 }).map(days => addDays('2024-01-01', days))
  const nights = fc.integer({ min: 1, max: 800 })
  const cents = fc.integer({ min: 0, max: 1_000_000_000 })

  test('a longer stay never costs less, and the parts add up in whole cents', () => {
    fc.assert(
      fc.property(date, nights, cents, (start, length, monthlyCents) => {
        const rent = termRent(start, addDays(start, length), monthlyCents)
        const longer = termRent(start, addDays(start, length + 1), monthlyCents)
        expect(longer.totalCents).toBeGreaterThanOrEqual(rent.totalCents)
        expect(rent.totalCents).toBe(rent.months * monthlyCents + rent.daysCents)
        expect(Number.isSafeInteger(rent.totalCents)).toBe(true)
        expect(rent.daysCents).toBeLessThanOrEqual(monthlyCents)
        expect(rent.nights).toBe(nightsBetween(start, addDays(start, length)))
        expect(rent.days).toBeLessThanOrEqual(30)
      }),
    )
  })

  const rentOf = (start: string, end: string) => termRent(start, end, 2500_00)

  test('screens and leases show how the rent adds up [CHG-03, LOOK-78]', () => {
    const sum = (start: string, end: string) => termRentSum(rentOf(start, end))
    expect(sum('2026-06-01', '2026-06-28')).toBe('27 nights, $2,500.00')
    expect(sum('2026-06-01', '2026-06-29')).toBe('28 nights: one month’s rent, $2,500.00')
    expect(sum('2026-06-01', '2026-09-01')).toBe('3 months × $2,500.00 = $7,500.00')
    expect(sum('2026-06-01', '2026-07-03')).toBe(
      '1 month × $2,500.00 + 2 days × 1/30 × $2,500.00 = $2,500.00 + $166.67 = $2,666.67',
    )
  })

  test('the rent of up to 31 nights is for the stay, never monthly [LOOK-60]', () => {
    expect(rentLabel('2026-06-01', '2026-07-02')).toBe('Rent for the stay')
    expect(rentLabel('2026-06-01', '2026-07-03')).toBe('Monthly rent')
    expect(rentLabel('2026-06-01', '')).toBe('Monthly rent')
  })

  test('the amount owed is the deposit plus the rent of the term', () => {
    expect(rentPlusDepositCents(termRent('2026-06-01', '2026-09-13', 2500_00), 500_00)).toBe(9000_00)
  })
})
