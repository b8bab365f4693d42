import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cardFeeCents } from '../common/money.ts'
import {
  balance,
  creditedCents,
  depositHeldCents,
  depositSums,
  endedSums,
  feeKeptCents,
  isBankReturn,
  type LedgerRow,
  paidCents,
  paymentStatuses,
  paymentTypeLabels,
  returnableCents,
  shareRefund,
  stateOfPaid,
  stillKeptCents,
} from './ledger.ts'
import { isRevenue, localRevenueMonth, monthsBetween, revenueFigures } from './revenue.ts'

const row = (changes: Partial<LedgerRow> = {}): LedgerRow => ({
  type: 'rent',
  method: 'card',
  status: 'succeeded',
  amountCents: 100_00,
  feeCents: 3_00,
  refundedAmountCents: 0,
  refundedFeeCents: 0,
  lostAmountCents: 0,
  paidAt: '2026-03-04T17:00:00.000Z',
  voidedAt: null,
  ...changes,
})
const amount = fc.integer({ min: 1, max: 99_000_000 })

test('of a deposit that was moved here, given back by hand and is owed again, none is received [DEP-06]', () => {
  const moved = row({ type: 'deposit_transfer', method: 'transfer', amountCents: 500_00, feeCents: 0 })
  const given = {
    type: 'deposit_return',
    method: 'manual',
    feeCents: 0,
    correctedAmountCents: 500_00,
  } as const
  const none = { movedCents: 0, shortCents: 0, heldCents: 0, returnedCents: 0 }
  const rows = [moved, row({ ...given, amountCents: -500_00 })]
  expect(depositSums(rows)).toMatchObject({ ...none, receivedCents: 0 })
  const paidAnew = { ...none, receivedCents: 100_00, heldCents: 100_00 }
  expect(depositSums([...rows, row({ type: 'deposit' })])).toMatchObject(paidAnew)
})

test('counts only succeeded rows that are not voided [MONEY-04]', () => {
  for (const status of paymentStatuses) {
    expect(creditedCents(row({ status }))).toBe(status === 'succeeded' ? 100_00 : 0)
    expect(feeKeptCents(row({ status }))).toBe(status === 'succeeded' ? 3_00 : 0)
  }
  expect(creditedCents(row({ voidedAt: '2026-03-05T00:00:00.000Z' }))).toBe(0)
  expect(paidCents([row(), row({ method: 'transfer', type: 'admin_transfer', amountCents: -40_00 })])).toBe(
    60_00,
  )
})

test('without a booking nothing is owed: what was paid went back, is kept, or is to go back [MONEY-03, CHANGE-12]', () => {
  const deposit = row({ type: 'deposit', amountCents: 500_00, refundedAmountCents: 200_00 })
  const rent = row({ method: 'manual', amountCents: 800_00 })
  const back = row({ type: 'refund', method: 'manual', amountCents: -100_00 })
  const sums = { paidCents: 1300_00, returnedCents: 300_00, keptCents: 0, toReturnCents: 1000_00 }
  expect(endedSums([deposit, rent, back])).toEqual(sums)
  expect(endedSums([deposit, rent, back], 400_00)).toEqual({
    ...sums,
    keptCents: 400_00,
    toReturnCents: 600_00,
  })
  const gone = row({ status: 'refunded', refundedAmountCents: 100_00 })
  const lost = row({ status: 'disputed', refundedAmountCents: 100_00, lostAmountCents: 100_00 })
  const kept = row({ type: 'deduction', method: 'manual', amountCents: -40_00 })
  expect(endedSums([gone, lost, row({ type: 'deposit' }), kept, row({ status: 'processing' })])).toEqual({
    paidCents: 200_00,
    returnedCents: 100_00,
    keptCents: 40_00,
    toReturnCents: 60_00,
  })
})

