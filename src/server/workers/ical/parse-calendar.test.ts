import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { platformEvent, writeCalendar } from '../../../domain/calendars/calendar-file.ts'
import { addDays } from '../../../domain/common/dates.ts'
import { airbnbFile, bookingFile, googleFile, vrboFile } from '../../../testing/calendar-samples.ts'
import { type ParseInput, parseCalendar } from './parse-calendar.ts'

const parse = (file: string | Uint8Array, change: Partial<ParseInput> = {}) =>
  parseCalendar({
    bytes: typeof file === 'string' ? new TextEncoder().encode(file) : file,
    provider: 'other',
    today: '2027-05-01',
    timeZone: 'America/New_York',
    ...change,
  })
const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:a', ...lines, 'END:VEVENT']
/** The nights of an event with these lines, or 'unreadable'. */
function nightsOf(...lines: string[]) {
  const parsed = parse(calendar(...event(...lines)))
  if ('problem' in parsed) return parsed.problem
  return parsed.unreadable > 0 ? 'unreadable' : parsed.events.map(({ end, start }) => `${start} ${end}`)
}
const read = (uid: string, kind: string, start: string, end: string) => ({ uid, kind, start, end })

describe('parses the calendar file of', () => {
  test('Airbnb [CAL-20, CAL-26]', () => {
    expect(parse(airbnbFile, { provider: 'airbnb' })).toEqual({
      eventCount: 3,
      unreadable: 0,
      events: [
        read('1418fb94e984-3d2a90c1@airbnb.com', 'reservation', '2027-06-04', '2027-06-11'),
        read('7f662ec65913-0b1c22aa@airbnb.com', 'block', '2027-06-20', '2027-06-27'),
        read('1418fb94e984-77aa0102@airbnb.com', 'reservation', '2027-12-28', '2028-01-03'),
      ],
    })
  })

  test('Vrbo [CAL-20, CAL-26]', () => {
    expect(parse(vrboFile, { provider: 'vrbo' })).toEqual({
      eventCount: 2,
      unreadable: 0,
      events: [
        read('4f0c1b52-9a77-4ac6-8f9e-0d1e2f3a4b5c', 'reservation', '2027-07-03', '2027-07-10'),
        read('90a1b2c3-1111-4222-8333-444455556666', 'block', '2027-08-01', '2027-08-02'),
      ],
    })
  })

  test('Booking.com [CAL-20, CAL-26]', () => {
    expect(parse(bookingFile, { provider: 'booking' })).toEqual({
      eventCount: 2,
      unreadable: 0,
      events: [
        read('b0a1c2d3e4f5061728394a5b6c7d8e9f@booking.com', 'unclear', '2027-06-12', '2027-06-15'),
        read('c0a1c2d3e4f5061728394a5b6c7d8e9f@booking.com', 'unclear', '2027-09-01', '2027-09-30'),
      ],
    })
  })

  test('Google [CAL-20, CAL-22, CAL-23, CAL-24]', () => {
    expect(parse(googleFile, { provider: 'google' })).toEqual({
      eventCount: 6,
      unreadable: 0,
      events: [
        // The series' second weekend was moved by a day, its third was excluded.
        read('5u0weekend@google.com', 'unclear', '2027-06-12', '2027-06-14'),
        read('1stday@google.com', 'unclear', '2027-05-20', '2027-05-22'),
        read('2late@google.com', 'unclear', '2027-07-01', '2027-07-03'),
        read('5u0weekend@google.com', 'unclear', '2027-06-04', '2027-06-06'),
        read('5u0weekend@google.com', 'unclear', '2027-06-25', '2027-06-27'),
      ],
    })
  })

  test('returns only UID, dates and kind of an event [CAL-20]', () => {
    for (const file of [airbnbFile, vrboFile, bookingFile, googleFile])
      expect(JSON.stringify(parse(file, { provider: 'vrbo' }))).not.toMatch(
        /Ada|Byron|http|555-0100|5550|5551|HMAB|Reserved|Family/,
      )
  })
})

