import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyStore } from '../src/server/operations/backup/verify.ts'
import { oldSite } from '../src/testing/old-database.ts'

const text = 'THE LEASE'
const textSha256 = createHash('sha256').update(text).digest('hex')
const at = '2026-03-05T12:00:00.000Z'
const terms = {
  lease_start_date: '2026-06-05',
  lease_end_date: '2026-07-01',
  rent_cents: 250_000,
  deposit_cents: 50_000,
}
const generated = {
  ...terms,
  lease_text: text,
  lease_text_sha256: textSha256,
  lease_generated_at: at,
  total_cents: 300_000,
}
const signed = { ...generated, lease_signed_at: at, signed_by: 'signature', signed_file_id: 'f' }

test('upgrading moves leases into their own table and loses no data', async () => {
  const { insert, old, store, upgrade } = oldSite('0009_leases')
  insert('users', { id: 'u', role: 'tenant' })
  insert('files', { id: 'f', storage_name: 'x', original_name: 'lease.pdf', size_bytes: 1 })
  const application = (id: string, month: string, lease: Record<string, unknown>) => {
    insert('applications', {
      id,
      number: id,
      user_id: 'u',
      status: 'pending',
      requested_start_date: `2026-${month}-01`,
      requested_end_date: `2026-${month}-20`,
      created_at: at,
      submitted_at: at,
      ...lease,
    })
    insert('payments', {
      id: `of-${id}`,
      user_id: 'u',
      application_id: id,
      type: 'rent',
      method: 'manual',
      status: 'succeeded',
      amount_cents: 100,
      paid_at: at,
    })
  }
  application('none', '01', {})
  application('agreed', '02', { rent_cents: 200_000 })
  application('generated', '06', generated)
  application('signed', '06', { ...signed, status: 'completed' })
  application('deleted', '06', { ...signed, deleted_at: at })
  const columns =
    'id, number, status, stay_start_date, stay_end_date, rent_cents, deposit_cents, total_cents, requested_start_date, deleted_at'
  const everyApplication = `select ${columns} from applications order by rowid`
  const before = old.prepare(everyApplication).all()
  const names =
    "select name from sqlite_master where type = 'index' and tbl_name = 'applications' and sql is not null order by name"
  const indexes = old.prepare(names).pluck().all()

  const sqlite = upgrade()
  expect(sqlite.prepare(everyApplication).all()).toEqual(before)
  expect(before).toContainEqual(expect.objectContaining({ id: 'signed', stay_start_date: '2026-06-05' }))
  expect(sqlite.prepare(names).pluck().all()).toEqual(indexes)
  const document = {
    kind: 'lease',
    number: 1,
    start_date: '2026-06-05',
    end_date: '2026-07-01',
    rent_cents: 250_000,
    deposit_cents: 50_000,
    text,
    text_sha256: textSha256,
    generated_at: at,
    voided_at: null,
  }
  const unsigned = { signed_at: null, signed_by: null, file_id: null }
  const bySignature = { signed_at: at, signed_by: 'signature', file_id: 'f' }
  expect(sqlite.prepare('select * from leases order by rowid').all()).toMatchObject([
    { application_id: 'generated', ...document, ...unsigned },
    { application_id: 'signed', ...document, ...bySignature },
    { application_id: 'deleted', ...document, ...bySignature },
  ])
  expect(
    sqlite
      .prepare('select count(*) from payments p join applications a on a.id = p.application_id')
      .pluck()
      .get(),
  ).toBe(5)
  const { faults } = await verifyStore(store, () => undefined)
  expect(faults).toEqual(['The stored file "lease.pdf" (x) is missing.'])
})
