import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase, type Sqlite } from './open.ts'
import { projectRoot } from './project-root.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'condo-search-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The migrations that came before the named one. */
function migrationsBefore(tag: string): string {
  const migrations = join(folder, 'migrations')
  cpSync(join(projectRoot, 'db/migrations'), migrations, { recursive: true })
  const journalFile = join(migrations, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(journalFile, 'utf8'))
  journal.entries = journal.entries.slice(
    0,
    journal.entries.findIndex((entry: { tag: string }) => entry.tag === tag),
  )
  writeFileSync(journalFile, JSON.stringify(journal))
  return migrations
}

const inOrder = (sqlite: Sqlite) =>
  sqlite.prepare('select application_id from application_search order by id').pluck().all()
const found = (sqlite: Sqlite, text: string) =>
  sqlite
    .prepare('select rowid from application_fts where application_fts match ?')
    .pluck()
    .all(`content : "${text}"`).length

test('an upgrade puts what the search knows into the order of arrival, where changes leave it', () => {
  const file = join(folder, 'portal.sqlite')
  const old = openDatabase(file, { migrationsFolder: migrationsBefore('0005_search_in_order') })
  old.sqlite.exec(`insert into users (id, email, email_key, password_hash, first_name, last_name, role, created_at, updated_at)
    values ('u', 'a@b.c', 'a@b.c', '', '', '', 'tenant', '', '')`)
  for (const day of ['1', '2', '3'])
    old.sqlite.exec(`insert into applications (id, number, user_id, status, first_name, last_name, email, phone, street,
      city, state, zip_code, requested_start_date, requested_end_date, additional_guests, created_at, updated_at, submitted_at)
      values ('a${day}', 'APP-2026-000${day}', 'u', 'pending', 'Mia', 'Ortiz', 'mia@b.c', '1', '', '', '', '',
      '2026-06-01', '2026-07-01', '[]', '2026-01-0${day}', '', '2026-01-0${day}')`)
  old.sqlite.exec("update applications set status = 'approved' where id = 'a1'")
  expect(inOrder(old.sqlite)).toEqual(['a2', 'a3', 'a1'])
  old.close()

  const { sqlite, close } = openDatabase(file)
  expect([inOrder(sqlite), found(sqlite, 'Ortiz')]).toEqual([['a1', 'a2', 'a3'], 3])
  sqlite.exec("update applications set last_name = 'Vega', status = 'rejected' where id = 'a1'")
  sqlite.exec("update applications set deleted_at = '2026-01-05' where id = 'a2'")
  expect(inOrder(sqlite)).toEqual(['a1', 'a3'])
  expect([found(sqlite, 'Ortiz'), found(sqlite, 'Vega')]).toEqual([1, 1])
  sqlite.exec("insert into application_fts (application_fts, rank) values ('integrity-check', 1)")
  close()
})
