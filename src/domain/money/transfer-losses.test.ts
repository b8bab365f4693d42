import fc from 'fast-check'
import { expect, test } from 'vitest'
import { account, byHand, disputed, row } from '../../testing/build-account-rows.ts'
import { type Account, accountSums, type CheckedRow } from './account-sums.ts'
import { depositHeldCents, paidCents } from './ledger.ts'
import { lostBefore, withoutLost } from './transfer-losses.ts'

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
