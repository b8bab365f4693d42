import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseBefore } from '../src/testing/old-database.ts'
import { openDatabase } from './open.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'condo-mailbox-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('upgrading counts mailboxes as proven whose links were used, and those that the operator gave; bookings stay open [FIX-27, FIX-29]', () => {
  const file = join(folder, 'portal.sqlite')
  const old = databaseBefore('0019_mailbox_proven', file)
  /** The events of each account: kind, role of the actor, moment. */
  const accounts: Record<string, [kind: string, role: string, at: string][]> = {
    admin: [],
    changedOwnPassword: [['account.password_changed', 'tenant', '2026-01-02']],
    changedEmail: [['account.email_changed', 'guest', '2026-01-03']],
    invited: [
      ['account.password_changed', 'guest', '2026-01-05'],
      ['account.invitation_accepted', 'tenant', '2026-01-05'],
    ],
    ofDemo: [['account.created', 'system', '2026-01-06']],
    registered: [['account.created', 'guest', '2026-01-07']],
    reset: [
      ['account.password_changed', 'guest', '2026-01-09'],
      ['account.password_changed', 'guest', '2026-01-08'],
    ],
  }
  for (const [id, events] of Object.entries(accounts)) {
    const role = id === 'admin' ? 'admin' : 'tenant'
    old.exec(`insert into users (id, email, email_key, password_hash, first_name, last_name, role, created_at, updated_at)
      values ('${id}', '${id}@b.c', '${id}@b.c', '', '', '', '${role}', '2026-01-01', '')`)
    for (const [kind, actorRole, at] of events)
      old.exec(`insert into events (at, kind, subject_id, actor_role, detail)
        values ('${at}', '${kind}', '${id}', '${actorRole}', '{}')`)
  }
  old.exec(`insert into applications (id, number, user_id, status, first_name, last_name, email, phone, street, city,
      state, zip_code, requested_start_date, requested_end_date, additional_guests, created_at, updated_at,
      stay_start_date, stay_end_date, source)
    values ('a', 'APP-1', 'registered', 'approved', '', '', '', '', '', '', '', '', '2026-05-01', '2026-06-01', '[]', '',
      '', '2026-05-01', '2026-06-01', 'owner')`)
  old.close()

  const { sqlite, close } = openDatabase(file)
  const proven = sqlite.prepare('select id, mailbox_proven_at from users order by id').raw().all()
  const waiting = sqlite.prepare('select awaits_mailbox from applications').pluck().all()
  close()
  expect(proven).toEqual([
    ['admin', '2026-01-01'],
    ['changedEmail', '2026-01-03'],
    ['changedOwnPassword', null],
    ['invited', '2026-01-05'],
    ['ofDemo', '2026-01-06'],
    ['registered', null],
    ['reset', '2026-01-08'],
  ])
  expect(waiting).toEqual([0])
})
