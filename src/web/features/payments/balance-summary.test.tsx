import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { balance, type LedgerRow, type PaymentType } from '../../../domain/ledger.ts'
import { BalanceSummary } from './balance-summary.tsx'

type Summary = Parameters<typeof BalanceSummary>[0]['summary']

/** The lines of the summary, as label and value. */
function linesOf(summary: Summary, terms?: Parameters<typeof BalanceSummary>[0]['terms']): string[][] {
  const html = renderToStaticMarkup(<BalanceSummary summary={summary} terms={terms} />)
  return [...html.matchAll(/<dt[^>]*>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g)].map(([, ...cells]) =>
    cells.map(cell => cell.replaceAll(/<[^>]+>/g, ' ').trim()),
  )
}
const centsOf = (text = '') => Number(text.replace('−', '-').replaceAll(/[$,]/g, '')) * 100

const row = (type: PaymentType, amountCents: number): LedgerRow => ({
  ...{ type, amountCents, method: 'manual', status: 'succeeded', feeCents: 0 },
  ...{ refundedAmountCents: 0, refundedFeeCents: 0, lostAmountCents: 0 },
  ...{ paidAt: '2026-06-01T12:00:00.000Z', voidedAt: null },
})

test('shows a badge when everything is paid, and subtracts a returned deposit [LOOK-20]', () => {
  const rows = [row('deposit', 500_00), row('rent', 2595_00), row('deposit_return', -500_00)]
  expect(linesOf(balance({ owedCents: 3095_00, depositCents: 500_00, rows }))).toEqual([
    ['Owed', '$3,095.00'],
    ['Deposit returned No longer owed', '−$500.00'],
    ['Paid', '−$2,595.00'],
    ['Balance', 'Paid in full'],
  ])
  expect(linesOf(balance({ owedCents: 0, rows: [] })).at(-1)).toEqual(['Balance', 'Nothing owed yet'])
})

test("adds up the lease's rent and deposit [LOOK-20]", () => {
  const terms = { leaseStartDate: '2026-06-01', leaseEndDate: '2026-06-21' }
  const lines = linesOf(balance({ owedCents: 2300_00, depositCents: 500_00, rows: [] }), {
    ...terms,
    ...{ rentalAmount: 1800, depositAmount: 500 },
  } as Parameters<typeof linesOf>[1])
  expect(lines.slice(0, 3)).toEqual([
    ['Rent 20 nights: one month’s rent', '$1,800.00'],
    ['Security deposit', '$500.00'],
    ['Owed', '$2,300.00'],
  ])
})

test('shows the balance in red only if it is overdue', () => {
  const summary = balance({ owedCents: 2300_00, rows: [] })
  const draw = (isOverdue: boolean) =>
    renderToStaticMarkup(<BalanceSummary summary={summary} isOverdue={isOverdue} />)
  expect(draw(false)).not.toContain('text-red')
  expect(draw(true)).toContain('text-red')
})

test('lists lines that add up to the balance, for any payments [LOOK-20]', () => {
  const cents = fc.integer({ min: 1, max: 9_999 })
  const paid = fc.record({ type: fc.constantFrom<PaymentType>('deposit', 'rent', 'other'), cents })
  const back = fc.record({
    type: fc.constantFrom<PaymentType>('refund', 'deposit_return', 'deduction'),
    cents: cents.map(most => -most),
  })
  fc.assert(
    fc.property(cents, cents, fc.array(fc.oneof(paid, back)), (rent, deposit, all) => {
      const rows = all.map(({ cents, type }) => row(type, cents))
      const owed = balance({ owedCents: rent + deposit, depositCents: deposit, rows })
      const lines = linesOf(owed)
      const [label, value] = lines.at(-1) ?? []
      const sum = lines.slice(0, -1).reduce((total, [, text]) => total + centsOf(text), 0)
      const balanceCents = label === 'Balance' ? 0 : centsOf(value) * (label === 'Overpaid' ? -1 : 1)
      expect(Math.round(sum)).toBe(Math.round(balanceCents))
      expect(label).toBe(owed.balanceCents === 0 ? 'Balance' : owed.label)
    }),
  )
})
