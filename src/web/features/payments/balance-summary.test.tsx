import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import {
  balance,
  depositCreditedCents,
  type LedgerRow,
  type PaymentType,
} from '../../../domain/money/ledger.ts'
import { BalanceSummary, OnItsWay } from './balance-summary.tsx'

vi.mock('../stays/today.ts', () => ({ useTimeZone: () => 'UTC' }))

type Props = Parameters<typeof BalanceSummary>[0]
type Charges = Props['charges']

/** The lines of the summary, as label and value; with those of the deposit at the end. */
function linesOf(summary: Props['summary'], props: Partial<Props> = {}): string[][] {
  const html = renderToStaticMarkup(<BalanceSummary summary={summary} charges={[]} {...props} />)
  return [...html.matchAll(/<dt[^>]*>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g)].map(([, ...cells]) =>
    cells.map(cell => cell.replaceAll(/<[^>]+>/g, ' ').trim()),
  )
}
/** The summary of a ledger. */
const sumOf = (of: Parameters<typeof balance>[0]) => ({
  ...balance(of),
  depositCreditedCents: depositCreditedCents(of.rows),
})
const centsOf = (text = '') => Number(text.replace('−', '-').replaceAll(/[$,]/g, '')) * 100

const row = (type: PaymentType, amountCents: number): LedgerRow => ({
  type,
  amountCents,
  method: 'manual',
  status: 'succeeded',
  feeCents: 0,
  refundedAmountCents: 0,
  refundedFeeCents: 0,
  lostAmountCents: 0,
  paidAt: '2026-06-01T12:00:00.000Z',
  voidedAt: null,
})

test('shows a badge when everything is paid, and a returned deposit apart from the sum [LOOK-20, LOOK-72]', () => {
  const rows = [row('deposit', 500_00), row('rent', 2595_00), row('deposit_return', -500_00)]
  expect(linesOf(sumOf({ owedCents: 3095_00, depositCents: 500_00, rows }))).toEqual([
    ['Total', '$3,095.00'],
    ['Paid', '−$3,095.00'],
    ['Balance', 'Paid in full'],
    ['Deposit received', '$500.00'],
    ['Deposit returned', '−$500.00'],
  ])
  expect(linesOf(sumOf({ owedCents: 0, rows: [] })).at(-1)).toEqual(['Balance', 'Nothing owed yet'])
})

test('what was kept of the deposit for the bill stands between paid and left, and the lines add up [DEP-08, LOOK-72]', () => {
  const kept = { ...row('deduction', -120_00), paysBill: true }
  const rows = [row('deposit', 500_00), row('rent', 2400_00), kept, row('deposit_return', -380_00)]
  const summary = { ...sumOf({ owedCents: 3095_00, depositCents: 500_00, rows }), keptForBillCents: 120_00 }
  const lines = linesOf(summary)
  expect(lines).toEqual([
    ['Total', '$3,095.00'],
    ['Paid', '−$2,900.00'],
    ['Kept from the deposit', '−$120.00'],
    ['Amount owed', '$75.00'],
    ['Deposit received', '$500.00'],
    ['Deposit returned', '−$380.00'],
  ])
  const [owed = 0, paid = 0, fromDeposit = 0, left] = lines.map(([, text]) => centsOf(text))
  expect(owed + paid + fromDeposit).toBe(left)
})

test('a declined or cancelled application owes nothing: what was paid went back, is kept, or comes back [MONEY-03, CHANGE-12]', () => {
  const ended = { paidCents: 1575_00, returnedCents: 500_00, keptCents: 287_50, toReturnCents: 787_50 }
  const summary = { ...sumOf({ owedCents: 2000_00, rows: [] }), ended }
  expect(linesOf(summary)).toEqual([
    ['Paid', '$1,575.00'],
    ['Returned', '−$500.00'],
    ['What we keep', '−$287.50'],
    ['We return', '$787.50'],
  ])
  const told = { ...summary, ended: { ...ended, claimedCents: 300_00, toReturnCents: 487_50 } }
  expect(linesOf(told).slice(2)).toEqual([
    ['What we keep', '−$287.50'],
    ['What we claim', '−$300.00'],
    ['We return', '$487.50'],
  ])
  const declined = { ...summary, ended: { ...ended, returnedCents: 0, keptCents: 0 } }
  const rent = charge({ kind: 'rent', label: 'Rent', amountCents: 1800_00 })
  const deposit = charge({ kind: 'deposit', label: 'Security deposit', amountCents: 500_00 })
  const owned = (charges: Charges) => linesOf(declined, { isOwner: true, charges }).map(([label]) => label)
  expect(owned([rent, deposit])).toEqual(['Paid', 'To return'])
  const voided = charge({ ...rent, voidedAt: '2026-06-02T12:00:00.000Z', voidReason: 'Cancelled' })
  expect(owned([voided, deposit])).toEqual(['Paid', 'To return'])
  expect(owned([voided, voided])[0]).toMatch(/^Rent +Voided Jun 2, 2026: Cancelled$/)
  const done = { ...summary, ended: { ...ended, keptCents: 0, toReturnCents: 0 } }
  expect(linesOf(done).map(([label]) => label)).toEqual(['Paid', 'Returned'])
})