test('the deposit of an application without a booking goes back in any case, less what is claimed of it, and no sum is below zero [CHANGE-09, LOOK-72, DEP-21]', () => {
  const deposit = row({ type: 'deposit', amountCents: 500_00 })
  const kept = { keptCents: 0, toReturnCents: 500_00 }
  expect(endedSums([deposit], 800_00)).toEqual({ ...kept, paidCents: 500_00, returnedCents: 0 })
  const claimed = {
    ...kept,
    paidCents: 500_00,
    returnedCents: 0,
    claimedCents: 300_00,
    toReturnCents: 200_00,
  }
  expect(endedSums([deposit], 800_00, 300_00)).toEqual(claimed)
  expect(endedSums([deposit], 0, 900_00)).toMatchObject({ claimedCents: 500_00, toReturnCents: 0 })
  expect(stillKeptCents(800_00, [deposit])).toBe(0)
  const moved = row({ method: 'transfer', type: 'deposit_transfer', amountCents: -500_00, feeCents: 0 })
  const lost = {
    ...deposit,
    status: 'disputed',
    refundedAmountCents: 500_00,
    lostAmountCents: 500_00,
  } as const
  const none = { paidCents: 0, returnedCents: 0, keptCents: 0, toReturnCents: 0 }
  expect(endedSums([lost, moved])).toEqual(none)
})

test('credits the amount without the card fee [MONEY-06]', () => {
  expect(creditedCents(row())).toBe(100_00)
  expect(feeKeptCents(row())).toBe(3_00)
  expect(creditedCents(row({ refundedAmountCents: 20_00, refundedFeeCents: 60 }))).toBe(80_00)
  expect(feeKeptCents(row({ refundedAmountCents: 20_00, refundedFeeCents: 60 }))).toBe(2_40)
})

test('a balance is owed, overpaid, paid in full or nothing yet [MONEY-05]', () => {
  const label = (owedCents: number, paid: number) => {
    const { label, amountCents } = balance({ owedCents, rows: paid ? [row({ amountCents: paid })] : [] })
    return [label, amountCents]
  }
  expect(label(3000_00, 500_00)).toEqual(['Amount owed', 2500_00])
  expect(label(3000_00, 3100_00)).toEqual(['Overpaid', 100_00])
  expect(label(3000_00, 3000_00)).toEqual(['Paid in full', 0])
  expect(label(0, 0)).toEqual(['Nothing owed yet', 0])
  expect(label(0, 500_00)).toEqual(['Overpaid', 500_00])
})

test('a deposit that was returned or kept is not owed again [DEP-08]', () => {
  const paid = [row({ type: 'deposit', amountCents: 500_00 }), row({ amountCents: 2500_00 })]
  const returned = row({ type: 'deposit_return', method: 'manual', amountCents: -400_00, feeCents: 0 })
  const kept = row({ type: 'deduction', method: 'manual', amountCents: -100_00, feeCents: 0 })
  const rows = [...paid, returned, kept]
  expect(balance({ owedCents: 3000_00, depositCents: 500_00, rows })).toMatchObject({
    paidCents: 2600_00,
    depositReturnedCents: 400_00,
    balanceCents: 0,
    label: 'Paid in full',
  })
  expect(depositHeldCents(rows)).toBe(0)
  expect(depositHeldCents([...paid, kept])).toBe(400_00)
  const givable = (rows: LedgerRow[]) =>
    (['refund', 'deposit_return', 'deduction'] as const).map(kind => returnableCents(kind, rows))
  expect(givable(paid)).toEqual([3000_00, 500_00, 500_00])
  expect(givable([...paid, kept])).toEqual([2900_00, 400_00, 400_00])
  // Rent refunds do not reduce the deposit, but returns never exceed what was paid.
  const rentRefund = row({ type: 'refund', method: 'manual', amountCents: -2900_00, feeCents: 0 })
  expect(givable([...paid, rentRefund])).toEqual([100_00, 100_00, 100_00])
  expect(givable([...paid, rentRefund, kept])).toEqual([0, 0, 0])
  const declined = [paid[0] as LedgerRow, row({ ...returned, amountCents: -500_00 })]
  expect(balance({ owedCents: 0, depositCents: 0, rows: declined }).label).toBe('Nothing owed yet')
})

