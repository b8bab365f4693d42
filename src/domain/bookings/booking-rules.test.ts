import { describe, expect, test } from 'vitest'
import { buildPeriod } from '../../testing/build-rate.ts'
import { addDays, formatWeekdays } from '../common/dates.ts'
import { applicationRuleFields, findBrokenRules, quoteRuleFields } from './booking-rules.ts'
import {
  type BookingRules,
  bookingRulesForm,
  bookingRulesFormFor,
  bookingRulesSection,
} from './booking-rules-form.ts'

const none = bookingRulesForm.parse({})
const today = '2026-03-04'
const rules = (change: Partial<BookingRules>) => ({ ...none, ...change })
const period = (change: Partial<Parameters<typeof buildPeriod>[0]> & { maxStay?: number | null } = {}) => ({
  ...buildPeriod(change),
  maxStay: change?.maxStay ?? null,
})
const messages = (...given: Parameters<typeof findBrokenRules>) =>
  findBrokenRules(...given).map(({ message }) => message)

describe('the saved rules', () => {
  test('are empty by default [RULE-01]', () => {
    expect(bookingRulesSection.body.parse({})).toEqual({
      stayLength: false,
      leadDays: null,
      windowDays: null,
      arrivalWeekdays: null,
      maxGuests: null,
    })
    const anything = { start: '2026-03-04', end: '2031-01-01', people: 21 }
    expect(findBrokenRules(none, anything, today, [period({ minStay: 365 })])).toEqual([])
  })

  test.each<[Record<string, unknown>, string | undefined]>([
    [{ leadDays: 0, windowDays: 1, maxGuests: 1 }, undefined],
    [{ leadDays: 365, windowDays: 1095, maxGuests: 4, arrivalWeekdays: [0, 1, 2, 3, 4, 5, 6] }, undefined],
    [{ leadDays: ' 7 ', windowDays: '', maxGuests: null, arrivalWeekdays: null }, undefined],
    [{ leadDays: 30, windowDays: 30 }, undefined],
    [{ leadDays: -1 }, 'leadDays'],
    [{ leadDays: 366 }, 'leadDays'],
    [{ leadDays: 1.5 }, 'leadDays'],
    [{ leadDays: 'soon' }, 'leadDays'],
    [{ leadDays: true }, 'leadDays'],
    [{ windowDays: 0 }, 'windowDays'],
    [{ windowDays: 1096 }, 'windowDays'],
    [{ leadDays: 31, windowDays: 30 }, 'windowDays'],
    [{ arrivalWeekdays: [] }, 'arrivalWeekdays'],
    [{ arrivalWeekdays: [7] }, 'arrivalWeekdays'],
    [{ arrivalWeekdays: [-1] }, 'arrivalWeekdays'],
    [{ arrivalWeekdays: [1.5] }, 'arrivalWeekdays'],
    [{ arrivalWeekdays: [5, 5] }, 'arrivalWeekdays'],
    [{ arrivalWeekdays: 5 }, 'arrivalWeekdays'],
    [{ maxGuests: 0 }, 'maxGuests'],
    [{ maxGuests: 5 }, 'maxGuests'],
    [{ stayLength: 'yes' }, 'stayLength'],
  ])('%j: rejected at %s [RULE-02]', (body, field) => {
    const issues = bookingRulesFormFor(4).safeParse(body).error?.issues ?? []
    expect(issues.map(({ path }) => path.join('.'))).toEqual(field ? [field] : [])
  })
})

