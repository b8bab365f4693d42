import { describe, expect, test } from 'vitest'
import {
  blocksNights,
  type CalendarEvent,
  defaultModeOf,
  type EventTime,
  eventStateOf,
  freedNights,
  kindOf,
  nightsOf,
  providerOf,
  takenNights,
} from './calendar-event.ts'

test.each([
  ['https://www.airbnb.com/calendar/ical/1234.ics?s=abc', 'airbnb'],
  ['https://www.airbnb.co.uk/calendar/ical/1234.ics', 'airbnb'],
  ['https://airbnb.de/calendar/ical/1234.ics', 'airbnb'],
  ['https://www.vrbo.com/icalendar/abc.ics', 'vrbo'],
  ['https://www.homeaway.com/icalendar/abc.ics', 'vrbo'],
  ['https://ical.booking.com/v1/export?t=abc', 'booking'],
  ['https://calendar.google.com/calendar/ical/x/basic.ics', 'google'],
  ['https://airbnb.com.example.org/a.ics', 'other'],
  ['https://notairbnb.com/a.ics', 'other'],
  ['https://example.org/airbnb.com/a.ics', 'other'],
  ['no address', 'other'],
] as const)('the host of %s belongs to %s [CAL-26]', (url, provider) => {
  expect(providerOf(url)).toBe(provider)
})

test.each([
  ['airbnb', 'Reserved', 'reservation'],
  ['airbnb', 'Airbnb (Not available)', 'block'],
  ['airbnb', 'Something new', 'unclear'],
  ['vrbo', 'Reserved - Ada', 'reservation'],
  ['vrbo', 'Blocked', 'block'],
  ['vrbo', 'Not Blocked', 'unclear'],
  ['vrbo', 'Reserved (Not available)', 'reservation'],
  ['airbnb', '', 'unclear'],
  ['booking', 'CLOSED - Not available', 'unclear'],
  ['google', 'Reserved', 'unclear'],
  ['other', 'Blocked', 'unclear'],
] as const)('on %s the summary %j is a %s [CAL-26]', (provider, summary, kind) => {
  expect(kindOf(provider, summary)).toBe(kind)
})

test('imports reservations from Airbnb and Vrbo, and all events from others [CAL-27]', () => {
  const modes = (['airbnb', 'vrbo', 'booking', 'google', 'other'] as const).map(defaultModeOf)
  expect(modes).toEqual(['reservations', 'reservations', 'all', 'all', 'all'])
})

describe('nights of an event', () => {
  const day = (written: string): EventTime => ({ written, isDate: true, isMidnight: false, local: written })
  const time = (written: string, local = written): EventTime => ({
    written,
    isDate: false,
    isMidnight: false,
    local,
  })
  const midnight = (written: string, local = written): EventTime => ({
    ...time(written, local),
    isMidnight: true,
  })
  const nights = (start: string, end: string) => ({ start, end })

  test.each([
    ['of days', day('2027-06-01'), day('2027-06-04'), nights('2027-06-01', '2027-06-04')],
    ['without an end', day('2027-06-01'), null, nights('2027-06-01', '2027-06-02')],
    ['that ends as it starts', day('2027-06-01'), day('2027-06-01'), nights('2027-06-01', '2027-06-02')],
    ['that ends before it starts', day('2027-06-05'), day('2027-06-01'), nights('2027-06-05', '2027-06-06')],
    ['on the last day there is', day('9999-12-31'), null, null],
  ])('an all-day event %s [CAL-21]', (_title, start, end, expected) => {
    expect(nightsOf(start, end)).toEqual(expected)
  })

  test.each([
    ['over days', time('2027-06-01'), time('2027-06-04'), nights('2027-06-01', '2027-06-04')],
    ['within a day', time('2027-06-01'), time('2027-06-01'), null],
    ['without an end', time('2027-06-01'), null, null],
    ['that ends before it starts', time('2027-06-02'), time('2027-06-01'), null],
    [
      'in another zone',
      time('2027-06-02', '2027-06-01'),
      time('2027-06-04', '2027-06-03'),
      nights('2027-06-01', '2027-06-03'),
    ],
    [
      'from midnight to midnight, as it is written',
      midnight('2027-06-02', '2027-06-01'),
      midnight('2027-06-04', '2027-06-03'),
      nights('2027-06-02', '2027-06-04'),
    ],
    [
      'from midnight to some hour',
      midnight('2027-06-02', '2027-06-01'),
      time('2027-06-04', '2027-06-03'),
      nights('2027-06-01', '2027-06-03'),
    ],
  ])('a timed event %s [CAL-22]', (_title, start, end, expected) => {
    expect(nightsOf(start, end)).toEqual(expected)
  })

  test('from today on are taken, up to 1,096 days ahead [CAL-25]', () => {
    const taken = (start: string, end: string) => takenNights({ start, end }, '2027-06-01')
    expect(taken('2027-05-20', '2027-06-01')).toBeNull()
    expect(taken('2027-05-20', '2027-06-03')).toEqual(nights('2027-06-01', '2027-06-03'))
    // The night 1,096 days ahead is the last.
    expect(taken('2030-05-31', '2099-01-01')).toEqual(nights('2030-05-31', '2030-06-02'))
    expect(taken('2030-06-02', '2030-06-05')).toBeNull()
  })
})

const stored: CalendarEvent = {
  id: 'e',
  feedId: 'f',
  uid: 'u',
  kind: 'unclear',
  start: '2027-06-01',
  end: '2027-06-03',
  echo: false,
  coveredAt: null,
  lastSeenAt: '2027-05-01T00:00:00.000Z',
  missingSince: null,
  misses: 0,
  releasedAt: null,
  endedAt: null,
}

test.each([
  ['active', true, {}],
  ['missing', true, { missingSince: '2027-05-01T00:00:00.000Z', misses: 2 }],
  ['echo', false, { echo: true }],
  ['released', false, { releasedAt: '2027-05-01T00:00:00.000Z', missingSince: '2027-05-01T00:00:00.000Z' }],
  ['ended', false, { endedAt: '2027-05-01T00:00:00.000Z', releasedAt: '2027-05-01T00:00:00.000Z' }],
] as const)('computes the state %s; blocks nights: %s [CAL-30, CAL-35, CAL-47]', (state, blocks, change) => {
  expect(eventStateOf({ ...stored, ...change })).toBe(state)
  expect(blocksNights({ ...stored, ...change })).toBe(blocks)
})

test('freed nights are those from today on that nothing else takes [CAL-34]', () => {
  const range = (start: string, end: string) => ({ start, end })
  const ended = [range('2027-05-30', '2027-06-04'), range('2027-06-02', '2027-06-06')]
  expect(freedNights(ended, [range('2027-06-03', '2027-06-05')], '2027-06-01')).toBe(3)
  expect(freedNights([], ended, '2027-06-01')).toBe(0)
})
