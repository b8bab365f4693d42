import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../testing/any-text.ts'
import { addDays } from '../common/dates.ts'
import {
  bookingSummary,
  cleaningEvents,
  type FileEvent,
  ownerEvent,
  platformEvent,
  writeCalendar,
} from './calendar-file.ts'

const stay = (uid: string, start: string, end: string) => ({
  uid: `${uid}@condo.example`,
  start,
  end,
  sequence: 0,
  changedAt: '2027-05-01T09:30:15.123Z',
})
const june = stay('q1', '2027-06-01', '2027-06-05')

test("a platform's calendar contains only the taken nights, byte by byte [CAL-51, CAL-52]", () => {
  const blocked = { ...stay('q2', '2027-07-01', '2027-07-02'), sequence: 3 }
  expect(writeCalendar('For Airbnb', [platformEvent(blocked, true), platformEvent(june, false)])).toBe(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Condo Portal//Calendars//EN',
      'X-WR-CALNAME:For Airbnb',
      'BEGIN:VEVENT',
      'UID:q1@condo.example',
      'DTSTAMP:20270501T093015Z',
      'SEQUENCE:0',
      'DTSTART;VALUE=DATE:20270601',
      'DTEND;VALUE=DATE:20270605',
      'SUMMARY:Booked',
      'TRANSP:OPAQUE',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:q2@condo.example',
      'DTSTAMP:20270501T093015Z',
      'SEQUENCE:3',
      'DTSTART;VALUE=DATE:20270701',
      'DTEND;VALUE=DATE:20270702',
      'SUMMARY:Blocked',
      'TRANSP:OPAQUE',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  )
})

test('the same events in another order produce the same bytes [CAL-55]', () => {
  const events = [june, stay('q2', '2027-07-01', '2027-07-02'), stay('q0', '2027-06-01', '2027-06-05')].map(
    each => platformEvent(each, false),
  )
  expect(writeCalendar('a', [...events].reverse())).toBe(writeCalendar('a', events))
})

describe("the cleaner's calendar", () => {
  const events = cleaningEvents(
    [
      stay('old', '2027-04-01', '2027-04-30'),
      stay('kept', '2027-04-30', '2027-05-02'),
      june,
      stay('next', '2027-06-05', '2027-06-09'),
      stay('last', '2027-06-14', '2027-06-20'),
    ],
    '2027-06-01',
  )
  const told = events.map(({ description, end, start, summary }) => [start, end, summary, description])

  test('has a day for each departure since 30 days ago, with the next arrival [CAL-56]', () => {
    expect(told).toEqual([
      ['2027-05-02', '2027-05-03', 'Departure', 'Next arrival: Jun 1, 2027'],
      ['2027-06-05', '2027-06-06', 'Departure and arrival', 'Next arrival: Jun 5, 2027'],
      ['2027-06-09', '2027-06-10', 'Departure', 'Next arrival: Jun 14, 2027'],
      ['2027-06-20', '2027-06-21', 'Departure', 'No arrival planned'],
    ])
  })

  test('escapes commas and does not block time [CAL-51, CAL-56]', () => {
    const text = writeCalendar('Cleaning', events)
    expect(text).toContain('\r\nDESCRIPTION:Next arrival: Jun 14\\, 2027\r\nTRANSP:TRANSPARENT\r\n')
    expect(text).not.toContain('OPAQUE')
  })
})

test("the owner's calendar has names and does not block time [CAL-57]", () => {
  const summary = bookingSummary({ firstName: 'Ada', lastName: 'Byron', number: 'APP-2027-0003' })
  const text = writeCalendar('Mine', [ownerEvent(june, summary)])
  expect(text).toContain('\r\nSUMMARY:Ada Byron (APP-2027-0003)\r\nTRANSP:TRANSPARENT\r\n')
})

test('escapes text, so that line breaks and control characters cannot start a new line [CAL-51]', () => {
  const name = 'a\\b;c,d\r\ne\nf\rg\u2028h\u0000\u0007\ti\ud800'
  const text = writeCalendar(name, [])
  expect(text.split('\r\n')[3]).toBe('X-WR-CALNAME:a\\\\b\\;c\\,d\\ne\\nf\\ng\\nh i\ufffd')
})

test('folds long lines at 75 octets without splitting a character [CAL-51]', () => {
  const lines = writeCalendar('é'.repeat(100) + '🏖'.repeat(40), []).split('\r\n')
  const folded = lines.slice(3, -2)
  expect(folded.length).toBeGreaterThan(4)
  for (const line of folded) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(folded.map(line => line.replace(/^ /, '')).join('')).toBe(
    `X-WR-CALNAME:${'é'.repeat(100)}${'🏖'.repeat(40)}`,
  )
  expect(Buffer.byteLength(folded[0] ?? '')).toBeGreaterThan(73)
})