test('a returned deposit is not owed again, even if discounts exceed the rent', () => {
  // Rent 1000, deposit 500, and a discount of 1200 for a broken air conditioner.
  const terms = { owedCents: 300_00, depositCents: 500_00 }
  const deposit = row({ type: 'deposit', amountCents: 500_00 })
  const refund = row({ type: 'refund', method: 'manual', amountCents: -200_00, feeCents: 0 })
  const returned = row({ type: 'deposit_return', method: 'manual', amountCents: -300_00, feeCents: 0 })
  expect(balance({ ...terms, rows: [deposit] })).toMatchObject({ label: 'Overpaid', amountCents: 200_00 })
  expect(balance({ ...terms, rows: [deposit, refund] })).toMatchObject({ label: 'Paid in full' })
  expect(balance({ ...terms, rows: [deposit, refund, returned] })).toMatchObject({ label: 'Paid in full' })
})

test('splits a partial refund in proportion and a full one exactly, without losing a cent', () => {
  fc.assert(
    fc.property(
      amount,
      fc.integer({ min: 0, max: 1000 }),
      fc.array(fc.nat({ max: 40_000_000 })),
      (cents, basisPoints, parts) => {
        const payment = { amountCents: cents, feeCents: cardFeeCents(cents, basisPoints) }
        const total = payment.amountCents + payment.feeCents
        expect(shareRefund(payment, total)).toEqual(payment)
        expect(shareRefund(payment, 0)).toEqual({ amountCents: 0, feeCents: 0 })
        let refunded = 0
        let before = shareRefund(payment, 0)
        for (const part of parts) {
          refunded = Math.min(total, refunded + part)
          const share = shareRefund(payment, refunded)
          expect(share.amountCents + share.feeCents).toBe(refunded)
          expect(share.amountCents).toBeLessThanOrEqual(payment.amountCents)
          expect(share.feeCents).toBeLessThanOrEqual(payment.feeCents)
          // Refunding more never reduces the refunded part.
          expect(share.amountCents).toBeGreaterThanOrEqual(before.amountCents)
          expect(share.feeCents).toBeGreaterThanOrEqual(before.feeCents)
          expect(Math.abs(share.feeCents - (refunded * payment.feeCents) / total)).toBeLessThanOrEqual(0.5)
          before = share
        }
      },
    ),
  )
})

test('a received payment is succeeded, refunded or in dispute, never pending [MONEY-08]', () => {
  const payment = { amountCents: 500_00, feeCents: 15_00 }
  const state = (refundedTotalCents: number, withheldCents = 0, lostCents = 0) =>
    stateOfPaid(payment, { refundedTotalCents, withheldCents, lostCents }).status
  expect([state(0), state(514_99), state(0, 514_99), state(100_00, 300_00, 114_99)]).toEqual(
    Array(4).fill('succeeded'),
  )
  expect([state(515_00), state(0, 0, 515_00), state(15_00, 0, 500_00)]).toEqual(Array(3).fill('refunded'))
  expect([state(0, 515_00), state(515_00, 515_00), state(100_00, 300_00, 115_00)]).toEqual(
    Array(3).fill('disputed'),
  )
})

test('a dispute takes its own amount, at most what refunds have left, open or lost [FIX-38]', () => {
  const payment = { amountCents: 500_00, feeCents: 15_00 }
  const taken = (refundedTotalCents: number, withheldCents: number, lostCents: number) => {
    const { lostAmountCents, refunded } = stateOfPaid(payment, {
      refundedTotalCents,
      withheldCents,
      lostCents,
    })
    return [refunded.amountCents, refunded.feeCents, lostAmountCents]
  }
  expect(taken(0, 103_00, 0)).toEqual([100_00, 3_00, 100_00])
  expect(taken(0, 0, 103_00)).toEqual(taken(0, 103_00, 0))
  expect(taken(206_00, 51_50, 51_50)).toEqual([300_00, 9_00, 100_00])
  expect(taken(412_00, 515_00, 0)).toEqual([500_00, 15_00, 100_00])
  expect(taken(515_00, 0, 515_00)).toEqual([500_00, 15_00, 0])
})

