import { expect, test } from 'vitest'
import { change, newBill, receive, splitCents } from './book-split.ts'
import { accountMovements, type BookCharge, type BookPayment, yearTables } from './books.ts'

const charge = (given: Partial<BookCharge>): BookCharge => ({
  id: 'charge',
  kind: 'rent',
  taxRuleId: null,
  amountCents: 1000_00,
  baseCents: null,
  since: null,
  voidedAt: null,
  pauses: [],
  ...given,
})
const tax = charge({ kind: 'tax', taxRuleId: 'state', amountCents: 60_00, baseCents: 1000_00 })
const paid = (given: Partial<BookPayment>): BookPayment => ({
  id: 'payment',
  type: 'rent',
  providerMethod: null,
  amountCents: 1060_00,
  feeCents: 0,
  providerFeeCents: 0,
  paysBill: false,
  paidAt: '2026-03-10T12:00:00.000Z',
  returns: [],
  returnedAt: null,
  ...given,
})

/** The figures of a year that are not 0, and those of one month. */
function figures(charges: BookCharge[], payments: BookPayment[], month?: number) {
  const movements = accountMovements({ charges, payments }, ['state'])
  const { bridge, deposits, lines, taxes, taxReport } = yearTables(
    movements.map(each => ({ ...each, date: each.at.slice(0, 10) })),
    { year: 2026, taxes: [{ taxRuleId: 'state' }], cardCents: { utc: 0, property: 0 } },
  )
  const rows = [
    ...lines.map(each => ({ ...each, table: '' })),
    ...deposits.map(each => ({ ...each, table: 'deposits.' })),
    ...(taxes[0]?.lines ?? []).map(each => ({ ...each, table: 'tax.' })),
  ]
  const cents = rows.map(({ key, months, table, yearCents }) => [
    `${table}${key}`,
    month === undefined ? yearCents : (months[month - 1] ?? 0),
  ])
  return {
    bridge: Object.fromEntries(bridge.flatMap(({ cents, key }) => (cents === 0 ? [] : [[key, cents]]))),
    sums: Object.fromEntries(cents.filter(([, value]) => value !== 0)),
    report: month === undefined ? taxReport[0]?.total : taxReport[0]?.months[month - 1],
  }
}

test('money is split among rent, fees and taxes by what is open, to the cent, and the rest is advance [BOOK-02, BOOK-03]', () => {
  expect(splitCents(100, [1, 1, 1])).toEqual([33, 33, 34])
  expect(splitCents(9_000_000_000_000_00, [9_000_000_000_000_00])).toEqual([9_000_000_000_000_00])
  const bill = newBill(3)
  change(bill, [-10_00, 50_00, 3_00])
  expect(bill.owed).toEqual([0, 40_00, 3_00])
  receive(bill, 50_00)
  expect(bill).toEqual({ owed: [0, 40_00, 3_00], received: [0, 40_00, 3_00], advance: 7_00 })
  change(bill, [5_00, 20_00, 3_00])
  expect(bill).toEqual({ owed: [5_00, 20_00, 3_00], received: [5_00, 20_00, 3_00], advance: 22_00 })
})

test('half a bill is half of its tax; a refund takes the tax in it back, and the rest is in refunds [BOOK-03, BOOK-07, BOOK-15]', () => {
  const half = paid({ amountCents: 530_00 })
  const refunded = paid({
    amountCents: 530_00,
    feeCents: 15_90,
    providerMethod: 'card',
    paidAt: '2026-04-10T12:00:00.000Z',
    returns: [{ at: '2026-05-02T00:00:00.000Z', what: 'refund', totalCents: 545_90 }],
  })
  expect(figures([charge({}), tax], [half, refunded], 3).sums).toEqual({
    rent: 500_00,
    income: 500_00,
    net: 500_00,
    'tax.collected': 30_00,
    'tax.closing': 30_00,
  })
  const may = figures([charge({}), tax], [half, refunded], 5)
  expect(may.sums).toEqual({
    refunds: -515_90,
    income: -515_90,
    net: -515_90,
    'tax.opening': 60_00,
    'tax.givenBack': 30_00,
    'tax.closing': 30_00,
  })
  expect(may.report).toEqual({
    month: 5,
    grossCents: -500_00,
    exemptCents: 0,
    taxableCents: -500_00,
    taxCents: -30_00,
    paidOverCents: 0,
  })
})