test('rejects a date that a file cannot represent [CAL-51]', () => {
  expect(() => writeCalendar('a', [platformEvent({ ...june, end: '+010000-0' }, false)])).toThrow(RangeError)
  expect(() => writeCalendar('a', [platformEvent({ ...june, changedAt: 'today' }, false)])).toThrow(
    RangeError,
  )
})

const anyLine = anyText({ maxLength: 120 })
const anyEvent: fc.Arbitrary<FileEvent> = fc
  .record({
    uid: fc.uuid(),
    day: fc.nat(4000),
    nights: fc.integer({ min: 1, max: 400 }),
    sequence: fc.nat(1000),
    moment: fc.date({ min: new Date('2020-01-01'), max: new Date('2060-01-01'), noInvalidDate: true }),
    summary: anyLine,
    description: fc.option(anyLine, { nil: undefined }),
    isTransparent: fc.boolean(),
  })
  .map(({ day, moment, nights, uid, ...event }) => ({
    ...event,
    uid: `${uid}@condo.example`,
    start: addDays('2027-01-01', day),
    end: addDays('2027-01-01', day + nights),
    changedAt: moment.toISOString(),
  }))

test('a strict parser and ical.js read back everything that is written [CAL-51, CAL-52]', () => {
  fc.assert(
    fc.property(
      anyLine,
      fc.uniqueArray(anyEvent, { maxLength: 5, selector: ({ uid }) => uid }),
      (name, events) => {
        const text = writeCalendar(name, events)
        const strict = readStrictly(text)
        expect(strict.name).toBe(plain(name))
        const byUid = (uid: string) => strict.events.find(event => event.UID === uid)
        expect(strict.events).toHaveLength(events.length)
        const calendar = new ICAL.Component(ICAL.parse(text))
        const parsed = calendar.getAllSubcomponents('vevent').map(vevent => new ICAL.Event(vevent))
        for (const event of events) {
          expect(byUid(event.uid)).toEqual({
            UID: event.uid,
            DTSTAMP: `${event.changedAt.slice(0, 19).replace(/[-:]/g, '')}Z`,
            SEQUENCE: String(event.sequence),
            'DTSTART;VALUE=DATE': event.start.replaceAll('-', ''),
            'DTEND;VALUE=DATE': event.end.replaceAll('-', ''),
            SUMMARY: plain(event.summary),
            ...(event.description === undefined ? {} : { DESCRIPTION: plain(event.description) }),
            TRANSP: event.isTransparent ? 'TRANSPARENT' : 'OPAQUE',
          })
          const read = parsed.find(({ uid }) => uid === event.uid)
          expect([read?.startDate.toString(), read?.endDate.toString(), read?.sequence]).toEqual([
            event.start,
            event.end,
            event.sequence,
          ])
        }
      },
    ),
  )
})

/** The text as readers return it: line breaks stay, other control characters are gone. */
const plain = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/\r\n|[\r\n\u2028\u2029\u0085]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/(?!\n)\p{Cc}/gu, '')

/** A strict RFC 5545 parser: throws on any deviation. */
function readStrictly(text: string): { name: string; events: Record<string, string>[] } {
  const octets = new TextEncoder().encode(text)
  if (new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets) !== text)
    throw new Error('not UTF-8')
  const physical = text.split('\r\n')
  if (physical.pop() !== '') throw new Error('no line break at the end')
  for (const line of physical) {
    if (/\p{Cc}/u.test(line)) throw new Error('a control character')
    if (Buffer.byteLength(line) > 75) throw new Error('a line too long')
  }
  const lines: string[] = []
  for (const line of physical) {
    if (line.startsWith(' ')) lines.push(`${lines.pop()}${line.slice(1)}`)
    else lines.push(line)
  }
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0']
  if (lines.slice(0, 2).join() !== head.join() || lines.at(-1) !== 'END:VCALENDAR')
    throw new Error('no calendar')
  const [, , prodId, calName] = lines
  if (!prodId?.startsWith('PRODID:') || !calName?.startsWith('X-WR-CALNAME:')) throw new Error('no head')
  const events: Record<string, string>[] = []
  let open: Record<string, string> | undefined
  for (const line of lines.slice(4, -1)) {
    const [, key = '', value = ''] = /^([A-Z-]+(?:;VALUE=DATE)?):(.*)$/su.exec(line) ?? []
    if (line === 'BEGIN:VEVENT' && !open) open = {}
    else if (line === 'END:VEVENT' && open) {
      events.push(open)
      open = undefined
    } else if (open && key !== '' && !(key in open)) open[key] = unescaped(value)
    else throw new Error(`a line out of place: ${line}`)
  }
  if (open) throw new Error('an event without end')
  return { name: unescaped(calName.slice('X-WR-CALNAME:'.length)), events }
}

function unescaped(value: string): string {
  if (/^(?:[^\\;,]|\\[\\;,n])*$/su.test(value))
    return value.replaceAll(/\\(.)/gsu, (_all, found) => (found === 'n' ? '\n' : found))
  throw new Error(`not escaped: ${value}`)
}
