import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  afterRequestedRefunds,
  balance,
  depositHeldCents,
  paidCents,
  transferable,
  unpaidDepositCents,
} from './ledger.ts'
import {
  type Account,
  accountSums,
  type CheckedRow,
  lostBefore,
  rejectionReason,
  unreportedArrivals,
  violationsOf,
  withoutLost,
} from './ledger-invariants.ts'

let lastId = 0
const row = (changes: Partial<CheckedRow> = {}): CheckedRow => ({
  id: `p${++lastId}`,
  createdAt: '2026-03-04T17:00:00.000Z',
  type: 'deposit',
  method: 'card',
  status: 'succeeded',
  amountCents: 500_00,
  feeCents: 15_00,
  refundedAmountCents: 0,
  refundedFeeCents: 0,
  lostAmountCents: 0,
  paidAt: '2026-03-04T17:00:00.000Z',
  voidedAt: null,
  transferId: null,
  description: '',
  requestedRefundCents: 0,
  completedRefundCents: 0,
  inDispute: false,
  ...changes,
})
const byHand = (type: CheckedRow['type'], amountCents: number) =>
  row({ type, method: 'manual', amountCents, feeCents: 0 })
const refunded = { status: 'refunded', refundedAmountCents: 500_00, refundedFeeCents: 15_00 } as const
const disputed = { ...refunded, status: 'disputed', lostAmountCents: 500_00, inDispute: true } as const
const account = (...rows: CheckedRow[]): Account => ({
  applicationId: 'a',
  isDeleted: false,
  userId: 'u',
  label: 'APP-2026-0001',
  rows,
})
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
  expect(rejectionReason(account(paid), account(paid, returned))).toBeUndefined()
  expect(rejectionReason(account(paid, returned), account(returned))).toBe(
    '−$500.00 would be left on APP-2026-0001. Already taken from it: Deposit returned $500.00.',
  )
  const below = [row(refunded), returned]
  expect(rejectionReason(account(...below), account(...below, byHand('rent', 200_00)))).toBeUndefined()
  expect(rejectionReason(account(...below), account(...below, byHand('refund', -1)))).toBeDefined()
  // Removing the payment that the provider took back is rejected, because it explains the negative sum.
  expect(rejectionReason(account(...below), account(returned))).toBeDefined()
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

test('a loss at the source is subtracted once from what was transferred: deposits first, and only where money is left [FIX-38]', () => {
  const dispute = (type: CheckedRow['type'], amountCents: number) =>
    row({
      ...disputed,
      type,
      amountCents,
      feeCents: 0,
      refundedAmountCents: amountCents,
      lostAmountCents: amountCents,
      refundedFeeCents: 0,
    })
  const named = (applicationId: string, ...rows: CheckedRow[]) => ({ ...account(...rows), applicationId })
  let transfers = 0
  const transfer = (type: CheckedRow['type'], amountCents: number) => {
    const createdAt = `2026-04-01T00:00:0${++transfers}.000Z`
    const of = { type, method: 'transfer', feeCents: 0, transferId: `t${transfers}`, createdAt } as const
    return [row({ ...of, amountCents: -amountCents }), row({ ...of, amountCents })] as const
  }
  const lost = (accounts: Account[]) =>
    accounts.map(one => {
      const { depositCents, paidCents } = lostBefore(one, accounts)
      return [paidCents, depositCents]
    })

  const [rentOut, rentIn] = transfer('admin_transfer', 500_00)
  const [depositOut, depositIn] = transfer('deposit_transfer', 500_00)
  const from = (...gone: CheckedRow[]) => named('from', ...gone, rentOut, depositOut)
  const [b, c] = [named('b', depositIn), named('c', rentIn, byHand('rent', 900_00))]
  // Only the deposit was disputed, or only the rent, or both.
  expect(lost([from(dispute('deposit', 500_00), byHand('rent', 500_00)), b, c])).toEqual([
    [-500_00, -500_00],
    [500_00, 500_00],
    [0, 0],
  ])
  expect(lost([from(row({ feeCents: 0 }), dispute('rent', 500_00)), b, c])).toEqual([
    [-500_00, 0],
    [0, 0],
    [500_00, 0],
  ])
  expect(lost([from(dispute('deposit', 500_00), dispute('rent', 500_00)), b, c])).toEqual([
    [-1000_00, -500_00],
    [500_00, 500_00],
    [500_00, 0],
  ])

  // A transfer bears no more than its amount, whatever else is missing.
  const short = named(
    'from',
    dispute('deposit', 500_00),
    dispute('rent', 300_00),
    byHand('refund', -300_00),
    depositOut,
  )
  expect(lost([short, named('b', depositIn, byHand('rent', 900_00))])).toEqual([
    [-500_00, -500_00],
    [500_00, 500_00],
  ])

  // Money that was refunded already is not subtracted; the rest of the loss is.
  const [firstOut, firstIn] = transfer('admin_transfer', 300_00)
  const [secondOut, secondIn] = transfer('admin_transfer', 300_00)
  const source = named('from', dispute('rent', 600_00), firstOut, secondOut)
  const half = named('from', byHand('rent', 300_00), dispute('rent', 300_00), firstOut, secondOut)
  const paidOut = named('c', secondIn, byHand('refund', -300_00))
  expect(lost([source, named('b', firstIn), named('c', secondIn)])).toEqual([
    [-600_00, 0],
    [300_00, 0],
    [300_00, 0],
  ])
  expect(lost([half, named('b', firstIn), named('c', secondIn)])).toEqual([
    [-300_00, 0],
    [0, 0],
    [300_00, 0],
  ])
  expect(lost([half, named('b', firstIn), paidOut])).toEqual([
    [-300_00, 0],
    [300_00, 0],
    [0, 0],
  ])

  // Money that was transferred on is subtracted where it is now, also after a circle.
  const [onOut, onIn] = transfer('admin_transfer', 200_00)
  const [backOut, backIn] = transfer('admin_transfer', 50_00)
  const through = named('b', firstIn, onOut, backOut)
  expect(lost([source, through, named('c', secondIn), named('d', onIn)])).toEqual([
    [-550_00, 0],
    [50_00, 0],
    [300_00, 0],
    [200_00, 0],
  ])
  expect(
    lost([named('from', ...source.rows, backIn), through, named('c', secondIn), named('d', onIn)]),
  ).toEqual([
    [-550_00, 0],
    [50_00, 0],
    [300_00, 0],
    [200_00, 0],
  ])
})

