import { expect, test } from 'vitest'
import { oldSite } from '../src/testing/old-database.ts'

test('upgrading keeps which sections each published version changed [FIX-35]', () => {
  const { insert, upgrade } = oldSite('0018_parsed_texts_and_changed_sections')
  insert('users', { id: 'owner', role: 'admin' })
  const event = (kind: string, id: number, changed: string) =>
    insert('events', {
      kind,
      subject_id: `${id}`,
      actor_role: 'admin',
      detail: JSON.stringify({ changed }),
    })
  for (const [index, changed] of ['hero, terms', '', 'rates'].entries()) {
    insert('content_versions', { id: index + 1, actor_id: 'owner', source: 'publish', schema: 1, body: '{}' })
    event('site.published', index + 1, changed)
  }
  event('site.restored', 2, 'hero')
  const found = upgrade().prepare('select changed from content_versions order by id').pluck().all()
  expect(found).toEqual(['["hero","terms"]', '[]', '["rates"]'])
})
