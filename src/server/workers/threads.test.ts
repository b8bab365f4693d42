import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { airbnbFile } from '../../testing/calendar-samples.ts'
import { signatureDataUrl } from '../../testing/png.ts'
import { sha256 } from '../lib/sha256.ts'
import { type ParseInput, parseCalendar } from './ical/parse-calendar.ts'
import { renderLeasePdf } from './pdf/lease-pdf.ts'
import { readSignatureImage } from './pdf/signature-image.ts'
import { type CalendarParser, createCalendarParser, createRenderer } from './threads.ts'

const lease = { text: 'LEASE\n\n1. PARTIES\nBetween one and another.', createdAt: '2026-05-20T14:03:22.000Z' }

test('renders the same bytes in its thread as on the main thread, and decodes the same image [FIX-19]', async () => {
  const renderer = createRenderer()
  try {
    expect(await renderer.leasePdf(lease)).toEqual(renderLeasePdf(lease))
    expect(await renderer.signatureImage(signatureDataUrl())).toEqual(readSignatureImage(signatureDataUrl()))
    await expect(renderer.signatureImage('no picture')).rejects.toMatchObject({ code: 'bad_request' })
  } finally {
    await renderer.close()
  }
})

test('keeps the event loop free while rendering [FIX-19]', async () => {
  const renderer = createRenderer()
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  try {
    await renderer.leasePdf(lease)
    turns = 0
    const long = { ...lease, text: 'All work and no play makes a dull lease. '.repeat(1000) }
    expect((await renderer.leasePdf(long)).length).toBeGreaterThan(10_000)
    // Rendering on this thread would allow no turn at all.
    expect(turns).toBeGreaterThan(2)
  } finally {
    clearInterval(timer)
    await renderer.close()
  }
})

test('works under tsx, as in `npm run dev` [FIX-19]', async () => {
  const program = `
    import('./src/server/workers/threads.ts').then(async ({ createRenderer }) => {
      const renderer = createRenderer()
      const pdf = await renderer.leasePdf(${JSON.stringify(lease)})
      console.log(require('node:crypto').createHash('sha256').update(pdf).digest('hex'))
      await renderer.close()
    })`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(projectRoot, 'node_modules/tsx/dist/cli.mjs'), '--eval', program],
    { cwd: projectRoot },
  )
  expect(stdout.trim()).toBe(sha256(renderLeasePdf(lease)))
})

test('does not load the PDF library on the main thread [FIX-19]', async () => {
  const loaded = vi.fn()
  // An earlier test file in the same worker may have loaded both modules.
  vi.resetModules()
  vi.doMock('jspdf', () => {
    loaded()
    return {}
  })
  await import('../http/app.ts')
  expect(loaded).not.toHaveBeenCalled()
  vi.doUnmock('jspdf')
})

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
