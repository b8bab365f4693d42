import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, test } from 'vitest'
import { MonthsCalendar } from './calendar.tsx'
import { clampDay, dayAfterKey, shiftMonth, weeksOf } from './calendar-dates.ts'
import type { DayState } from './calendar-day.tsx'

const ownZone = process.env.TZ
afterEach(() => {
  process.env.TZ = ownZone
})

// In São Paulo (2018) and Beirut, days started at 01:00 when the clocks changed; Kiritimati is a day ahead of Pago
// Pago.
const zones = [
  'UTC',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
]

describe.each(zones)('dates in %s', zone => {
  test('the right arrow key moves to the next date, and each date is under its weekday', () => {
    process.env.TZ = zone
    const next = (date: string) => dayAfterKey(date, { key: 'ArrowRight', shiftKey: false })
    const dates = ['2018-11-03', '2026-02-28', '2026-03-07', '2026-03-28', '2026-10-31', '2026-12-31']
    expect(dates.map(next)).toEqual([
      '2018-11-04',
      '2026-03-01',
      '2026-03-08',
      '2026-03-29',
      '2026-11-01',
      '2027-01-01',
    ])
    expect(weeksOf('2028-02')[0]).toEqual([
      undefined,
      undefined,
      '2028-02-01',
      '2028-02-02',
      '2028-02-03',
      '2028-02-04',
      '2028-02-05',
    ])
    expect(weeksOf('2028-02').flat().filter(Boolean)).toHaveLength(29)
  })

  test('renders the same months in every time zone [AVAIL-04]', () => {
    process.env.TZ = zone
    const html = draw({ month: '2026-02' })
    expect(textsOf(html, /role="status"[^>]*>([^<]+)</g)).toEqual([
      'February 2026',
      'March 2026',
      'April 2026',
    ])
    expect(textsOf(html, /<th[^>]*>([^<]+)</g).slice(0, 7)).toEqual([
      'Su',
      'Mo',
      'Tu',
      'We',
      'Th',
      'Fr',
      'Sa',
    ])
    const days = textsOf(html, /<button[^>]*aria-label="((?:Today, )?\w+day, [^"]+)"/g)
    expect(days).toHaveLength(28 + 31 + 30)
    expect(days[0]).toBe('Sunday, February 1, 2026: Available')
    expect(days.at(-1)).toBe('Thursday, April 30, 2026: Available')
  })
})

test('moving a month works across years', () => {
  expect(shiftMonth('2026-01', -1)).toBe('2025-12')
  expect(shiftMonth('2026-11', 2)).toBe('2027-01')
  expect(shiftMonth('2026-05', -12)).toBe('2025-05')
})

test('keys move by days, weeks, months and years, and to the start and end of a week [AVAIL-08]', () => {
  const moved = (key: string, shiftKey = false) => dayAfterKey('2028-01-31', { key, shiftKey })
  expect(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].map(key => moved(key))).toEqual([
    '2028-01-30',
    '2028-02-01',
    '2028-01-24',
    '2028-02-07',
  ])
  expect(['PageUp', 'PageDown', 'Home', 'End'].map(key => moved(key))).toEqual([
    '2027-12-31',
    '2028-02-29',
    '2028-01-30',
    '2028-02-05',
  ])
  expect(['PageUp', 'PageDown', 'ArrowUp', 'ArrowRight'].map(key => moved(key, true))).toEqual([
    '2027-01-31',
    '2029-01-31',
    '2027-01-31',
    '2028-02-29',
  ])
  expect(moved('Enter')).toBeUndefined()
  expect(clampDay('2026-01-31', '2026-02', '2026-04')).toBe('2026-02-01')
  expect(clampDay('2026-05-01', '2026-02', '2026-04')).toBe('2026-04-30')
  expect(clampDay('2026-03-10', '2026-02', undefined)).toBe('2026-03-10')
})

test('a day shows its state and reason not only by color [AVAIL-05]', () => {
  const states: Record<string, DayState> = {
    '2026-02-03': { tone: 'past', disabled: true },
    '2026-02-11': { tone: 'unavailable', label: 'Owner stay' },
    '2026-02-12': { tone: 'booked', label: 'Booked' },
    '2026-02-13': { tone: 'selected', label: 'available' },
    '2026-02-14': { tone: 'departure', label: 'Booked from tonight on' },
    '2026-02-15': { tone: 'unreachable', disabled: true },
  }
  const html = draw({ month: '2026-02', dayState: date => states[date] ?? { tone: 'available' } })

  expect(dayButton(html, 'Tuesday, February 3, 2026: Past')).toContain('aria-disabled="true"')
  expect(dayButton(html, 'Wednesday, February 11, 2026: Unavailable, Owner stay')).toContain('line-through')
  expect(html).toContain('title="Wednesday, February 11, 2026: Unavailable, Owner stay"')
  expect(dayButton(html, 'Thursday, February 12, 2026: Booked')).toContain('line-through')
  expect(dayButton(html, 'Friday, February 13, 2026: Selected, available')).toContain('<svg')
  expect(dayButton(html, 'Today, Tuesday, February 10, 2026: Available')).not.toContain('line-through')
  expect(dayButton(html, 'Today, Tuesday, February 10, 2026: Available')).toContain('bg-green-tint')
  expect(dayButton(html, 'Thursday, February 12, 2026: Booked')).toContain('bg-red-tint')
  expect(dayButton(html, 'Friday, February 13, 2026: Selected, available')).toContain('bg-blue')
  expect(dayButton(html, 'Tuesday, February 3, 2026: Past')).toContain('text-muted')
  const departure = dayButton(html, 'Saturday, February 14, 2026: Departure only, Booked from tonight on')
  expect(departure).toContain('border-line-strong')
  expect(departure).not.toMatch(/line-through|aria-disabled/)
  expect(html).toContain('Sunday, February 15, 2026: After a taken night; press the arrival to start over')
  expect(html.match(/aria-selected="true"/g)).toHaveLength(1)
})

test('the calendar stops at the first and the last month', () => {
  const html = draw({ month: '2026-02', minMonth: '2026-02', maxMonth: '2026-04' })
  expect(dayButton(html, 'Previous month')).toContain('disabled=""')
  expect(dayButton(html, 'Next month')).toContain('disabled=""')
  expect(dayButton(draw({ month: '2026-02', maxMonth: '2026-05' }), 'Next month')).not.toContain(
    'disabled=""',
  )
})

function draw(props: Partial<Parameters<typeof MonthsCalendar>[0]> & { month: string }) {
  return renderToStaticMarkup(
    <MonthsCalendar
      label="Availability"
      today="2026-02-10"
      onMonthChange={() => undefined}
      dayState={() => ({ tone: 'available' })}
      {...props}
    />,
  )
}

/** The markup of the button with the given accessible name. */
function dayButton(html: string, name: string) {
  const button = html.match(/<button.*?<\/button>/g)?.find(markup => markup.includes(`aria-label="${name}"`))
  expect(button, name).toBeDefined()
  return button ?? ''
}

function textsOf(html: string, pattern: RegExp) {
  return [...html.matchAll(pattern)].map(match => match[1])
}
