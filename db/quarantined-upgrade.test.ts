import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseBefore } from '../src/testing/old-database.ts'
import { openDatabase } from './open.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'condo-quarantined-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('upgrading keeps events that failed validation, under their new status', () => {
  const file = join(folder, 'portal.sqlite')
  const old = databaseBefore('0008_quarantined_events', file)
  for (const outcome of ['applied', 'ignored', 'set_aside'])
    old.exec(
      `insert into provider_events (id, type, received_at, outcome, payload) values ('${outcome}', '', '', '${outcome}', '')`,
    )
  old.close()

  const { sqlite, close } = openDatabase(file)
  const found = sqlite.prepare('select id, outcome from provider_events order by id').raw().all()
  close()
  expect(found).toEqual([
    ['applied', 'applied'],
    ['ignored', 'ignored'],
    ['set_aside', 'quarantined'],
  ])
})
