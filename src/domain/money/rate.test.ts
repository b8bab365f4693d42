import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildPeriod, buildRate } from '../../testing/build-rate.ts'
import { addDays, type DateRange, nightsBetween } from '../common/dates.ts'
import { termRent } from './lease-terms.ts'
import { rateForm } from './rate.ts'
import { defaultLeaseRentCents, type PricedPeriod, quoteStay, rateForNight } from './rent-quote.ts'

const year = buildPeriod({ period: 'Year', monthly: 3000, weekly: 840, nightly: 140, weekendNight: 170 })
const june = buildPeriod({ period: 'June', startDate: '2026-06-01', endDate: '2026-06-30', monthly: 4500 })

const stay = (start: string, nights: number): DateRange => ({ start, end: addDays(start, nights) })
const problems = (values: unknown) => {
  const result = rateForm.safeParse(values)
  return Object.fromEntries(result.error?.issues.map(issue => [issue.path.join('.'), issue.message]) ?? [])
}

describe('the rate form', () => {
  test('requires name, dates and monthly rate [RATES-10]', () => {
    expect(problems({ period: ' ', startDate: '', endDate: '2026-02-30', monthly: '' })).toEqual({
      period: 'Period name is required',
      startDate: 'Start date is required',
      endDate: 'End date is required',
      monthly: 'Monthly rate is required',
    })
  })

  test('takes any last day, for a rate without an end [CONST-04]', () => {
    expect(problems(buildRate({ endDate: '9999-12-31' }))).toEqual({})
    expect(problems(buildRate({ startDate: '2200-01-01', endDate: '9999-12-31' }))).toEqual({
      startDate: 'Please enter a date of Dec 31, 2199 or earlier',
    })
  })

  test('treats an empty or invalid optional price as none, and accepts whole cents [RATES-11, RATES-12]', () => {
    const rate = buildRate({ nightly: '', weekly: 'ask us', weekendNight: Number.NaN, monthly: '0.5' })
    expect(rateForm.parse(rate)).toMatchObject({
      nightly: null,
      weekly: null,
      weekendNight: null,
      monthly: 0.5,
    })
    expect(rateForm.parse(buildRate({ nightly: '120.55' })).nightly).toBe(120.55)
    expect(Object.keys(problems(buildRate({ nightly: -1, weekly: 10.001, monthly: -0.01 })))).toEqual([
      'monthly',
      'weekly',
      'nightly',
    ])
  })

  test('min stay is 30 if it is not a number, and at least 1 [RATES-13]', () => {
    for (const minStay of [undefined, null, '', 'a month', Number.NaN])
      expect(rateForm.parse(buildRate({ minStay })).minStay).toBe(30)
    expect(rateForm.parse(buildRate({ minStay: '7' })).minStay).toBe(7)
    expect(problems(buildRate({ minStay: 0 }))).toEqual({ minStay: 'Min stay is at least 1 night' })
  })

  test('is active by default [RATES-14]', () => {
    expect(rateForm.parse(buildRate({ isActive: undefined })).isActive).toBe(true)
    expect(rateForm.parse(buildRate({ isActive: false })).isActive).toBe(false)
  })

  test('rejects an end before the start, at the end date; a single day is a valid period [RATES-16]', () => {
    expect(problems(buildRate({ startDate: '2026-06-02', endDate: '2026-06-01' }))).toEqual({
      endDate: 'End date must be on or after start date',
    })
    expect(problems(buildRate({ startDate: '2026-06-01', endDate: '2026-06-01' }))).toEqual({})
  })
})

describe('the rate period of a night', () => {
  test('is the shortest active period that contains the night, ends included', () => {
    const off = buildPeriod({ startDate: '2026-06-10', endDate: '2026-06-11', isActive: false })
    const rates = [year, june, off]
    const periods = ['2026-05-31', '2026-06-01', '2026-06-10', '2026-06-30', '2026-07-01', '2027-01-01']
    expect(periods.map(night => rateForNight(rates, night)?.period)).toEqual([
      'Year',
      'June',
      'June',
      'June',
      'Year',
      undefined,
    ])
  })
})

