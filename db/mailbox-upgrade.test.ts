import { expect, test } from 'vitest'
import { oldSite } from '../src/testing/old-database.ts'

test('upgrading counts mailboxes as proven whose links were used, and those that the operator gave; bookings stay open [FIX-27, FIX-29]', () => {
  const { insert, upgrade } = oldSite('0019_mailbox_proven')
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
    insert('users', { id, email_key: id, role, created_at: '2026-01-01' })
    for (const [kind, actor_role, at] of events)
      insert('events', { at, kind, subject_id: id, actor_role, detail: '{}' })
  }
  insert('applications', { id: 'a', user_id: 'registered', status: 'approved', source: 'owner' })
  const sqlite = upgrade()
  const proven = sqlite.prepare('select id, mailbox_proven_at from users order by id').raw().all()
  const waiting = sqlite.prepare('select awaits_mailbox from applications').pluck().all()
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