test('a voided tax gives back what it has received; earlier months stay [BOOK-04, BOOK-10]', () => {
  const charges = [charge({}), { ...tax, voidedAt: '2026-06-01T00:00:00.000Z' }]
  expect(figures(charges, [paid({})], 3).sums).toMatchObject({ rent: 1000_00, 'tax.collected': 60_00 })
  const june = figures(charges, [paid({})], 6).sums
  expect(june).toEqual({
    rent: 60_00,
    income: 60_00,
    net: 60_00,
    'tax.opening': 60_00,
    'tax.givenBack': 60_00,
  })
})

test('a charge whose void is dated before it was made or restored is in no total [BOOK-02, BOOK-04]', () => {
  const [before, after] = ['2026-03-04T12:00:00.000Z', '2026-03-05T12:00:00.000Z']
  const plain = figures([charge({}), tax], [paid({})])
  const ahead = charge({ id: 'ahead', kind: 'fee', since: after, voidedAt: before })
  expect(figures([charge({}), tax, ahead], [paid({})])).toEqual(plain)
  const pauses = [{ from: '2026-03-03T12:00:00.000Z', until: after }]
  const paused = charge({ id: 'paused', kind: 'fee', voidedAt: before, pauses })
  expect(figures([charge({}), tax, paused], [paid({})])).toEqual(plain)
})

test('a deposit is income only when it is kept, less the tax in what is kept for unpaid [BOOK-05, BOOK-06, BOOK-09]', () => {
  const deposit = paid({ type: 'deposit', amountCents: 500_00 })
  const kept = { type: 'deduction', amountCents: -106_00, paidAt: '2026-07-01T12:00:00.000Z' } as const
  const returned = paid({ type: 'deposit_return', amountCents: -394_00, paidAt: '2026-07-02T12:00:00.000Z' })
  expect(figures([charge({}), tax], [deposit], 3).sums).toEqual({
    'deposits.received': 500_00,
    'deposits.closing': 500_00,
  })
  const july = { 'deposits.opening': 500_00, 'deposits.returned': 394_00, 'deposits.kept': 106_00 }
  expect(figures([charge({}), tax], [deposit, paid(kept), returned], 7).sums).toEqual({
    keptDeposits: 106_00,
    income: 106_00,
    net: 106_00,
    ...july,
  })
  const unpaid = figures([charge({}), tax], [deposit, paid({ ...kept, paysBill: true }), returned], 7)
  expect(unpaid.sums).toEqual({
    keptDeposits: 100_00,
    income: 100_00,
    net: 100_00,
    ...july,
    'tax.collected': 6_00,
    'tax.closing': 6_00,
  })
  expect(unpaid.report).toMatchObject({ grossCents: 100_00, taxableCents: 100_00, taxCents: 6_00 })
  expect(unpaid.bridge).toEqual({ kept: 106_00, taxes: -6_00, income: 100_00 })
})

test('what a bank takes of a deposit that was kept before is short: no deposit is below zero, and it is again held once it is paid again [BOOK-07, BOOK-09]', () => {
  const payments = [
    paid({
      type: 'deposit',
      amountCents: 500_00,
      providerMethod: 'us_bank_account',
      returnedAt: '2026-05-10T12:00:00.000Z',
    }),
    paid({ type: 'deduction', amountCents: -120_00, paidAt: '2026-04-01T12:00:00.000Z' }),
  ]
  expect(figures([], payments, 5).sums).toEqual({
    refunds: -120_00,
    income: -120_00,
    net: -120_00,
    'deposits.opening': 380_00,
    'deposits.returned': 380_00,
  })
  const again = paid({ type: 'deposit', amountCents: 500_00, paidAt: '2026-06-01T12:00:00.000Z' })
  expect(figures([], [...payments, again]).sums).toMatchObject({
    keptDeposits: 120_00,
    'deposits.closing': 380_00,
  })
  expect(figures([], [...payments, again]).sums).not.toHaveProperty('refunds')
})

test('within one second charges come first, then money in, what is kept, and money out [BOOK-01]', () => {
  const at = (ms: number) => `2026-03-10T12:00:00.${ms}Z`
  const whats = accountMovements(
    {
      charges: [charge({ since: at(900) })],
      payments: [
        paid({ id: 'back', type: 'deposit_return', amountCents: -1_00, paidAt: at(100) }),
        paid({ id: 'kept', type: 'deduction', amountCents: -1_00, paidAt: at(200) }),
        paid({ id: 'in', type: 'deposit', amountCents: 2_00, paidAt: at(800) }),
      ],
    },
    [],
  ).map(({ line }) => line)
  expect(whats).toEqual(['deposits.received', 'deposits.kept', 'keptDeposits', 'deposits.returned'])
})