test('after any transfers and disputes, each cent that an account lacks is subtracted at most once, only where money is left, and no longer where it came from [FIX-38]', () => {
  const names = ['a', 'b', 'c', 'd']
  const place = fc.nat(names.length - 1)
  const kind = fc.constantFrom('deposit', 'rent')
  const cents = fc.integer({ min: 1, max: 500_00 })
  const step = fc.oneof(
    fc.record({ do: fc.constant('paid'), at: place, kind, cents, isLost: fc.boolean() }),
    fc.record({ do: fc.constant('transfer'), at: place, to: place, kind, cents }),
    fc.record({ do: fc.constant('back'), at: place, kind, cents }),
  )
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), steps => {
      const rows: CheckedRow[][] = names.map(() => [])
      for (const [i, one] of steps.entries()) {
        const isDeposit = one.kind === 'deposit'
        const createdAt = `2026-04-01T00:00:${String(i).padStart(2, '0')}.000Z`
        const of = { createdAt, feeCents: 0, amountCents: one.cents } as const
        const add = (at: number, changes: Partial<CheckedRow>) => rows[at]?.push(row({ ...of, ...changes }))
        if ('isLost' in one) {
          const gone = {
            ...disputed,
            refundedFeeCents: 0,
            refundedAmountCents: one.cents,
            lostAmountCents: one.cents,
          }
          add(one.at, { type: isDeposit ? 'deposit' : 'rent', ...(one.isLost && gone) })
        } else if ('to' in one) {
          if (one.to === one.at) continue
          const type = isDeposit ? 'deposit_transfer' : 'admin_transfer'
          const moved = { type, method: 'transfer', transferId: `m${i}` } as const
          add(one.at, { ...moved, amountCents: -one.cents })
          add(one.to, moved)
        } else
          add(one.at, {
            type: isDeposit ? 'deposit_return' : 'refund',
            method: 'manual',
            amountCents: -one.cents,
          })
      }
      const accounts = rows.map((ofOne, i) => ({ ...account(...ofOne), applicationId: names[i] ?? '' }))
      const found = accounts.map(one => ({ sums: accountSums(one), lost: lostBefore(one, accounts) }))
      const total = (figures: number[]) => figures.reduce((sum, figure) => sum + figure, 0)
      const lack = total(
        found.map(({ sums }) => Math.max(0, -Math.min(sums.paid.nowCents, sums.deposit.nowCents))),
      )
      const least = total(found.map(({ lost }) => Math.max(0, lost.paidCents)))
      expect(least).toBeLessThanOrEqual(lack)
      expect(total(found.map(({ lost }) => lost.paidCents))).toBe(0)
      for (const [i, { lost, sums }] of found.entries()) {
        const left = withoutLost(accounts[i]?.rows ?? [], lost)
        expect(paidCents(left)).toBe(sums.paid.nowCents - lost.paidCents)
        expect(depositHeldCents(left)).toBe(sums.deposit.nowCents - lost.depositCents)
        expect(lost.paidCents).toBeLessThanOrEqual(Math.max(0, sums.paid.nowCents))
        expect(lost.depositCents).toBeLessThanOrEqual(Math.max(0, sums.deposit.nowCents))
      }
    }),
    { numRuns: 500 },
  )
})
