import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  dateIn,
  datesInRange,
  endOfMonth,
  formatLongDate,
  formatMoment,
  formatShortDate,
  isCalendarDate,
  nightsBetween,
  overlaps,
  weekday,
} from './dates.ts'

const anyDate = fc.integer({ min: 0, max: 60_000 }).map(days => addDays('1980-01-01', days))

test.each([
  '2026-02-29',
  '2026-13-01',
  '2026-1-01',
  '2026-04-31',
  '',
  '2026-01-01T00:00:00Z',
  '0000-00-00',
  '1899-12-31',
])('%s is not a calendar date', text => {
  expect(isCalendarDate(text)).toBe(false)
})

test('adding days and counting nights are inverse, over leap years and clock changes', () => {
  fc.assert(
    fc.property(anyDate, fc.integer({ min: -5000, max: 5000 }), (date, days) => {
      const moved = addDays(date, days)
      expect(isCalendarDate(moved)).toBe(true)
      expect(nightsBetween(date, moved)).toBe(days)
    }),
  )
})

test('a stay is half-open: a guest can arrive on the day another leaves [CONST-04]', () => {
  const first = { start: '2026-06-01', end: '2026-06-08' }
  expect(overlaps(first, { start: '2026-06-08', end: '2026-06-15' })).toBe(false)
  expect(overlaps(first, { start: '2026-06-07', end: '2026-06-15' })).toBe(true)
})

test('two stays overlap exactly if they share a night', () => {
  const stay = fc
    .tuple(anyDate, fc.integer({ min: 1, max: 60 }))
    .map(([start, nights]) => ({ start, end: addDays(start, nights) }))
  const near = fc.tuple(stay, fc.integer({ min: -70, max: 70 }), fc.integer({ min: 1, max: 60 }))
  fc.assert(
    fc.property(near, ([a, shift, nights]) => {
      const b = { start: addDays(a.start, shift), end: addDays(a.start, shift + nights) }
      const shared = datesInRange(a).some(date => datesInRange(b).includes(date))
      expect(overlaps(a, b)).toBe(shared)
      expect(overlaps(b, a)).toBe(shared)
    }),
  )
})

test.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2026-12-15', 1, '2027-01-15'],
  ['2026-03-31', -1, '2026-02-28'],
  ['2026-05-31', 12, '2027-05-31'],
])('%s plus %i months is %s', (date, months, expected) => {
  expect(addMonths(date, months)).toBe(expected)
})

test('the end of a month is its last day', () => {
  expect(['2026-02-10', '2028-02-01', '2026-12-31'].map(endOfMonth)).toEqual([
    '2026-02-28',
    '2028-02-29',
    '2026-12-31',
  ])
})

test.each([
  ['2026-03-08T04:59:00Z', '2026-03-07'],
  ['2026-03-08T05:01:00Z', '2026-03-08'],
  ['2026-11-01T03:59:00Z', '2026-10-31'],
  ['2026-11-02T04:59:00Z', '2026-11-01'],
  ['2027-01-01T04:59:00Z', '2026-12-31'],
  ['2028-02-29T12:00:00Z', '2028-02-29'],
])('at %s it is %s in New York', (moment, date) => {
  expect(dateIn(new Date(moment), 'America/New_York')).toBe(date)
})

test('formats dates and timestamps in American English, in the given time zone', () => {
  expect(formatLongDate('2026-06-01')).toBe('June 1, 2026')
  expect(formatShortDate('2026-06-01')).toBe('Jun 1, 2026')
  expect(formatMoment('2026-06-01T16:05:00.000Z', 'America/New_York').replaceAll('\u202f', ' ')).toBe(
    'Jun 1, 2026, 12:05 PM EDT',
  )
  expect(weekday('2026-06-07')).toBe(0)
})

test('no date is after the last one, so that dates compare as texts', () => {
  expect([addDays('9999-12-30', 1), addDays('9999-12-31', 1), addDays('9999-12-31', 1e9)]).toEqual(
    Array(3).fill('9999-12-31'),
  )
  expect([addMonths('9999-12-01', 1), endOfMonth('9999-12-05')]).toEqual(Array(2).fill('9999-12-31'))
  expect(datesInRange({ start: '9999-12-30', end: '9999-12-31' })).toEqual(['9999-12-30'])
})
