import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { monthsBetween } from '../../../../domain/money/revenue.ts'
import { MonthlyChart } from './monthly-chart.tsx'

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
