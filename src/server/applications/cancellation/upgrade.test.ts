import { expect, test } from 'vitest'
import { oldSite } from '../../../testing/old-database.ts'

test('stays that were reinstated before the upgrade have their moment from the audit log [BOOK-04]', () => {
  const { insert, upgrade } = oldSite('0040_reinstated_stays')
  const [first, again, second] = ['2026-04-10', '2026-05-05', '2026-06-01'] as const
  insert('users', { id: 'maya' })
  insert('applications', { id: 'booking', user_id: 'maya' })
  const cancelled = { application_id: 'booking', policy: '[]' }
  insert('cancellations', { ...cancelled, id: 'one', state: 'reinstated', decided_at: first })
  insert('cancellations', { ...cancelled, id: 'two', state: 'cancelled', decided_at: second })
  const event = { subject_id: 'booking', detail: '{}' }
  insert('events', { ...event, at: first, kind: 'application.cancelled' })
  insert('events', { ...event, at: again, kind: 'cancellation.reinstated' })
  const rows = upgrade().prepare('select id, reinstated_at from cancellations order by rowid').raw().all()
  expect(rows).toEqual([
    ['one', again],
    ['two', null],
  ])
})