describe('calendar detection', () => {
  const good = { events: [], eventCount: 0, unreadable: 0 }
  test.each([
    ['an empty calendar', calendar(), good],
    ['after a byte order mark and blanks', `\ufeff\r\n  \r\n${calendar()}`, good],
    ['with blanks after it', `${calendar()}\r\n \r\n`, good],
    ['with LF alone', calendar().replaceAll('\r\n', '\n'), good],
    ['in small letters', calendar().toLowerCase(), good],
    ['nothing', '', { problem: 'noCalendar' }],
    ['a page', '<!doctype html><title>Log in</title>BEGIN:VCALENDAR', { problem: 'noCalendar' }],
    ['another beginning', 'BEGIN:VCARD\r\nEND:VCARD\r\n', { problem: 'noCalendar' }],
    ['cut off', calendar(...event()).slice(0, -20), { problem: 'brokenOff' }],
    ['cut off within its last word', calendar().slice(0, -4), { problem: 'brokenOff' }],
  ])('%s [CAL-14]', (_title, text, expected) => {
    expect(parse(text)).toEqual(expected)
  })

  test('reads nested components up to ten deep, and rejects a file with deeper ones [CAL-14]', () => {
    const nested = (levels: number) => [...Array(levels).fill('BEGIN:X'), ...Array(levels).fill('END:X')]
    const start = 'DTSTART;VALUE=DATE:20270601'
    expect(parse(calendar(...event(start, ...nested(9))))).toMatchObject({ eventCount: 1, unreadable: 0 })
    expect(parse(calendar(...event(start, ...nested(10))))).toEqual({ problem: 'brokenOff' })
    const startedAt = performance.now()
    const lines = 'BEGIN:X\n'.repeat(60_000) + 'END:Y\n'.repeat(80_000)
    expect(parse(calendar(...event(lines)))).toEqual({ problem: 'brokenOff' })
    expect(performance.now() - startedAt).toBeLessThan(2000)
  })

  test('reads 5,000 events in time, and rejects 5,001 [CAL-14]', () => {
    const many = (count: number) =>
      calendar(
        ...Array.from({ length: count }, (_, at) => event('DTSTART;VALUE=DATE:20270601', `UID:${at}`)).flat(),
      )
    expect(parse(many(5000))).toMatchObject({ eventCount: 5000, unreadable: 0 })
    expect(parse(many(5001))).toEqual({ problem: 'tooManyEvents' })
  })
})