describe('a stay', () => {
  test('may start from the end of the notice period to the last day of the booking window [RULE-04, RULE-05]', () => {
    const asked = rules({ leadDays: 89, windowDays: 100 })
    const at = (start: string) => messages(asked, { start }, today, [])
    expect(at('2026-05-31')).toEqual(['Please choose an arrival on Jun 1, 2026 or later.'])
    expect(at('2026-06-01')).toEqual([])
    expect(at('2026-06-12')).toEqual([])
    expect(at('2026-06-13')).toEqual(['Please choose an arrival on Jun 12, 2026 or earlier.'])
    expect(messages(rules({ leadDays: 0 }), { start: today }, today, [])).toEqual([])
  })

  test("may start on the rule's weekdays, listed from Sunday [RULE-06]", () => {
    const on = (days: number[], start: string) =>
      messages(rules({ arrivalWeekdays: days }), { start }, today, [])
    expect(on([6, 5], '2026-06-05')).toEqual([])
    expect(on([6, 5], '2026-06-04')).toEqual(['Arrivals are possible on Friday and Saturday.'])
    expect(on([5, 6, 0], '2026-06-04')).toEqual(['Arrivals are possible on Sunday, Friday and Saturday.'])
    expect(on([1], '2026-06-04')).toEqual(['Arrivals are possible on Monday.'])
    for (let day = 0; day < 7; day++) expect(on([0, 1, 2, 3, 4, 5, 6], addDays(today, day))).toEqual([])
    expect(formatWeekdays([6, 0])).toBe('Sunday and Saturday')
  })

  test('follows the length rule of its season: the rate period with most nights, or the earlier of two equal ones [RULE-07]', () => {
    const june = period({
      period: 'June',
      startDate: '2026-06-01',
      endDate: '2026-06-30',
      minStay: 7,
      maxStay: 60,
    })
    const july = period({ period: 'July', startDate: '2026-07-01', endDate: '2026-07-31', minStay: 3 })
    const asked = rules({ stayLength: true })
    const of = (start: string, end: string) => messages(asked, { start, end }, today, [july, june])
    expect(of('2026-06-01', '2026-06-08')).toEqual([])
    expect(of('2026-06-01', '2026-06-07')).toEqual(['The minimum stay in June is 7 nights.'])
    // Two nights in each, so the earlier one counts. Then three in July.
    expect(of('2026-06-29', '2026-07-03')).toEqual(['The minimum stay in June is 7 nights.'])
    expect(of('2026-06-29', '2026-07-04')).toEqual([])
    // Most of these nights have no rate; only rated nights have a season.
    expect(of('2026-05-01', '2026-06-30')).toEqual([])
    expect(of('2026-05-01', '2026-07-01')).toEqual(['The maximum stay in June is 60 nights.'])
    expect(of('2026-08-01', '2026-08-02')).toEqual([])
    expect(of('2026-07-31', '2026-08-01')).toEqual(['The minimum stay in July is 3 nights.'])
    const off = { ...june, isActive: false }
    expect(messages(asked, { start: '2026-06-01', end: '2026-06-02' }, today, [off])).toEqual([])
    const one = { ...june, maxStay: 1, minStay: 1 }
    expect(messages(asked, { start: '2026-06-01', end: '2026-06-03' }, today, [one])).toEqual([
      'The maximum stay in June is 1 night.',
    ])
  })

  test('has a maximum number of people [RULE-08]', () => {
    const of = (people: number, maxGuests: number) => messages(rules({ maxGuests }), { people }, today, [])
    expect(of(2, 2)).toEqual([])
    expect(of(3, 2)).toEqual(['At most 2 guests can stay.'])
    expect(of(2, 1)).toEqual(['At most 1 guest can stay.'])
  })

  test('is rejected with all broken rules in order; missing values break no rule [RULE-09]', () => {
    const asked: BookingRules = {
      stayLength: true,
      leadDays: 30,
      windowDays: 60,
      arrivalWeekdays: [6],
      maxGuests: 1,
    }
    const rates = [period({ period: 'All year', minStay: 30 })]
    const broken = findBrokenRules(asked, { start: '2026-03-05', end: '2026-03-06', people: 2 }, today, rates)
    expect(broken).toEqual([
      { about: 'start', message: 'Please choose an arrival on Apr 3, 2026 or later.' },
      { about: 'start', message: 'Arrivals are possible on Saturday.' },
      { about: 'end', message: 'The minimum stay in All year is 30 nights.' },
      { about: 'guests', message: 'At most 1 guest can stay.' },
    ])
    expect(broken.map(({ about }) => applicationRuleFields[about])).toEqual([
      'requestedStartDate',
      'requestedStartDate',
      'requestedEndDate',
      'additionalGuests',
    ])
    expect(Object.values(quoteRuleFields)).toEqual(['startDate', 'endDate', 'guests'])
    expect(findBrokenRules(asked, {}, today, rates)).toEqual([])
    expect(findBrokenRules(asked, { end: '2026-03-06' }, today, rates)).toEqual([])
  })
})