test('transfers sum to zero and change no total [MONEY-09]', () => {
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 20 }), amounts => {
      const rows = amounts.flatMap(cents =>
        [-cents, cents].map(amountCents =>
          row({ method: 'transfer', type: 'admin_transfer', amountCents, feeCents: 0 }),
        ),
      )
      expect(paidCents(rows)).toBe(0)
      expect(rows.some(isRevenue)).toBe(false)
    }),
  )
})

test('the balance is owed minus paid, for any rows [MONEY-05]', () => {
  const anyRow = fc.record({
    type: fc.constantFrom('deposit' as const, 'rent' as const, 'admin_transfer' as const),
    status: fc.constantFrom(...paymentStatuses),
    amountCents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    voidedAt: fc.constantFrom(null, '2026-03-05T00:00:00.000Z'),
  })
  fc.assert(
    fc.property(fc.nat({ max: 10_000_000 }), fc.array(anyRow), (owedCents, changes) => {
      const rows = changes.map(row)
      const expected = rows
        .filter(each => each.status === 'succeeded' && each.voidedAt === null)
        .reduce((left, each) => left - each.amountCents, owedCents)
      const found = balance({ owedCents, rows })
      expect(found.balanceCents).toBe(expected)
      expect(found.amountCents).toBe(Math.abs(expected))
      expect(found.label === 'Amount owed').toBe(expected > 0)
      expect(found.label === 'Overpaid').toBe(expected < 0)
    }),
  )
})

test('the average is the total divided by the count, and zero without payments [REV-09]', () => {
  expect(revenueFigures({ amountCents: 1000_00, feeCents: 30_00, count: 3 })).toEqual({
    totalRevenue: 1030_00,
    netRevenue: 1000_00,
    totalFees: 30_00,
    paymentCount: 3,
    averagePayment: 343_33,
  })
  expect(revenueFigures({ amountCents: 0, feeCents: 0, count: 0 }).averagePayment).toBe(0)
})

test('a dispute returns a bank payment for good unless it is won, prevented or a warning [BANK-11]', () => {
  const final = ['needs_response', 'under_review', 'lost', 'appeal_under_review', 'charge_refunded', 'new']
  expect(final.filter(status => !isBankReturn(status))).toEqual([])
  const others = ['won', 'prevented', 'warning_needs_response', 'warning_under_review', 'warning_closed']
  expect(others.filter(isBankReturn)).toEqual([])
  const { refunded, status } = stateOfPaid(row(), {
    refundedTotalCents: 1_00,
    withheldCents: 0,
    lostCents: 0,
    isReturned: true,
  })
  expect({ status, ...refunded }).toEqual({ status: 'returned', amountCents: 97, feeCents: 3 })
  expect(paidCents([row({ status: 'returned' })])).toBe(0)
})

test('payment types have the labels of the spec [HIST-08]', () => {
  expect(paymentTypeLabels).toMatchObject({
    deposit: 'Deposit',
    rent: 'Rent',
    late_fee: 'Late fee',
    other: 'Other',
    admin_transfer: 'Admin Transfer',
    deposit_transfer: 'Deposit Transfer',
  })
})

test("months follow the property's time zone, also on the night of the clock change", () => {
  expect(localRevenueMonth('2026-04-01T03:59:59.000Z', 'America/New_York')).toBe('2026-03')
  expect(localRevenueMonth('2026-04-01T04:00:00.000Z', 'America/New_York')).toBe('2026-04')
  expect(monthsBetween('2025-11-30', '2026-02-01')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02'])
  expect(monthsBetween('9999-11-30', '9999-12-31')).toEqual(['9999-11', '9999-12'])
  expect(monthsBetween('2026-02-01', '2025-11-30')).toEqual([])
})
