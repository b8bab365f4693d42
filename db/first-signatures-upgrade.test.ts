import { expect, test } from 'vitest'
import { oldSite } from '../src/testing/old-database.ts'

test('upgrading finds first signatures that were removed in the audit log [FIX-31]', () => {
  const { insert, upgrade } = oldSite('0015_first_signatures')
  const day = (date: string) => `2026-${date}T12:00:00.000Z`
  insert('users', { id: 'u', role: 'tenant' })
  const add = (id: string, signedAt: string | null, ...events: [string, string][]) => {
    insert('applications', { id, number: id, user_id: 'u', status: 'approved' })
    insert('leases', { id, application_id: id, kind: 'lease', number: 1, signed_at: signedAt })
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
  const found = upgrade().prepare('select id, first_signed_at from leases order by rowid').raw().all()
  expect(found).toEqual([
    ['unsigned', null],
    ['once', null],
    ['again', march],
    ['removed', march],
    ['anew', null],
  ])
})