describe('an estimate', () => {
  test.each<[string, PricedPeriod[], DateRange, number, string[]]>([
    ['two weekdays', [year], stay('2026-03-02', 2), 28000, ['2 nights × $140.00']],
    [
      'a night over the weekend: Friday and Saturday are dearer, Sunday is not',
      [year],
      stay('2026-03-05', 4),
      14000 + 2 * 17000 + 14000,
      ['2 nights × $140.00', '2 weekend nights × $170.00'],
    ],
    ['a week', [year], stay('2026-03-02', 7), 84000, ['1 week × $840.00']],
    [
      'sixteen nights: two weeks and what is left over',
      [year],
      stay('2026-03-02', 16),
      2 * 84000 + 2 * 14000,
      ['2 weeks × $840.00', '2 nights × $140.00'],
    ],
    ['27 nights are still weeks', [year], stay('2026-03-02', 27), 3 * 84000 + 4 * 14000 + 2 * 17000, []],
    ['28 nights are a month', [year], stay('2026-03-02', 28), 300000, ['28 nights: one month’s rent']],
    ['whole months', [year], stay('2026-03-01', 61), 600000, ['2 months × $3,000.00']],
    [
      'months and days after them are two lines',
      [year],
      stay('2026-03-01', 36),
      350000,
      ['1 month × $3,000.00', '5 days at 1/30 of a month’s rent'],
    ],
    ['missing prices: a thirtieth of the month a night', [june], stay('2026-06-05', 3), 3 * 15000, []],
    ['a missing week: seven thirtieths', [june], stay('2026-06-05', 8), 105000 + 15000, []],
    [
      'a missing weekend price: the nightly one',
      [buildPeriod({ nightly: 111 })],
      stay('2026-03-06', 2),
      22200,
      ['2 nights × $111.00'],
    ],
    [
      'nights of two periods: each by its own',
      [year, june],
      stay('2026-05-31', 3),
      14000 + 2 * 15000,
      ['Year: 1 night × $140.00', 'June: 2 nights × $150.00'],
    ],
    [
      'a week over two periods: each its share',
      [year, june],
      stay('2026-05-29', 7),
      Math.round((84000 * 3) / 7) + Math.round((105000 * 4) / 7),
      ['Year: 3/7 week × $840.00', 'June: 4/7 week × $1,050.00'],
    ],
    ['a month over two periods: the average', [year, june], stay('2026-05-17', 30), 375000, []],
  ])('%s', (_, rates, dates, totalCents, labels) => {
    const quote = quoteStay(rates, dates)
    expect(quote?.totalCents).toBe(totalCents)
    if (labels.length > 0) expect(quote?.parts.map(part => part.label)).toEqual(labels)
  })

  test('is undefined if a night has no rate period, or if there are no nights', () => {
    expect(quoteStay([june], stay('2026-06-29', 3))).toBeUndefined()
    expect(quoteStay([june], stay('2026-06-29', 2))).toBeDefined()
    expect(quoteStay([june], stay('2026-06-29', 0))).toBeUndefined()
  })

  test('has the minimum stay of the rate period with the most nights, for information only', () => {
    const weekly = { ...june, minStay: 7 }
    expect(quoteStay([year, weekly], stay('2026-05-31', 6))).toMatchObject({
      period: 'June',
      minStay: 7,
      meetsMinStay: false,
    })
    expect(quoteStay([year, weekly], stay('2026-05-31', 7))?.meetsMinStay).toBe(true)
    expect(quoteStay([year, weekly], stay('2026-05-30', 4))?.period).toBe('Year')
  })
})

test("the lease's default rent is the monthly rate, the quote for shorter stays, else 2500 [ADMAPP-23]", () => {
  expect(defaultLeaseRentCents([year], stay('2026-03-02', 90))).toBe(300000)
  expect(defaultLeaseRentCents([year], stay('2026-03-02', 28))).toBe(300000)
  expect(defaultLeaseRentCents([year], stay('2026-03-02', 8))).toBe(84000 + 14000)
  expect(defaultLeaseRentCents([], stay('2026-03-02', 90))).toBe(250000)
})

describe('for any rates', () => {
  const price = fc.integer({ min: 0, max: 2_000_000 }).map(cents => cents / 100)
  const optional = fc.option(price, { nil: null })
  const day = fc.integer({ min: 0, max: 700 }).map(days => addDays('2026-01-01', days))
  const period = fc
    .record({
      id: fc.uuid(),
      startDate: day,
      days: fc.integer({ min: 0, max: 400 }),
      monthly: price,
      weekly: optional,
      nightly: optional,
      weekendNight: optional,
      minStay: fc.integer({ min: 1, max: 60 }),
      isActive: fc.boolean(),
    })
    .map(({ days, ...rate }) => ({ ...rate, period: rate.id, endDate: addDays(rate.startDate, days) }))
  const rates = fc.array(period, { maxLength: 5 }).map(some => [...some, { ...year, endDate: '2030-01-01' }])
  const dates = fc.tuple(day, fc.integer({ min: 1, max: 120 })).map(([start, nights]) => stay(start, nights))

  test('the lines add up to the total in whole cents, and the order of the list does not matter', () => {
    fc.assert(
      fc.property(rates, dates, (rates, dates) => {
        const quote = quoteStay(rates, dates)
        expect(quote?.nights).toBe(nightsBetween(dates.start, dates.end))
        expect(quote?.parts.reduce((sum, part) => sum + part.cents, 0)).toBe(quote?.totalCents)
        for (const part of quote?.parts ?? [])
          expect(Number.isInteger(part.cents) && part.cents >= 0).toBe(true)
        expect(quoteStay([...rates].reverse(), dates)).toEqual(quote)
        expect(
          quoteStay(
            rates.filter(rate => rate.isActive),
            dates,
          ),
        ).toEqual(quote)
      }),
    )
  })

  test('a lease with the default rent costs exactly the quote', () => {
    fc.assert(
      fc.property(rates, dates, (rates, dates) => {
        const rent = termRent(dates.start, dates.end, defaultLeaseRentCents(rates, dates))
        expect(rent.totalCents).toBe(quoteStay(rates, dates)?.totalCents)
      }),
    )
  })
})
