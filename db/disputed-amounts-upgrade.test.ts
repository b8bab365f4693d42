import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { shareRefund } from '../src/domain/ledger.ts'
import { databaseBefore } from '../src/testing/old-database.ts'
import { openDatabase } from './open.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'condo-disputed-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('upgrading separates what past disputes took from a payment and what was refunded [FIX-07]', () => {
  const file = join(folder, 'portal.sqlite')
  const old = databaseBefore('0006_canceled_payments_and_disputes', file)
  old.exec(`insert into users (id, email, email_key, password_hash, first_name, last_name, role, created_at, updated_at)
    values ('u', 'a@b.c', 'a@b.c', '', '', '', 'tenant', '', '')`)
  const disputes = {
    none: [],
    won: ['won 51500'],
    lost: ['lost 51500'],
    part: ['lost 10001', 'lost 333', 'won 9'],
  }
  for (const [id, of] of Object.entries(disputes)) {
    old.exec(`insert into payments (id, user_id, type, method, status, amount_cents, fee_cents, refunded_amount_cents,
      created_at, paid_at) values ('${id}', 'u', 'deposit', 'card', 'succeeded', 50000, 1500, 20000, '', '2026-03-04')`)
    for (const [i, dispute] of of.entries()) {
      const [status, cents] = dispute.split(' ')
      old.exec(`insert into disputes values ('${id}${i}', '${id}', ${cents}, '${status}', '')`)
    }
  }
  old.close()

  const { sqlite, close } = openDatabase(file)
  const found = sqlite.prepare('select id, lost_amount_cents from payments order by id').raw().all()
  close()
  const payment = { amountCents: 500_00, feeCents: 15_00 }
  expect(found).toEqual([
    ['lost', 500_00],
    ['none', 0],
    ['part', shareRefund(payment, 10_334).amountCents],
    ['won', 0],
  ])
})
