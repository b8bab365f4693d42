import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseBefore } from '../src/testing/old-database.ts'
import { openDatabase } from './open.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'condo-first-signatures-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('upgrading finds first signatures that were removed in the audit log [FIX-31]', () => {
  const file = join(folder, 'portal.sqlite')
  const old = databaseBefore('0015_first_signatures', file)
  const day = (date: string) => `2026-${date}T12:00:00.000Z`
  const insert = (table: string, row: Record<string, unknown>) =>
    old
      .prepare(
        `insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map(name => `@${name}`)})`,
      )
      .run(row)
  const named = { first_name: '', last_name: '', email: 'a@b.c', created_at: '', updated_at: '' }
  insert('users', { id: 'u', email_key: 'a@b.c', password_hash: '', role: 'tenant', ...named })
  const add = (id: string, signedAt: string | null, ...events: [string, string][]) => {
    const address = { phone: '', street: '', city: '', state: '', zip_code: '' }
    const stay = { stay_start_date: '', stay_end_date: '' }
    const nights = { requested_start_date: '', requested_end_date: '', additional_guests: '[]' }
    insert('applications', {
      id,
      number: id,
      user_id: 'u',
      status: 'approved',
      ...named,
      ...address,
      ...nights,
      ...stay,
    })
    const terms = { start_date: '', end_date: '', rent_cents: 0, deposit_cents: 0, text: '', text_sha256: '' }
    const lease = { id, application_id: id, kind: 'lease', number: 1, generated_at: '', ...terms }
    insert('leases', { ...lease, signed_at: signedAt })
    for (const [kind, at] of events)
      insert('events', { at, kind, subject_id: id, actor_role: 'tenant', detail: '{}' })
  }
  const [march, april, may] = [day('03-04'), day('04-13'), day('05-01')]
  add('unsigned', null, ['lease.generated', march])
  add('once', march, ['lease.generated', march], ['lease.uploaded', march])
  add(
    'again',
    april,
    ['lease.generated', march],
    ['lease.uploaded', march],
    ['lease.removed', april],
    ['lease.uploaded', april],
  )
  add('removed', null, ['lease.generated', march], ['lease.signed', march], ['lease.removed', april])
  add(
    'anew',
    may,
    ['lease.uploaded', march],
    ['lease.removed', april],
    ['lease.generated', april],
    ['lease.uploaded', may],
  )
  old.close()

  const { sqlite, close } = openDatabase(file)
  const found = sqlite.prepare('select id, first_signed_at from leases order by rowid').raw().all()
  close()
  expect(found).toEqual([
    ['unsigned', null],
    ['once', null],
    ['again', march],
    ['removed', march],
    ['anew', null],
  ])
})
