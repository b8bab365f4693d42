import { expect, test } from 'vitest'
import { oldSite } from '../src/testing/old-database.ts'

test('upgrading reads the installment of each waiver from its request id, and keeps the request ids of other charges [PLAN-29]', () => {
  const { insert, upgrade } = oldSite('0022_waived_installments')
  insert('users', { id: 'u', role: 'tenant' })
  insert('applications', { id: 'a', user_id: 'u', status: 'approved' })
  const first = '11111111-1111-4111-8111-111111111111'
  const second = '22222222-2222-4222-8222-222222222222'
  for (const id of [first, second])
    insert('instalments', { id, application_id: 'a', position: 1, kind: 'lease', amount_cents: 100 })
  const charge = (id: string, source: string, request_id: string | null, voided_at: string | null = null) =>
    insert('charges', {
      id,
      application_id: 'a',
      kind: 'adjustment',
      amount_cents: -100,
      source,
      request_id,
      voided_at,
    })
  charge('voided', 'plan', `waive:${first}`, '2026-03-05')
  charge('waived again', 'plan', `waive:${first}:2`)
  charge('released', 'owner', `waive:${second}`)
  charge('of the owner', 'owner', '33333333-3333-4333-8333-333333333333')
  charge('without a request', 'owner', null)

  const sqlite = upgrade()
  const found = sqlite.prepare('select id, instalment_id, request_id from charges order by rowid').raw().all()
  expect(sqlite.pragma('foreign_key_check')).toEqual([])
  expect(found).toEqual([
    ['voided', first, null],
    ['waived again', first, null],
    ['released', second, null],
    ['of the owner', null, '33333333-3333-4333-8333-333333333333'],
    ['without a request', null, null],
  ])
})
