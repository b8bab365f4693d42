import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { monthsBetween } from '../../../../domain/money/revenue.ts'
import { axisTicks, MonthlyChart } from './monthly-revenue.tsx'

const months = monthsBetween('2025-12-01', '2026-11-22').map((month, index) => ({
  month,
  cents: index === 8 ? 4914_20 : index === 9 ? -511_00 : 100_00 * index,
}))
const draw = (period: string) => renderToStaticMarkup(<MonthlyChart months={months} period={period} />)
const bars = (html: string) => html.split('data-month=').slice(1)

test('shows each year where it starts, the largest amount, and the selected month [LOOK-22]', () => {
  const html = draw('2026-03')
  expect(bars(html)).toHaveLength(12)
  expect(html.match(/>20\d\d</g)).toEqual(['>2025<', '>2026<'])
  expect(html).toMatch(/>D<.*>2025<.*>J<.*>2026</)
  // The other amounts show only on hover.
  const shown = bars(html).filter(bar => !/class="[^"]*(?<!:)opacity-0/.test(bar))
  expect(shown).toHaveLength(1)
  expect(shown[0]).toMatch(/^"2026-08".*>\$4,914\.20</)
  const chosen = bars(html).filter(bar => bar.includes('data-chosen'))
  expect(chosen).toHaveLength(1)
  expect(chosen[0]).toMatch(/^"2026-03".*bg-lagoon-dark/)
})

test('shows twelve months without revenue as lines, with a message', () => {
  const none = months.map(({ month }) => ({ month, cents: 0 }))
  const html = renderToStaticMarkup(<MonthlyChart months={none} period="" />)
  expect(bars(html)).toHaveLength(12)
  expect(html).toContain('No revenue in these months.')
  expect(draw('')).not.toContain('No revenue')
})

test('highlights the months of a selected year, or all months for all time', () => {
  expect(bars(draw('2026')).filter(bar => bar.includes('bg-lagoon-dark'))).toHaveLength(11)
  expect(bars(draw('')).filter(bar => bar.includes('bg-lagoon-dark'))).toHaveLength(12)
})

test('uses round steps that cover zero and all values', () => {
  expect(axisTicks([4914_20, 2987_00, -511_00])).toEqual([-2000_00, 0, 2000_00, 4000_00, 6000_00])
  expect(axisTicks([0, 0])).toEqual([0, 50_00, 100_00])
})

test('covers zero and any values with three to six ticks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1_000_000_00, max: 1_000_000_00 }), { maxLength: 12 }),
      values => {
        const ticks = axisTicks(values)
        expect(ticks.length).toBeGreaterThanOrEqual(3)
        expect(ticks.length).toBeLessThanOrEqual(6)
        expect(ticks).toContain(0)
        expect(ticks[0]).toBeLessThanOrEqual(Math.min(0, ...values))
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(0, ...values))
      },
    ),
  )
})
