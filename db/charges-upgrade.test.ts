import { expect, test } from 'vitest'
import { sha256 } from '../src/server/lib/sha256.ts'
import { verifyStore } from '../src/server/operations/backup/verify.ts'
import { oldSite } from '../src/testing/old-database.ts'

const at = '2026-03-05T12:00:00.000Z'

test('upgrading gives each lease its charges and changes no figure, account or payment [CHG-03, CHG-04]', async () => {
  const { insert, old, store, upgrade } = oldSite('0010_charges')
  for (const [id, role] of [
    ['u', 'tenant'],
    ['owner', 'admin'],
  ])
    insert('users', { id, role, email: id, email_key: id, password_hash: `hash of ${id}` })
  insert('sessions', { id: 's', user_id: 'u', created_at: at, last_used_at: at })
  const application = (id: string, figures: Record<string, unknown> = {}) =>
    insert('applications', {
      id,
      number: id,
      user_id: 'u',
      status: 'pending',
      requested_start_date: '2026-06-01',
      requested_end_date: '2026-09-13',
      stay_start_date: '2026-06-01',
      stay_end_date: '2026-09-13',
      created_at: at,
      submitted_at: at,
      ...figures,
    })
  const lease = (application_id: string, rest: Record<string, unknown> = {}) =>
    insert('leases', {
      id: `lease of ${application_id}`,
      application_id,
      kind: 'lease',
      number: 1,
      start_date: '2026-06-01',
      end_date: '2026-09-13',
      rent_cents: 2500_00,
      deposit_cents: 500_00,
      text: 'THE LEASE',
      text_sha256: sha256('THE LEASE'),
      generated_at: at,
      ...rest,
    })
  const figures = { rent_cents: 2500_00, deposit_cents: 500_00, total_cents: 9000_00 }
  application('agreed', { rent_cents: 2600_00, deposit_cents: 400_00 })
  application('generated', figures)
  lease('generated')
  application('free', { ...figures, deposit_cents: 0, total_cents: 8500_00 })
  lease('free', { deposit_cents: 0 })
  application('deleted lease')
  lease('deleted lease', { voided_at: at })
  application('deleted', { ...figures, deleted_at: at })
  lease('deleted')
  insert('payments', {
    id: 'p',
    user_id: 'u',
    application_id: 'generated',
    type: 'rent',
    method: 'manual',
    status: 'succeeded',
    amount_cents: 100,
    paid_at: at,
  })
  const kept = ['sessions', 'applications', 'leases', 'payments', 'users']
  const everything = (db: typeof old) =>
    Object.fromEntries(kept.map(table => [table, db.prepare(`select * from ${table} order by 1`).all()]))
  const before = everything(old)

  const sqlite = upgrade()
  const after = everything(sqlite)
  for (const table of kept) {
    expect(after[table], table).toEqual(before[table]?.map(row => expect.objectContaining(row as object)))
  }
  expect(
    sqlite
      .prepare('select application_id, kind, label, amount_cents, source, created_at from charges')
      .raw()
      .all()
      .toSorted(),
  ).toEqual(
    [
      ['deleted', 'deposit', 'Security deposit', 500_00, 'lease', at],
      ['deleted', 'rent', 'Rent', 8500_00, 'lease', at],
      ['free', 'deposit', 'Security deposit', 0, 'lease', at],
      ['free', 'rent', 'Rent', 8500_00, 'lease', at],
      ['generated', 'deposit', 'Security deposit', 500_00, 'lease', at],
      ['generated', 'rent', 'Rent', 8500_00, 'lease', at],
    ].toSorted(),
  )
  expect(sqlite.prepare('select distinct source, source_note from applications').raw().all()).toEqual([
    ['tenant', ''],
  ])
  const { faults } = await verifyStore(store, () => {})
  expect(faults).toEqual([])
})
