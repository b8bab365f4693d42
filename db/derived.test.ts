import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseBefore } from '../src/testing/old-database.ts'
import { openDatabase, type Sqlite } from './open.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'condo-search-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const inOrder = (sqlite: Sqlite) =>
  sqlite.prepare('select application_id from application_search order by id').pluck().all()
const found = (sqlite: Sqlite, text: string) =>
  sqlite
    .prepare('select rowid from application_fts where application_fts match ?')
    .pluck()
    .all(`content : "${text}"`).length

test('upgrading puts the search index in order of arrival, and later changes keep that order', () => {
  const old = databaseBefore('0005_search_in_order', join(folder, 'portal.sqlite'))
  old.exec(`insert into users (id, email, email_key, password_hash, first_name, last_name, role, created_at, updated_at)
    values ('u', 'a@b.c', 'a@b.c', '', '', '', 'tenant', '', '')`)
  for (const day of ['1', '2', '3'])
    old.exec(`insert into applications (id, number, user_id, status, first_name, last_name, email, phone, street,
      city, state, zip_code, requested_start_date, requested_end_date, additional_guests, created_at, updated_at, submitted_at)
      values ('a${day}', 'APP-2026-000${day}', 'u', 'pending', 'Mia', 'Ortiz', 'mia@b.c', '1', '', '', '', '',
      '2026-06-01', '2026-07-01', '[]', '2026-01-0${day}', '', '2026-01-0${day}')`)
  old.exec("update applications set status = 'approved' where id = 'a1'")
  expect(inOrder(old)).toEqual(['a2', 'a3', 'a1'])
  old.close()

  const { sqlite, close } = openDatabase(join(folder, 'portal.sqlite'))
  expect([inOrder(sqlite), found(sqlite, 'Ortiz')]).toEqual([['a1', 'a2', 'a3'], 3])
  sqlite.exec("update applications set last_name = 'Vega', status = 'rejected' where id = 'a1'")
  sqlite.exec("update applications set deleted_at = '2026-01-05' where id = 'a2'")
  expect(inOrder(sqlite)).toEqual(['a1', 'a3'])
  expect([found(sqlite, 'Ortiz'), found(sqlite, 'Vega')]).toEqual([1, 1])
  sqlite.exec("insert into application_fts (application_fts, rank) values ('integrity-check', 1)")
  close()
})

test('a program with another definition of the derived tables recreates and refills them', () => {
  const file = join(folder, 'portal.sqlite')
  const old = openDatabase(file)
  old.sqlite.exec(`
    drop trigger payments_revenue_added;
    insert into users (id, email, email_key, password_hash, first_name, last_name, role, created_at, updated_at)
    values ('u', 'a@b.c', 'a@b.c', '', '', '', 'tenant', '', '');
    insert into payments (id, user_id, type, method, status, amount_cents, created_at, paid_at)
    values ('p', 'u', 'rent', 'manual', 'succeeded', 5000, '2026-03-01', '2026-03-01');
    pragma user_version = 1;
  `)
  old.close()

  const { sqlite, close } = openDatabase(file)
  const revenue = () => sqlite.prepare('select month, amount_cents from revenue_months').raw().all()
  expect(revenue()).toEqual([['2026-03', 5000]])
  sqlite.exec("update payments set amount_cents = 6000 where id = 'p'")
  expect(revenue()).toEqual([['2026-03', 6000]])
  close()
})
