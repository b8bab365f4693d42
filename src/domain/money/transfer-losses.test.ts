import fc from 'fast-check'
import { expect, test } from 'vitest'
import { account, byHand, disputed, refunded, row } from '../../testing/build-account-rows.ts'
import { type Account, accountSums, type CheckedRow } from './account-sums.ts'
import { depositHeldCents, paidCents } from './ledger.ts'
import { isMovedHere, lostBefore, withoutLost } from './transfer-losses.ts'

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

test('what is paid after money was moved away and disputed counts where it is paid, and the loss stays where the money is [FIX-38]', () => {
  const [moved, later] = ['2026-04-01T00:00:00.000Z', '2026-05-01T00:00:00.000Z']
  const of = {
    type: 'deposit_transfer',
    method: 'transfer',
    feeCents: 0,
    transferId: 't',
    createdAt: moved,
  } as const
  const [out, into] = [row({ ...of, amountCents: -500_00 }), row({ ...of, amountCents: 500_00 })]
  const lost = (...here: CheckedRow[]) => {
    const accounts = [account(...here, out), { ...account(into), applicationId: 'b' }]
    return accounts.map(one => lostBefore(one, accounts)).map(one => [one.paidCents, one.depositCents])
  }
  const [all, none] = [
    [
      [-500_00, -500_00],
      [500_00, 500_00],
    ],
    [
      [0, 0],
      [0, 0],
    ],
  ]
  // By card when it arrives, by hand when it is entered.
  expect(lost(row(disputed), row({ paidAt: later }))).toEqual(all)
  expect(lost(row(disputed), { ...byHand('deposit', 500_00), createdAt: later })).toEqual(all)
  expect(lost(row(disputed), { ...byHand('rent', 500_00), createdAt: later })).toEqual(all)
  // What went back of it again is not there, and what was there before makes up for the loss.
  const refund = { ...byHand('deposit_return', -500_00), createdAt: later }
  expect(lost(row(disputed), row({ paidAt: later }), refund)).toEqual(all)
  expect(lost(row(disputed), row())).toEqual(none)
  // Nothing is lost without a dispute, whatever is refunded.
  expect(lost(row(), row({ paidAt: later }), refund)).toEqual(none)
  const sentBack = { ...refunded, completedRefundCents: 515_00 }
  expect(lost(row(sentBack), row({ paidAt: later }))).toEqual(none)
})

const names = ['a', 'b', 'c', 'd']
const place = fc.nat(names.length - 1)
const kind = fc.constantFrom('deposit' as const, 'rent' as const)
const cents = fc.integer({ min: 1, max: 500_00 })
const paid = fc.record({ do: fc.constant('paid' as const), at: place, kind, cents, isLost: fc.boolean() })
const transfer = fc.record({ do: fc.constant('transfer' as const), at: place, to: place, kind, cents })
const back = fc.record({ do: fc.constant('back' as const), at: place, kind, cents })
const stepsOf = <T>(...of: fc.Arbitrary<T>[]) => fc.array(fc.oneof(...of), { minLength: 1, maxLength: 20 })
type Step = { do: 'paid' | 'transfer' | 'back'; at: number; kind: 'deposit' | 'rent'; cents: number } & {
  isLost?: boolean
  to?: number
}

const thereOf = (rows: readonly CheckedRow[], isDeposit: boolean) =>
  rows.reduce(
    (sum, { amountCents, type }) => sum + (type.startsWith('deposit') === isDeposit ? amountCents : 0),
    0,
  )

/** Accounts after these steps, one a second. What is lost is lost after all of them. */
function accountsAfter(steps: readonly Step[], movesOnlyWhatIsThere = false): Account[] {
  const rows: CheckedRow[][] = names.map(() => [])
  for (const [i, one] of steps.entries()) {
    const isDeposit = one.kind === 'deposit'
    const createdAt = `2026-04-01T00:00:${String(i).padStart(2, '0')}.000Z`
    const of = { createdAt, paidAt: createdAt, feeCents: 0, amountCents: one.cents } as const
    const add = (at: number, changes: Partial<CheckedRow>) => rows[at]?.push(row({ ...of, ...changes }))
    const gone = {
      ...disputed,
      refundedFeeCents: 0,
      refundedAmountCents: one.cents,
      lostAmountCents: one.cents,
    }
    if (one.do === 'paid') add(one.at, { type: one.kind, ...(one.isLost && gone) })
    else if (one.do === 'back')
      add(one.at, {
        type: isDeposit ? 'deposit_return' : 'refund',
        method: 'manual',
        amountCents: -one.cents,
      })
    else if (one.to !== undefined && one.to !== one.at) {
      if (movesOnlyWhatIsThere && thereOf(rows[one.at] ?? [], isDeposit) < one.cents) continue
      const type = isDeposit ? 'deposit_transfer' : 'admin_transfer'
      const moved = { type, method: 'transfer', transferId: `m${i}` } as const
      add(one.at, { ...moved, amountCents: -one.cents })
      add(one.to, moved)
    }
  }
  return rows.map((ofOne, i) => ({ ...account(...ofOne), applicationId: names[i] ?? '' }))
}

const total = (figures: number[]) => figures.reduce((sum, figure) => sum + figure, 0)

test('after any transfers and disputes, each cent that an account lacks is subtracted at most once, only where money is left, and no longer where it came from [FIX-38]', () => {
  fc.assert(
    fc.property(stepsOf<Step>(paid, transfer, back), steps => {
      const accounts = accountsAfter(steps)
      const found = accounts.map(one => ({ sums: accountSums(one), lost: lostBefore(one, accounts) }))
      const laterCents = ({ rows }: Account) => {
        const last = rows.findLastIndex(({ amountCents, method }) => method === 'transfer' && amountCents < 0)
        return last < 0 ? 0 : total(rows.slice(last).map(one => Math.max(0, one.amountCents)))
      }
      const belowCents = ({ deposit, paid }: (typeof found)[number]['sums']) =>
        Math.max(0, -Math.min(paid.nowCents, deposit.nowCents))
      const lack = total(found.map(({ sums }) => belowCents(sums))) + total(accounts.map(laterCents))
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

test('a payment after transfers and disputes adds to no other booking than its own, unless another is short or money was moved here [FIX-38]', () => {
  const shown = (accounts: Account[]) =>
    accounts.map(one => paidCents(one.rows) - lostBefore(one, accounts).paidCents)
  fc.assert(
    fc.property(stepsOf<Step>(paid, transfer), place, kind, cents, (steps, at, type, amountCents) => {
      const accounts = accountsAfter(steps, true)
      fc.pre(!accounts[at]?.rows.some(isMovedHere))
      const later = row({ type, amountCents, feeCents: 0, paidAt: '2026-05-01T00:00:00.000Z' })
      const after = accounts.map((one, i) => (i === at ? { ...one, rows: [...one.rows, later] } : one))
      const [was, is] = [shown(accounts), shown(after)]
      expect(total(is)).toBe(total(was) + amountCents)
      for (const [i, cents] of is.entries())
        if (i !== at) expect(cents).toBeLessThanOrEqual(Math.max(0, was[i] ?? 0))
    }),
    { numRuns: 500 },
  )
})
