import { expect, test } from 'vitest'
import { account, byHand, disputed, refunded, row } from '../../testing/build-account-rows.ts'
import { accountSums, type CheckedRow } from './account-sums.ts'
import { afterRequestedRefunds, balance, transferable, unpaidDepositCents } from './ledger.ts'
import { rejectionReason, unreportedArrivals, violationsOf } from './ledger-invariants.ts'

const brokenBy = (...rows: CheckedRow[]) =>
  violationsOf([account(...rows)]).map(({ cause, invariant }) => `${invariant} ${cause}`)

test('a consistent account breaks no invariant', () => {
  expect(
    brokenBy(row(), byHand('rent', 100_00), byHand('deduction', -100_00), byHand('deposit_return', -400_00)),
  ).toEqual([])
  expect(brokenBy(row({ ...refunded, completedRefundCents: 515_00 }))).toEqual([])
  expect(brokenBy(row(refunded))).toEqual([])
})

test('attributes money returned twice to the program, and money taken back by the provider to the provider [FIX-05]', () => {
  const returned = byHand('deposit_return', -500_00)
  const both = ['paid-below-zero', 'deposit-below-zero']
  expect(brokenBy(row({ ...refunded, completedRefundCents: 515_00 }), returned)).toEqual(
    both.map(invariant => `${invariant} program`),
  )
  expect(brokenBy(row(refunded), returned)).toEqual(['paid-below-zero provider'])
  expect(brokenBy(row(disputed), returned)).toEqual(['paid-below-zero provider'])
  expect(brokenBy(row(refunded), returned, byHand('rent', 900_00))).toEqual(['deposit-below-zero provider'])
  expect(brokenBy(row({ ...disputed, voidedAt: '2026-03-05' }), returned)).toEqual(
    both.map(invariant => `${invariant} program`),
  )
  expect(brokenBy(row({ requestedRefundCents: 515_00 }), returned)).toEqual(
    both.map(invariant => `${invariant} program`),
  )
})

test('a requested refund counts as made, and as zero on a disputed payment [FIX-09]', () => {
  expect(accountSums(account(row({ requestedRefundCents: 103_00 }))).paid).toEqual({
    nowCents: 500_00,
    afterRefundsCents: 400_00,
    takenByProviderCents: 0,
  })
  const requested = accountSums(account(row({ ...disputed, requestedRefundCents: 103_00 })))
  expect(requested.paid).toEqual({ nowCents: 0, afterRefundsCents: 0, takenByProviderCents: 400_00 })
})

test('rejects a change that takes an account below zero or further below, but never one that improves it [FIX-05]', () => {
  const [paid, returned] = [row(), byHand('deposit_return', -500_00)]
  const rejected = (before: CheckedRow[], ...after: CheckedRow[]) =>
    rejectionReason([account(...before)], [account(...after)])
  expect(rejected([paid], paid, returned)).toBeUndefined()
  expect(rejected([paid, returned], returned)).toBe(
    '−$500.00 would be left on APP-2026-0001. Already taken from it: Deposit returned $500.00.',
  )
  const below = [row(refunded), returned]
  expect(rejected(below, ...below, byHand('rent', 200_00))).toBeUndefined()
  expect(rejected(below, ...below, byHand('refund', -1))).toBeDefined()
  // Removing the payment that the provider took back is rejected, because it explains the negative sum.
  expect(rejected(below, returned)).toBeDefined()
})

test('refunds and removed entries cannot take what is kept of a deposit [FIX-05, DEP-09]', () => {
  const [deposit, rent, kept] = [row(), byHand('rent', 2500_00), byHand('deduction', -500_00)]
  const rejected = (before: CheckedRow[], ...after: CheckedRow[]) =>
    rejectionReason([account(...before)], [account(...after)])
  const all = byHand('refund', -2500_00)
  const spent = [deposit, rent, kept, all]
  expect(rejected([deposit, rent, kept], ...spent)).toBeUndefined()
  const taken = 'Already taken from it: Deposit deduction $500.00, Refund $2,500.00.'
  expect(rejected(spent, ...spent, byHand('refund', -1))).toBe(
    `−$0.01 would be left on APP-2026-0001. ${taken}`,
  )
  expect(rejected(spent, deposit, { ...rent, amountCents: 2400_00 }, kept, all)).toBe(
    `−$100.00 would be left on APP-2026-0001. ${taken}`,
  )
})

