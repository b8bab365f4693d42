import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { afterThisTest } from '../src/testing/cleanups.ts'
import { databaseBefore } from '../src/testing/old-database.ts'
import { openDatabase } from './open.ts'

test('upgrading keeps which sections each published version changed [FIX-35]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'condo-versions-'))
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'portal.sqlite')
  const old = databaseBefore('0018_parsed_texts_and_changed_sections', file)
  old.exec(`insert into users (id, email, email_key, password_hash, role, first_name, last_name, phone, created_at, updated_at)
    values ('owner', '', '', '', 'admin', '', '', '', '', '')`)
  for (const [id, changed] of [
    [1, 'hero, terms'],
    [2, ''],
    [3, 'rates'],
  ]) {
    old.exec(`insert into content_versions (id, at, actor_id, note, source, schema, body, sha256)
      values (${id}, '', 'owner', '', 'publish', 1, '{}', '')`)
    old.exec(`insert into events (at, kind, subject_id, actor_role, detail)
      values ('', 'site.published', '${id}', 'admin', '{"changed":"${changed}"}')`)
  }
  old.exec(`insert into events (at, kind, subject_id, actor_role, detail)
    values ('', 'site.restored', '2', 'admin', '{"changed":"hero"}')`)
  old.close()

  const { sqlite, close } = openDatabase(file)
  const found = sqlite.prepare('select changed from content_versions order by id').pluck().all()
  close()
  expect(found).toEqual(['["hero","terms"]', '[]', '["rates"]'])
})