const charge = (values: Partial<Charges[number]> & { voidedAt?: string; voidReason?: string }) =>
  ({ id: 'a', source: 'lease', createdAt: '2026-06-02T12:00:00.000Z', ...values }) as Charges[number]

test('names each charge once and says how the rent adds up; a voided one is struck through [LOOK-20, LOOK-72]', () => {
  const charges = [
    charge({ kind: 'rent', label: 'Rent', amountCents: 1800_00 }),
    charge({ kind: 'fee', label: 'Beach chairs', amountCents: 60_00, source: 'owner' }),
    charge({
      ...{ kind: 'fee', label: 'Late checkout', amountCents: 99_00, source: 'owner' },
      ...{ voidedAt: '2026-06-02T12:00:00.000Z', voidReason: 'Agreed' },
    }),
    charge({ kind: 'deposit', label: 'Security deposit', amountCents: 500_00 }),
  ]
  const terms = { leaseStartDate: '2026-06-01', leaseEndDate: '2026-06-21', rentalAmount: 1800 }
  const summary = sumOf({ owedCents: 2360_00, depositCents: 500_00, rows: [] })
  expect(linesOf(summary, { charges, terms: terms as Props['terms'] })).toEqual([
    ['Rent 20 nights', '$1,800.00'],
    ['Beach chairs Added Jun 2, 2026', '$60.00'],
    ['Late checkout  Voided Jun 2, 2026: Agreed', '$99.00'],
    ['Security deposit', '$500.00'],
    ['Total', '$2,360.00'],
    ['Paid', '$0.00'],
    ['Amount owed', '$2,360.00'],
  ])
  expect(linesOf(summary, { charges: charges.slice(0, 1) })[0]).toEqual(['Total', '$2,360.00'])
})

test('shows money on its way as a line of its own, and then what is left to pay [LOOK-64]', () => {
  const summary = sumOf({ owedCents: 2385_00, depositCents: 500_00, rows: [row('deposit', 500_00)] })
  const linesWith = (onItsWayCents: number) => linesOf(summary, { onItsWayCents }).slice(1)
  expect(linesWith(1885_00)).toEqual([
    ['Paid', '−$500.00'],
    ['Amount owed', '$1,885.00'],
    ['On its way', '−$1,885.00'],
    ['Left to pay', '$0.00'],
  ])
  expect(linesWith(85_00).at(-1)).toEqual(['Left to pay', '$1,800.00'])
  expect(linesWith(2000_00).at(-1)).toEqual(['Left to pay', '$0.00'])
  expect(linesWith(0).at(-1)).toEqual(['Amount owed', '$1,885.00'])
  const draw = (onItsWayCents: number) =>
    renderToStaticMarkup(<OnItsWay balanceCents={1885_00} onItsWayCents={onItsWayCents} />)
  expect(draw(1885_00)).toMatch(/On its way.*−\$1,885\.00.*Left to pay.*\$0\.00/)
  expect(draw(0)).toBe('')
})

test('shows the balance in red only if it is overdue', () => {
  const summary = sumOf({ owedCents: 2300_00, rows: [] })
  const draw = (isOverdue: boolean) =>
    renderToStaticMarkup(<BalanceSummary summary={summary} charges={[]} isOverdue={isOverdue} />)
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
      const owed = sumOf({ owedCents: rent + deposit, depositCents: deposit, rows })
      const lines = linesOf(owed).filter(([label]) => !label?.startsWith('Deposit '))
      const [label, value] = lines.at(-1) ?? []
      const sum = lines.slice(0, -1).reduce((total, [, text]) => total + centsOf(text), 0)
      const balanceCents = label === 'Balance' ? 0 : centsOf(value) * (label === 'Overpaid' ? -1 : 1)
      expect(Math.round(sum)).toBe(Math.round(balanceCents))
      expect(label).toBe(owed.balanceCents === 0 ? 'Balance' : owed.label)
    }),
  )
})