test('rejects removing a disputed payment whose money was transferred, and a refunded payment on the account that bears the loss [FIX-05, FIX-38]', () => {
  const lost = row({ ...disputed, type: 'rent' })
  const of = { type: 'admin_transfer', method: 'transfer', feeCents: 0, transferId: 't' } as const
  const [out, into] = [row({ ...of, amountCents: -500_00 }), row({ ...of, amountCents: 500_00 })]
  const both = (from: CheckedRow[], to: CheckedRow[]) => [
    account(...from),
    { ...account(...to), applicationId: 'b', label: 'APP-2026-0002' },
  ]
  const before = both([lost, out], [into])
  expect(rejectionReason(before, both([out], [into]))).toBe(
    '−$500.00 would be left on APP-2026-0001. Already taken from it: Admin Transfer $500.00.',
  )
  // The transfer can be removed: then the loss is where it was.
  expect(rejectionReason(before, both([lost], []))).toBeUndefined()
  const [paid, back] = [byHand('rent', 300_00), byHand('refund', -300_00)]
  const refunded = both([lost, out], [into, paid, back])
  expect(rejectionReason(both([lost, out], [into, paid]), refunded)).toBeUndefined()
  expect(rejectionReason(refunded, both([lost, out], [into, back]))).toContain('−$300.00 would be left on')
  // What other accounts bear does not cover a removal here either.
  const early = { ...byHand('rent', 100_00), createdAt: '2026-03-01T00:00:00.000Z' }
  expect(rejectionReason(both([lost, early, out], [into]), both([lost, out], [into]))).toContain('−$100.00')
})

test('a transfer has two sides that sum to zero, both present or both removed [FIX-10]', () => {
  const side = (changes: Partial<CheckedRow>) =>
    row({ type: 'admin_transfer', method: 'transfer', feeCents: 0, transferId: 't', ...changes })
  const [minus, plus] = [side({ amountCents: -100_00 }), side({ amountCents: 100_00 })]
  const uneven = 'transfer-uneven program'
  expect(brokenBy(row(), minus, plus)).toEqual([])
  expect(brokenBy(row(), minus)).toEqual([uneven])
  expect(brokenBy(row(), minus, { ...plus, voidedAt: '2026-03-05' })).toEqual([uneven])
  expect(brokenBy(row(), minus, { ...plus, amountCents: 99_99 })).toEqual([uneven])
  expect(brokenBy(row(), minus, plus, side({ amountCents: 100_00 }))).toEqual([uneven])
  expect(brokenBy(row(), side({ transferId: null }))).toEqual(['transfer-alone program'])
})

test('a payment cannot be refunded for more than was paid [FIX-10]', () => {
  for (const changes of [
    { refundedAmountCents: 500_01 },
    { refundedFeeCents: 15_01 },
    { refundedAmountCents: -1 },
    { lostAmountCents: 1 },
  ])
    expect(brokenBy(row(changes))).toContain('refunded-above-payment program')
})

test('reports money that arrives for a closed application until it is returned', () => {
  const payment = row()
  const arrival = { payment, account: account(payment), isReported: false }
  expect(unreportedArrivals([arrival])).toMatchObject([
    { invariant: 'arrival-unreported', subject: payment.id },
  ])
  expect(unreportedArrivals([{ ...arrival, isReported: true }])).toEqual([])
  const back = row({ ...refunded, completedRefundCents: 515_00 })
  expect(unreportedArrivals([{ ...arrival, payment: back, account: account(back) }])).toEqual([])
  const byCheck = account(payment, byHand('refund', -500_00))
  expect(unreportedArrivals([{ ...arrival, account: byCheck }])).toEqual([])
})

test('the deposit due is the part that was not credited; a returned deposit is not due again [FIX-06, FIX-07]', () => {
  expect(unpaidDepositCents(800_00, [row()])).toBe(300_00)
  expect(unpaidDepositCents(500_00, [row(refunded)])).toBe(0)
  expect(unpaidDepositCents(500_00, [row({ ...refunded, lostAmountCents: 500_00 })])).toBe(500_00)
  expect(unpaidDepositCents(500_00, [row(disputed)])).toBe(500_00)
  expect(unpaidDepositCents(500_00, [row(), byHand('deposit_return', -500_00)])).toBe(0)
  expect(unpaidDepositCents(500_00, [row(), byHand('deposit_transfer', -200_00)])).toBe(200_00)
  expect(unpaidDepositCents(500_00, [byHand('deposit_transfer', -200_00)])).toBe(500_00)
  const left = (...rows: CheckedRow[]) =>
    balance({ owedCents: 3000_00, depositCents: 500_00, rows }).balanceCents
  expect(left(row(refunded))).toBe(2500_00)
  expect(left(row({ ...refunded, lostAmountCents: 500_00 }))).toBe(3000_00)
  // Paid twice and returned once, so the deposit is still held.
  expect(left(row(), row(refunded))).toBe(2500_00)
})

test('a transfer takes other money before the deposit, and leaves deductions and pending refunds [FIX-06, FIX-09]', () => {
  const rows = [row(), byHand('rent', 100_00), byHand('deduction', -50_00)]
  expect(transferable(rows).maxCents).toBe(550_00)
  expect(transferable(rows).divide(80_00)).toEqual({ otherCents: 80_00, depositCents: 0 })
  expect(transferable(rows).divide(300_00)).toEqual({ otherCents: 100_00, depositCents: 200_00 })
  const asked = afterRequestedRefunds([row({ requestedRefundCents: 206_00 }), byHand('rent', 100_00)])
  expect(transferable(asked).maxCents).toBe(400_00)
})
