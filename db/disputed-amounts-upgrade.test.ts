import { expect, test } from 'vitest'
import { stateOfPaid } from '../src/domain/money/ledger.ts'
import { oldSite } from '../src/testing/old-database.ts'

test('upgrading separates what disputes took from a payment, each its own amount, and what was refunded [FIX-07, FIX-38]', () => {
  const { insert, old, upgrade } = oldSite('0016_partial_disputes')
  insert('users', { id: 'u', role: 'tenant' })
  const disputes = {
    bank: ['lost 10000'],
    inquiry: ['warning_needs_response 51500'],
    lost: ['lost 51500'],
    none: [],
    open: ['needs_response 51500'],
    openPart: ['under_review 10001', 'won 333'],
    part: ['lost 10001', 'lost 333', 'won 9', 'needs_response 7'],
    unpaid: ['needs_response 51500'],
    won: ['won 51500'],
  }
  const isDisputed = (of: readonly string[]) =>
    /needs_response|under_review/.test(of.filter(dispute => !dispute.startsWith('warning')).join())
  for (const [id, of] of Object.entries(disputes)) {
    const status =
      id === 'bank' ? 'returned' : id === 'unpaid' ? 'pending' : isDisputed(of) ? 'disputed' : 'succeeded'
    insert('payments', {
      id,
      user_id: 'u',
      type: 'deposit',
      method: 'card',
      provider_method: id === 'bank' ? 'us_bank_account' : 'card',
      status,
      amount_cents: 500_00,
      fee_cents: 15_00,
      refunded_amount_cents: 200_00,
      refunded_fee_cents: 6_00,
      paid_at: id === 'unpaid' ? null : '2026-03-04',
    })
    old.exec(`insert into refunds values ('${id}', '${id}', 20600, 'succeeded', ''),
      ('failed ${id}', '${id}', 1, 'failed', ''), ('own ${id}', '${id}', 20600, 'answered', '')`)
    for (const [i, dispute] of of.entries()) {
      const [status, cents] = dispute.split(' ')
      old.exec(`insert into disputes values ('${id}${i}', '${id}', ${cents}, '${status}', '', null)`)
    }
  }
  const found = upgrade()
    .prepare(
      'select id, status, refunded_amount_cents, refunded_fee_cents, lost_amount_cents from payments order by id',
    )
    .raw()
    .all()
  const after = (id: string, withheldCents: number, lostCents: number) => {
    const payment = { amountCents: 500_00, feeCents: 15_00 }
    const state = stateOfPaid(payment, { refundedTotalCents: 206_00, withheldCents, lostCents })
    return [id, state.status, state.refunded.amountCents, state.refunded.feeCents, state.lostAmountCents]
  }
  expect(found).toEqual([
    ['bank', 'returned', 200_00, 6_00, 0],
    after('inquiry', 0, 0),
    after('lost', 0, 515_00),
    after('none', 0, 0),
    after('open', 515_00, 0),
    after('openPart', 100_01, 0),
    after('part', 7, 103_34),
    ['unpaid', 'pending', 200_00, 6_00, 0],
    after('won', 0, 0),
  ])
})
