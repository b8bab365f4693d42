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

test('the upgrade keeps dismissed notices of ended bookings dismissed, unless a later payment has a notice [CHANGE-13]', () => {
  const { insert, upgrade } = oldSite('0041_dismissed_money')
  const [paid, ended, later] = ['2026-04-10', '2026-05-05', '2026-06-01'] as const
  insert('users', { id: 'maya' })
  const pay = (application: string, amount: number, refunded: number, when: string, dismissed: boolean) =>
    insert('payments', {
      ...{
        id: `${application} ${amount}`,
        user_id: 'maya',
        application_id: application,
        status: 'succeeded',
      },
      ...{ amount_cents: amount, refunded_amount_cents: refunded, created_at: when, paid_at: when },
      ...{ cancel_requested_at: ended, unexpected_dismissed_at: dismissed ? later : null },
    })
  for (const id of ['dismissed', 'told', 'none']) insert('applications', { id, number: id, user_id: 'maya' })
  pay('dismissed', 500, 100, paid, true)
  pay('dismissed', 300, 0, paid, false)
  pay('told', 500, 0, paid, true)
  pay('told', 300, 0, later, false)
  pay('none', 500, 0, later, false)
  const rows = upgrade().prepare('select id, dismissed_cents from payments order by rowid').raw().all()
  expect(rows).toEqual([
    ['dismissed 500', 400],
    ['dismissed 300', 0],
    ['told 500', 0],
    ['told 300', 0],
    ['none 500', 0],
  ])
})
