import { afterEach, expect, test } from 'vitest'
import { airbnbFile } from '../../../testing/calendar-samples.ts'
import { type CalendarParser, createCalendarParser } from './calendar-parser.ts'
import { type ParseInput, parseCalendar } from './parse-calendar.ts'

let parser: CalendarParser | undefined
afterEach(() => parser?.close())

const input = (file: string): ParseInput => ({
  bytes: new TextEncoder().encode(file),
  provider: 'airbnb',
  today: '2027-05-01',
  timeZone: 'America/New_York',
})
const calendar = (count: number, ...lines: string[]) =>
  [
    'BEGIN:VCALENDAR',
    ...Array.from({ length: count }, (_, at) => ['BEGIN:VEVENT', `UID:${at}`, ...lines, 'END:VEVENT']).flat(),
    'END:VCALENDAR',
  ].join('\r\n')
const endless = ['DTSTART;VALUE=DATE:20270601', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30']

test('returns the same result from its thread as a direct call [CAL-17]', async () => {
  parser = createCalendarParser()
  expect(await parser.parse(input(airbnbFile))).toEqual(parseCalendar(input(airbnbFile)))
})

test('gives up on an endless event after a second, reads the rest, and does not block the site [CAL-17, CAL-18]', async () => {
  parser = createCalendarParser()
  await parser.parse(input(airbnbFile))
  let turns = 0
  const timer = setInterval(() => turns++, 10)
  const startedAt = performance.now()
  const file = calendar(1, ...endless).replace(
    'END:VCALENDAR',
    airbnbFile.slice(airbnbFile.indexOf('BEGIN:VEVENT')),
  )
  const parsed = await parser.parse(input(file))
  clearInterval(timer)
  expect(parsed).toMatchObject({ unreadable: 1, eventCount: 4, events: [{}, {}, {}] })
  expect(performance.now() - startedAt).toBeGreaterThan(950)
  // If this thread were blocked, the timer would not run at all.
  expect(turns).toBeGreaterThan(20)
})

test('gives up on a file of endless events after five seconds, and reads the next file [CAL-17]', async () => {
  parser = createCalendarParser()
  const startedAt = performance.now()
  const [slow, next] = await Promise.all([
    parser.parse(input(calendar(20, ...endless))),
    parser.parse(input(airbnbFile)),
  ])
  expect(slow).toEqual({ problem: 'tooSlow' })
  expect(next).toMatchObject({ eventCount: 3 })
  expect(performance.now() - startedAt).toBeLessThan(15_000)
})

test('terminates a thread that still hangs, and reads the next file in a new thread [CAL-17]', async () => {
  parser = createCalendarParser({ jobTimeoutMs: 2500 })
  await parser.parse(input(airbnbFile))
  expect(await parser.parse(input(calendar(20, ...endless)))).toEqual({ problem: 'tooSlow' })
  expect(await parser.parse(input(airbnbFile))).toMatchObject({ eventCount: 3 })
})

test('rejects files after it was closed [CAL-17]', async () => {
  parser = createCalendarParser()
  await parser.close()
  await expect(parser.parse(input(airbnbFile))).rejects.toMatchObject({ code: 'unavailable' })
})
