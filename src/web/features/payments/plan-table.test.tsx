import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type InstallmentRow, PlanTable } from './plan-table.tsx'

const installment = (values: Partial<InstallmentRow>): InstallmentRow => ({
  _id: 'a',
  id: 'a',
  position: 1,
  kind: 'lease',
  label: 'Payment 1 of 3',
  amountCents: 180_000,
  paidCents: 0,
  onItsWayCents: 0,
  openCents: 180_000,
  dueDate: '2026-12-01',
  state: 'upcoming',
  daysOverdue: 0,
  lateFee: null,
  ...values,
})

/** The cells of a single row, without the labels that a phone shows. */
function draw(values: Partial<InstallmentRow>): string[] {
  const html = renderToStaticMarkup(<PlanTable instalments={[installment(values)]} />)
  const [, row = ''] = html.split('<tbody')
  return [...row.matchAll(/<td.*?<\/td>/g)].map(([cell]) =>
    cell
      .replace(/<span class="[^"]*sm:hidden">.*?<\/span>/, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
}

test("shows an installment's amount, date and state [PLAN-24]", () => {
  expect(draw({})).toEqual(['Payment 1 of 3', '$1,800.00', 'Dec 1, 2026', 'Upcoming'])
  expect(draw({ dueDate: null })[2]).toBe('At signing')
})

test.each([
  [{ state: 'partly', paidCents: 50_000, openCents: 130_000 }, 'Partly paid $500.00 of $1,800.00 paid'],
  [{ state: 'due' }, 'Due today'],
  [{ state: 'overdue', daysOverdue: 1 }, 'Overdue 1 day'],
  [
    { state: 'overdue', daysOverdue: 9, paidCents: 50_000, onItsWayCents: 30_000, openCents: 100_000 },
    'Overdue 9 days $500.00 of $1,800.00 paid $300.00 on its way',
  ],
  [{ state: 'on_its_way', onItsWayCents: 180_000, openCents: 0 }, 'On its way'],
  [{ state: 'paid', paidCents: 180_000, openCents: 0 }, 'Paid'],
  [{ state: 'waived', amountCents: 0, openCents: 0 }, 'Waived'],
] as const)('shows %j as "%s" [PLAN-24]', (values, text) => {
  expect(draw(values)[3]).toBe(text)
})
