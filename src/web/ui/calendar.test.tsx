import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, test } from 'vitest'
import { MonthsCalendar } from './calendar.tsx'
import { shiftMonth, toCalendarDate, toLocalDate, toMonth } from './calendar-dates.ts'
import type { DayState } from './calendar-day.tsx'

const ownZone = process.env.TZ
afterEach(() => {
  process.env.TZ = ownZone
})

// In São Paulo (2018) and Beirut days began at 01:00 when the clocks changed; Kiritimati is a day ahead of Pago Pago.
const zones = [
  'UTC',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
]

describe.each(zones)('dates in %s', zone => {
  test('go to a local Date and back unchanged', () => {
    process.env.TZ = zone
    const dates = [
      '2018-11-04',
      '2026-01-01',
      '2026-03-08',
      '2026-03-29',
      '2026-11-01',
      '2026-12-31',
      '2028-02-29',
    ]
    expect(dates.map(date => toCalendarDate(toLocalDate(date)))).toEqual(dates)
    expect(toMonth(toLocalDate('2026-12-31'))).toBe('2026-12')
  })

  test('are drawn as the same months [AVAIL-04]', () => {
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

test('a month moves across years', () => {
  expect(shiftMonth('2026-01', -1)).toBe('2025-12')
  expect(shiftMonth('2026-11', 2)).toBe('2027-01')
  expect(shiftMonth('2026-05', -12)).toBe('2025-05')
})

test('a day tells its state and reason by more than colour [AVAIL-05]', () => {
  const states: Record<string, DayState> = {
    '2026-02-03': { tone: 'past', disabled: true },
    '2026-02-11': { tone: 'unavailable', label: 'Owner stay' },
    '2026-02-12': { tone: 'booked', label: 'Booked' },
    '2026-02-13': { tone: 'selected', label: 'available' },
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
  expect(html.match(/aria-selected="true"/g)).toHaveLength(1)
})

test('the view stops at the first and the last month', () => {
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

/** The markup of the button with this accessible name. */
function dayButton(html: string, name: string) {
  const button = html.match(/<button.*?<\/button>/g)?.find(markup => markup.includes(`aria-label="${name}"`))
  expect(button, name).toBeDefined()
  return button ?? ''
}

function textsOf(html: string, pattern: RegExp) {
  return [...html.matchAll(pattern)].map(match => match[1])
}
