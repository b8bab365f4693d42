import { expect, test } from 'vitest'
import { oldSite } from '../src/testing/old-database.ts'

test('upgrading keeps events that failed validation, under their new status', () => {
  const { insert, upgrade } = oldSite('0008_quarantined_events')
  for (const outcome of ['applied', 'ignored', 'set_aside'])
    insert('provider_events', { id: outcome, outcome })
  expect(upgrade().prepare('select id, outcome from provider_events order by id').raw().all()).toEqual([
    ['applied', 'applied'],
    ['ignored', 'ignored'],
    ['set_aside', 'quarantined'],
  ])
})
