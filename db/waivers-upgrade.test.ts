import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseBefore } from '../src/testing/old-database.ts'
import { openDatabase } from './open.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'condo-waivers-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('upgrading reads the installment of each waiver from its request id, and keeps the request ids of other charges [PLAN-29]', () => {
  const file = join(folder, 'portal.sqlite')
  const old = databaseBefore('0022_waived_installments', file)
  old.exec(`insert into users (id, email, email_key, password_hash, first_name, last_name, role, created_at, updated_at)
    values ('u', 'a@b.c', 'a@b.c', '', '', '', 'tenant', '', '')`)
  old.exec(`insert into applications (id, number, user_id, status, first_name, last_name, email, phone, street, city, state,
    zip_code, requested_start_date, requested_end_date, stay_start_date, stay_end_date, additional_guests, created_at,
    updated_at) values ('a', 'a', 'u', 'approved', '', '', '', '', '', '', '', '', '', '', '', '', '[]', '', '')`)
  const first = '11111111-1111-4111-8111-111111111111'
  const second = '22222222-2222-4222-8222-222222222222'
  for (const id of [first, second])
    old.exec(`insert into instalments (id, application_id, position, kind, label, amount_cents, created_at)
      values ('${id}', 'a', 1, 'lease', 'Payment', 100, '')`)
  const charge = (id: string, source: string, requestId: string | null, voidedAt: string | null = null) =>
    old
      .prepare(
        `insert into charges (id, application_id, kind, name, label, amount_cents, source, request_id, created_at, voided_at)
         values (?, 'a', 'adjustment', '', '', -100, ?, ?, '', ?)`,
      )
      .run(id, source, requestId, voidedAt)
  charge('voided', 'plan', `waive:${first}`, '2026-03-05')
  charge('waived again', 'plan', `waive:${first}:2`)
  charge('released', 'owner', `waive:${second}`)
  charge('of the owner', 'owner', '33333333-3333-4333-8333-333333333333')
  charge('without a request', 'owner', null)
  old.close()

  const { sqlite, close } = openDatabase(file)
  const found = sqlite.prepare('select id, instalment_id, request_id from charges order by rowid').raw().all()
  expect(sqlite.pragma('foreign_key_check')).toEqual([])
  close()
  expect(found).toEqual([
    ['voided', first, null],
    ['waived again', first, null],
    ['released', second, null],
    ['of the owner', null, '33333333-3333-4333-8333-333333333333'],
    ['without a request', null, null],
  ])
})
