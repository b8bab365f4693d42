import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bookingSummary,
  type FileEvent,
  ownerEvent,
  platformEvent,
  writeCalendar,
} from '../../../domain/calendars/calendar-file.ts'
import { addDays } from '../../../domain/common/dates.ts'
import { readStrictly } from '../../../testing/strict-calendar.ts'
import { parseCalendar } from '../../workers/ical/parse-calendar.ts'

const anyName = fc.string({
  unit: fc.constantFrom(
    ...',;:\\"\n\r\t 🏖👩‍👧é\u2028Aa',
    '\r\n',
    '\\n',
    'END:VEVENT',
    'DTEND;VALUE=DATE:20990101',
  ),
  maxLength: 60,
})
const anyStay = fc.record({
  day: fc.integer({ min: 0, max: 900 }),
  nights: fc.integer({ min: 1, max: 60 }),
  firstName: anyName,
  lastName: anyName,
  isBlock: fc.boolean(),
})

test('stays are unchanged after writing and parsing, for any names of guests, feeds and calendars [CAL-51, CAL-52, CAL-57]', () => {
  fc.assert(
    fc.property(anyName, fc.array(anyStay, { maxLength: 12 }), (name, drawn) => {
      const stays = drawn.map(({ day, nights }, i) => {
        const start = addDays('2027-05-01', day)
        const uid = `stay-${i}@0123456789abcdef.invalid`
        return { uid, start, end: addDays(start, nights), sequence: i, changedAt: '2027-05-01T00:00:00.000Z' }
      })
      const files: FileEvent[][] = [
        stays.map((stay, i) => platformEvent(stay, drawn[i]?.isBlock ?? false)),
        // Parsers ignore transparent events (CAL-24).
        stays.map((stay, i) => ({
          ...ownerEvent(stay, bookingSummary({ firstName: '', lastName: '', number: 'A', ...drawn[i] })),
          isTransparent: false,
        })),
      ]
      for (const events of files) {
        const bytes = Buffer.from(writeCalendar(name, events))
        expect(readStrictly(bytes).events).toHaveLength(stays.length)
        const parsed = parseCalendar({
          bytes,
          provider: 'other',
          today: '2027-05-01',
          timeZone: 'America/New_York',
        })
        const read = 'events' in parsed ? parsed.events : []
        const nightsOf = (found: { uid: string; start: string; end: string }[]) =>
          found.map(({ end, start, uid }) => `${uid} ${start} ${end}`).sort()
        expect(nightsOf(read)).toEqual(nightsOf(stays))
        expect(parsed).toMatchObject({ unreadable: 0, eventCount: stays.length })
      }
    }),
  )
})