describe('unreadable events', () => {
  test.each([
    ['without a start', ['DTEND;VALUE=DATE:20270605']],
    ['in a month 13', ['DTSTART;VALUE=DATE:20271301']],
    ['on a February 30', ['DTSTART;VALUE=DATE:20270230', 'DTEND;VALUE=DATE:20270305']],
    ['that ends on a day 32', ['DTSTART;VALUE=DATE:20270601', 'DTEND;VALUE=DATE:20270632']],
    ['at 25 o’clock', ['DTSTART:20270601T250000Z', 'DTEND:20270605T100000Z']],
    ['with a word as start', ['DTSTART:tomorrow']],
    ['with more after the date', ['DTSTART;VALUE=DATE:20270601x']],
    ['with a word as duration', ['DTSTART;VALUE=DATE:20270601', 'DURATION:week']],
    ['with a rule that is none', ['DTSTART;VALUE=DATE:20270601', 'RRULE:FREQ=SOMETIMES']],
    ['repeated until a month 13', ['DTSTART;VALUE=DATE:20270601', 'RRULE:FREQ=DAILY;UNTIL=20271301']],
    ['with another date that does not exist', ['DTSTART;VALUE=DATE:20270601', 'RDATE;VALUE=DATE:20270631']],
    ['without an excluded date', ['DTSTART;VALUE=DATE:20270601', 'EXDATE;VALUE=DATE:2027']],
  ])('an event %s is counted as unreadable, and others are read [CAL-18]', (_title, lines) => {
    expect(nightsOf(...lines)).toBe('unreadable')
    const other = ['BEGIN:VEVENT', 'UID:b', 'DTSTART;VALUE=DATE:20270701', 'END:VEVENT']
    expect(parse(calendar(...event(...lines), ...other))).toMatchObject({
      events: [{ uid: 'b', start: '2027-07-01' }],
      eventCount: 2,
      unreadable: 1,
    })
  })

  test('an event without an END line is unreadable, and does not mix with the next [CAL-18]', () => {
    const lost = ['BEGIN:VEVENT', 'UID:lost', 'DTSTART;VALUE=DATE:20270601']
    expect(parse(calendar(...lost, ...event('DTSTART;VALUE=DATE:20270701')))).toMatchObject({
      events: [{ uid: 'a', start: '2027-07-01' }],
      unreadable: 1,
    })
    expect(parse(calendar(...event('DTSTART;VALUE=DATE:20270701'), ...lost))).toMatchObject({
      events: [{ uid: 'a' }],
      unreadable: 1,
    })
  })

  test('a rule that never yields a date is unreadable after one second [CAL-18]', () => {
    const startedAt = performance.now()
    expect(nightsOf('DTSTART;VALUE=DATE:20270601', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30')).toBe(
      'unreadable',
    )
    expect(performance.now() - startedAt).toBeLessThan(3000)
  })
})

test('ignores broken lines that are not needed, unknown properties and alarms, and unfolds lines [CAL-19]', () => {
  const text = calendar(
    'X-BROKEN',
    'a line of prose without any sense',
    ';;;:::',
    ...event(
      'DTSTA\r\n RT;VALUE=DATE:2027\r\n\t0601',
      'DTEND;X-A="b;c:d";VALUE=DATE:20270605',
      'ATTENDEE;CN="Ada:mailto:ada@example.org',
      'X-UNKNOWN;Y=1:z',
      'DESCRIPTION',
      'BEGIN:VALARM',
      'DTSTART;VALUE=DATE:20280101',
      'TRIGGER:-PT15M',
      'END:VALARM',
    ),
    'BEGIN:VTODO',
    'DTSTART;VALUE=DATE:20280101',
    'END:VTODO',
  )
  for (const each of [text, text.replaceAll('\r\n', '\n')])
    expect(parse(each)).toEqual({
      events: [read('a', 'unclear', '2027-06-01', '2027-06-05')],
      eventCount: 1,
      unreadable: 0,
    })
})

test.each([
  ['an exclusive end', ['DTEND;VALUE=DATE:20270604'], ['2027-06-01 2027-06-04']],
  ['no end', [], ['2027-06-01 2027-06-02']],
  ['an end before the start', ['DTEND;VALUE=DATE:20270501'], ['2027-06-01 2027-06-02']],
  ['a duration', ['DURATION:P1W'], ['2027-06-01 2027-06-08']],
  ['a duration of hours', ['DURATION:PT36H'], ['2027-06-01 2027-06-03']],
  ['a duration back', ['DURATION:-P3D'], ['2027-06-01 2027-06-02']],
  ['a duration without end', ['DURATION:P999999W'], ['2027-06-01 9999-12-31']],
])('reads the nights of an all-day event with %s [CAL-21]', (_title, lines, expected) => {
  expect(nightsOf('DTSTART;VALUE=DATE:20270601', ...lines)).toEqual(expected)
})

test.each([
  ['in UTC', ['DTSTART:20270602T020000Z', 'DTEND:20270605T020000Z'], ['2027-06-01 2027-06-04']],
  ['without zone', ['DTSTART:20270602T020000', 'DTEND:20270605T020000'], ['2027-06-02 2027-06-05']],
  [
    'in an IANA zone',
    ['DTSTART;TZID=Asia/Tokyo:20270602T090000', 'DTEND;TZID=Asia/Tokyo:20270605T150000'],
    ['2027-06-01 2027-06-05'],
  ],
  [
    'in the zone of the property',
    ['DTSTART;TZID="America/New_York":20270602T233000', 'DTEND;TZID=America/New_York:20270605T003000'],
    ['2027-06-02 2027-06-05'],
  ],
  [
    'in a zone that nobody knows',
    ['DTSTART;TZID=Home:20270602T160000', 'DTEND;TZID=Home:20270605T100000'],
    ['2027-06-02 2027-06-05'],
  ],
  ['within a day', ['DTSTART:20270602T120000Z', 'DTEND:20270602T200000Z'], []],
  ['without end', ['DTSTART:20270602T120000Z'], []],
  ['with a duration', ['DTSTART:20270602T120000Z', 'DURATION:P2DT1H'], ['2027-06-02 2027-06-04']],
  [
    'from midnight to midnight',
    ['DTSTART:20270602T000000Z', 'DTEND:20270605T000000Z'],
    ['2027-06-02 2027-06-05'],
  ],
])('reads the nights of a timed event %s [CAL-22]', (_title, lines, expected) => {
  expect(nightsOf(...lines)).toEqual(expected)
})

test("uses the file's own VTIMEZONE if there is no IANA zone of its name [CAL-22]", () => {
  const zone = (name: string) => [
    'BEGIN:VTIMEZONE',
    `TZID:${name}`,
    'X-BROKEN',
    'BEGIN:STANDARD',
    'DTSTART:16010101T020000',
    'TZOFFSETFROM:+1000',
    'TZOFFSETTO:+0900',
    'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:16010101T020000',
    'TZOFFSETFROM:+0900',
    'TZOFFSETTO:+1000',
    'RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
  ]
  const inZone = (name: string, from: string) =>
    parse(
      calendar(...zone(name), ...event(`DTSTART;TZID=${name}:${from}`, `DTEND;TZID=${name}:20271210T160000`)),
    )
  const start = (name: string, from: string) => {
    const parsed = inZone(name, from)
    return 'events' in parsed && parsed.events[0]?.start
  }
  // 13:30 in this zone is 23:30 of the previous day in New York, in summer and in winter.
  expect(start('Far Standard Time', '20270602T133000')).toBe('2027-06-01')
  expect(start('Far Standard Time', '20270602T140000')).toBe('2027-06-02')
  expect(start('Far Standard Time', '20271201T133000')).toBe('2027-11-30')
  expect(start('Far Standard Time', '20271201T140000')).toBe('2027-12-01')
  // An IANA zone of this name exists, so the file's definition is ignored.
  expect(start('America/New_York', '20270602T133000')).toBe('2027-06-02')
})

describe('recurrences', () => {
  const daily = 'DTSTART;VALUE=DATE:20270601'
  test.each([
    [
      'by a rule',
      [daily, 'RRULE:FREQ=WEEKLY;COUNT=3'],
      ['2027-06-01 2027-06-02', '2027-06-08 2027-06-09', '2027-06-15 2027-06-16'],
    ],
    [
      'until a day, that day included',
      [daily, 'DTEND;VALUE=DATE:20270603', 'RRULE:FREQ=WEEKLY;UNTIL=20270608'],
      ['2027-06-01 2027-06-03', '2027-06-08 2027-06-10'],
    ],
    [
      'until a moment in UTC',
      [
        'DTSTART;TZID=America/New_York:20270601T200000',
        'DURATION:PT12H',
        'RRULE:FREQ=DAILY;UNTIL=20270603T000000Z',
      ],
      ['2027-06-01 2027-06-02', '2027-06-02 2027-06-03'],
    ],
    [
      'on further dates, the start first',
      [daily, 'RDATE;VALUE=DATE:20270610,20270620'],
      ['2027-06-01 2027-06-02', '2027-06-10 2027-06-11', '2027-06-20 2027-06-21'],
    ],
    [
      'without excluded dates',
      [daily, 'RRULE:FREQ=DAILY;COUNT=4', 'EXDATE;VALUE=DATE:20270601,20270603'],
      ['2027-06-02 2027-06-03', '2027-06-04 2027-06-05'],
    ],
    [
      'without an excluded moment of another zone',
      [
        'DTSTART;TZID=America/New_York:20270601T160000',
        'DURATION:PT18H',
        'RRULE:FREQ=DAILY;COUNT=2',
        'EXDATE:20270602T200000Z',
      ],
      ['2027-06-01 2027-06-02'],
    ],
    [
      'by a rule that its start does not follow',
      [daily, 'RRULE:FREQ=WEEKLY;BYDAY=FR;UNTIL=20270612'],
      ['2027-06-01 2027-06-02', '2027-06-04 2027-06-05', '2027-06-11 2027-06-12'],
    ],
    [
      'over the change to winter time',
      ['DTSTART;TZID=America/New_York:20271106T233000', 'DURATION:PT10H', 'RRULE:FREQ=DAILY;COUNT=2'],
      ['2027-11-06 2027-11-07', '2027-11-07 2027-11-08'],
    ],
    [
      'past ones are left out',
      ['DTSTART;VALUE=DATE:20270429', 'RRULE:FREQ=DAILY;COUNT=4'],
      ['2027-05-01 2027-05-02', '2027-05-02 2027-05-03'],
    ],
  ])('%s [CAL-23]', (_title, lines, expected) => {
    expect(nightsOf(...lines)).toEqual(expected)
  })

  test('are expanded for 18 months, even if the series began years ago [CAL-23]', () => {
    const nights = nightsOf('DTSTART;VALUE=DATE:20200101', 'RRULE:FREQ=MONTHLY')
    expect([nights[0], nights.at(-1), nights.length]).toEqual([
      '2027-05-01 2027-05-02',
      '2028-11-01 2028-11-02',
      19,
    ])
    // A first occurrence that is farther away is included.
    expect(nightsOf('DTSTART;VALUE=DATE:20290601', 'RRULE:FREQ=DAILY')).toEqual(['2029-06-01 2029-06-02'])
  })

  test('are limited to 500 [CAL-23]', () => {
    expect(nightsOf('DTSTART;VALUE=DATE:20200101', 'RRULE:FREQ=DAILY')).toHaveLength(500)
    const dates = Array.from({ length: 600 }, (_, at) => addDays('2027-06-01', at).replaceAll('-', ''))
    expect(
      nightsOf('DTSTART;VALUE=DATE:20270601', `RDATE;VALUE=DATE:${dates.join()}`).length,
    ).toBeLessThanOrEqual(500)
  })

  test('an event with RECURRENCE-ID replaces its occurrence, even if it is canceled or comes first [CAL-23]', () => {
    const series = event('DTSTART;VALUE=DATE:20270601', 'RRULE:FREQ=WEEKLY;COUNT=3')
    const replacing = (...lines: string[]) => event('RECURRENCE-ID;VALUE=DATE:20270608', ...lines)
    const starts = (...lines: string[]) => {
      const parsed = parse(calendar(...lines))
      return 'events' in parsed && parsed.events.map(each => each.start).sort()
    }
    const moved = ['2027-06-01', '2027-06-10', '2027-06-15']
    expect(starts(...series, ...replacing('DTSTART;VALUE=DATE:20270610'))).toEqual(moved)
    expect(starts(...replacing('DTSTART;VALUE=DATE:20270610'), ...series)).toEqual(moved)
    expect(starts(...series, ...replacing('STATUS:CANCELLED', 'DTSTART;VALUE=DATE:20270608'))).toEqual([
      '2027-06-01',
      '2027-06-15',
    ])
    // An unreadable event replaces nothing.
    expect(starts(...series, ...replacing('DTSTART:never'))).toEqual([
      '2027-06-01',
      '2027-06-08',
      '2027-06-15',
    ])
  })
})

test.each(['STATUS:CANCELLED', 'TRANSP:TRANSPARENT', 'transp:transparent'])(
  'ignores an event with %s, even if it is otherwise unreadable [CAL-24]',
  line => {
    expect(nightsOf('DTSTART;VALUE=DATE:20270601', line)).toEqual([])
    expect(nightsOf('DTSTART;VALUE=DATE:20271301', line)).toEqual([])
    expect(nightsOf('DTSTART;VALUE=DATE:20270601', 'STATUS:CONFIRMED', 'TRANSP:OPAQUE')).toHaveLength(1)
  },
)

test('keeps the reservation of a reservation and a block with the same UID and dates [CAL-26]', () => {
  const one = (summary: string) => event('DTSTART;VALUE=DATE:20270601', `SUMMARY:${summary}`)
  for (const file of [
    [...one('Reserved'), ...one('Blocked')],
    [...one('Blocked'), ...one('Reserved')],
  ])
    expect(parse(calendar(...file), { provider: 'airbnb' })).toMatchObject({
      events: [{ kind: 'reservation' }],
    })
})

test('stays are unchanged after writing and parsing a file [CAL-21, CAL-51, CAL-52]', () => {
  const stays = fc.uniqueArray(
    fc.record({
      uid: fc.string({ unit: fc.constantFrom(...'abc123-;,\\é'), minLength: 1, maxLength: 90 }),
      day: fc.integer({ min: 0, max: 1090 }),
      nights: fc.integer({ min: 1, max: 400 }),
    }),
    { maxLength: 20, selector: ({ uid }) => uid },
  )
  fc.assert(
    fc.property(stays, drawn => {
      const events = drawn.map(({ day, nights, uid }) => ({
        uid: uid.replaceAll(/[;,\\]/g, '_'),
        start: addDays('2027-05-01', day),
        end: addDays('2027-05-01', day + nights),
        sequence: 0,
        changedAt: '2027-05-01T00:00:00.000Z',
      }))
      const parsed = parse(
        writeCalendar(
          'x',
          events.map(each => platformEvent(each, false)),
        ),
      )
      const key = ({ end, start, uid }: { uid: string; start: string; end: string }) =>
        `${start} ${end} ${uid}`
      expect('events' in parsed && parsed.events.map(key).sort()).toEqual(
        [...new Set(events.map(key))].sort(),
      )
      expect(parsed).toMatchObject({ eventCount: events.length, unreadable: 0 })
    }),
  )
})

describe('returns a valid result in time for', () => {
  const expectValidResult = (bytes: Uint8Array) => {
    const startedAt = performance.now()
    const parsed = parse(bytes, { provider: 'airbnb' })
    expect(performance.now() - startedAt).toBeLessThan(7000)
    if ('problem' in parsed) {
      expect(parsed.problem).toMatch(
        /^(noCalendar|brokenOff|tooManyEvents|tooManyComing|tooManyPerNight|tooFarAhead|tooSlow)$/,
      )
      return
    }
    expect(parsed.unreadable).toBeLessThanOrEqual(parsed.eventCount)
    for (const { end, start } of parsed.events)
      expect(start < end && /^\d{4}-\d\d-\d\d$/.test(end)).toBe(true)
  }

  test('any bytes [CAL-14, CAL-18]', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), expectValidResult))
  })

  test('a file of broken lines [CAL-18, CAL-19]', () => {
    const word = fc.constantFrom(
      ...[
        'DTSTART',
        'DTEND',
        'DURATION',
        'RRULE',
        'RDATE',
        'EXDATE',
        'RECURRENCE-ID',
        'UID',
        'SUMMARY',
        'STATUS',
      ],
      ...['BEGIN:VEVENT', 'END:VEVENT', 'BEGIN:VTIMEZONE', 'END:VTIMEZONE', 'BEGIN:STANDARD', 'END:STANDARD'],
      ...[
        ';TZID=X',
        ';TZID=Europe/Paris',
        ';VALUE=DATE',
        ':',
        ';',
        '=',
        '"',
        ',',
        '\\',
        ' ',
        '\r\n',
        '\n',
        '\r\n ',
      ],
      ...[
        '20270601',
        '20271301',
        '00000000',
        '99991231',
        '20270601T120000Z',
        '20270601T000000',
        'P1D',
        'PT9999999H',
      ],
      ...[
        'FREQ=DAILY',
        'FREQ=YEARLY',
        'COUNT=3',
        'INTERVAL=0',
        'INTERVAL=-1',
        'UNTIL=20270801',
        'BYDAY=5MO',
        'BYMONTH=2',
      ],
      ...['TZID:X', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:-9999', 'x', '\u0000', 'é'],
    )
    const line = fc.array(word, { maxLength: 6 }).map(words => words.join(''))
    const lines = fc.array(
      fc.oneof(line, fc.constantFrom('BEGIN:VEVENT', 'END:VEVENT', 'DTSTART;VALUE=DATE:20270601')),
    )
    fc.assert(
      fc.property(lines, each => expectValidResult(new TextEncoder().encode(calendar(...each)))),
      { numRuns: 300 },
    )
  })

  test('a valid file with changed bytes [CAL-18, CAL-19]', () => {
    const good = new TextEncoder().encode(googleFile)
    const changes = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 12 })
    fc.assert(
      fc.property(changes, each => {
        const bytes = good.slice()
        for (const [at, byte] of each) bytes[at] = byte
        expectValidResult(bytes)
      }),
      { numRuns: 200 },
    )
  })
})

test('a file has at most 100 names of time zones, whatever their case; more cannot be read [FIX-26, CAL-18]', () => {
  const spelling = (n: number) =>
    [...'America/New_York'].map((c, i) => ((n >> i) & 1 ? c.toUpperCase() : c.toLowerCase())).join('')
  const inZone = (n: number) => {
    const day = addDays('2027-06-01', n).replaceAll('-', '')
    return event(`DTSTART;TZID=${spelling(n)}:${day}T160000`, 'DURATION:P1D').with(1, `UID:${n}`)
  }
  const file = (count: number) =>
    parse(calendar(...Array.from({ length: count }, (_, n) => inZone(n)).flat()))
  expect(file(100)).toMatchObject({ unreadable: 0, eventCount: 100 })
  expect(file(128)).toMatchObject({ unreadable: 28 })
  const format = vi.spyOn(Intl, 'DateTimeFormat')
  file(100)
  // One for each name, to look it up, and none to keep.
  expect(format.mock.calls.length).toBeLessThanOrEqual(101)
  format.mockRestore()
})
