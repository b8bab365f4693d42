import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { eq, is, sql } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { beforeEach, expect, test } from 'vitest'
import { databaseBefore } from '../src/testing/old-database.ts'
import { testFolder } from '../src/testing/test-folder.ts'
import { DatabaseError, openDatabase } from './open.ts'
import { projectRoot } from './project-root.ts'
import * as schema from './schema.ts'
import { installationFacts } from './schema.ts'

let folder: string
const file = () => join(folder, 'portal.sqlite')
beforeEach(() => {
  folder = testFolder()
})

/** The project's migrations plus one more, dated a minute later. */
function withMigration(sql: string): string {
  const migrations = join(folder, 'migrations')
  cpSync(join(projectRoot, 'db/migrations'), migrations, { recursive: true })
  mkdirSync(join(migrations, 'meta'), { recursive: true })
  const journalFile = join(migrations, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(journalFile, 'utf8'))
  const last = journal.entries.at(-1)
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 60_000, tag: '9999_next' })
  writeFileSync(journalFile, JSON.stringify(journal))
  writeFileSync(join(migrations, '9999_next.sql'), sql)
  return migrations
}
const snapshots = () => readdirSync(folder).filter(name => name.includes('before-upgrade'))

test('opens a database with WAL, full sync, foreign keys and no trusted schema', () => {
  const { sqlite, close } = openDatabase(file())
  const pragma = (name: string) => sqlite.pragma(name, { simple: true })
  expect([
    pragma('journal_mode'),
    pragma('synchronous'),
    pragma('foreign_keys'),
    pragma('trusted_schema'),
    pragma('busy_timeout'),
  ]).toEqual(['wal', 2, 1, 0, 50])
  close()
})

test('a text that was prepared before is read with new values, in both shapes, and after a change of its table', () => {
  const { db, sqlite, close } = openDatabase(file())
  for (const key of ['a', 'b']) db.insert(installationFacts).values({ key, value: key }).run()
  const query = db.select().from(installationFacts).where(eq(installationFacts.key, 'b'))
  const { sql: text } = query.toSQL()
  const plain = sql.raw(text.replace('?', "'b'"))
  const rows = [{ key: 'b', value: 'b' }]
  expect([query.all(), query.all(), db.all(plain), db.all(plain), db.values(plain), db.all(plain)]).toEqual([
    rows,
    rows,
    rows,
    rows,
    [['b', 'b']],
    rows,
  ])
  expect(db.select().from(installationFacts).where(eq(installationFacts.key, 'a')).get()).toEqual({
    key: 'a',
    value: 'a',
  })
  const everything = () => db.all(sql`select * from settings where key = 'b'`)
  expect(everything()).toEqual(rows)
  sqlite.exec("alter table settings add column more text default 'x'")
  expect(everything()).toEqual([{ key: 'b', value: 'b', more: 'x' }])
  close()
})

test('the migrations make the indexes of the schema: what is unique there is unique in the database', () => {
  const { sqlite, close } = openDatabase(file())
  const made = sqlite
    .prepare(
      `select t.name || '.' || i.name || iif(i."unique", ' unique', '') || iif(i.partial, ' partial', '')
      from sqlite_master t, pragma_index_list(t.name) i where t.type = 'table' and i.origin = 'c' order by 1`,
    )
    .pluck()
    .all()
  close()
  const described = Object.values(schema).flatMap(table => {
    if (!is(table, SQLiteTable)) return []
    const { columns, indexes, name } = getTableConfig(table)
    return [
      ...indexes.map(
        ({ config }) =>
          `${name}.${config.name}${config.unique ? ' unique' : ''}${config.where ? ' partial' : ''}`,
      ),
      ...columns.flatMap(({ isUnique, uniqueName }) => (isUnique ? `${name}.${uniqueName} unique` : [])),
    ]
  })
  expect(made).toContain('applications.applications_request unique')
  expect(made).toEqual(described.sort())
})

test('opening the database again changes nothing and makes no snapshot', () => {
  openDatabase(file()).close()
  openDatabase(file()).close()
  expect(snapshots()).toEqual([])
})

test('a second connection keeps the locks of the first, without which another program deletes its log', () => {
  const { close } = openDatabase(file())
  const { ino } = statSync(file())
  const locks = () =>
    readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .filter(line => line.includes(` ${process.pid} `) && line.includes(`:${ino} `))
      .map(line => line.replace(/^\d+/, ''))
  const before = locks()
  expect(before).toHaveLength(1)
  openDatabase(file()).close()
  expect(locks()).toEqual(before)
  close()
})

test('upgrading first makes a snapshot of the old data that only its owner can read', () => {
  const old = openDatabase(file())
  old.sqlite.exec("insert into settings values ('kept', 'yes')")
  old.close()
  const { sqlite, close } = openDatabase(file(), {
    migrationsFolder: withMigration('ALTER TABLE settings ADD extra text'),
  })
  expect(sqlite.prepare('select key, value, extra from settings').all()).toEqual([
    { key: 'kept', value: 'yes', extra: null },
  ])
  close()
  expect(snapshots()).toHaveLength(1)
  const snapshot = join(folder, snapshots()[0] ?? '')
  expect(statSync(snapshot).mode & 0o777).toBe(0o600)
  const before = openDatabase(snapshot)
  expect(before.sqlite.prepare('select * from settings').all()).toEqual([{ key: 'kept', value: 'yes' }])
  before.close()
})

test('an upgrade removes the views and triggers of earlier programs, and the tables that they filled', () => {
  const file = join(folder, 'portal.sqlite')
  const old = databaseBefore('0021_drop_search_index_and_revenue_sums', file)
  old.exec(`
    create view revenue_by_month as select revenue_month as month from payments;
    create trigger applications_search_removed after delete on applications begin
      delete from application_search where application_id = old.id;
    end;`)
  old.close()
  const { close, sqlite } = openDatabase(file)
  const names = sqlite.prepare('select name from sqlite_master').pluck().all().map(String)
  expect(names).toContain('applications')
  expect(
    names.filter(name => /^(application_(search|fts)|applications_search_|revenue_)/.test(name)),
  ).toEqual([])
  sqlite.exec('delete from applications')
  close()
})

test('a failed upgrade leaves the old data and schema unchanged', () => {
  const old = openDatabase(file())
  old.sqlite.exec("insert into settings values ('kept', 'yes')")
  old.close()
  const broken = withMigration(
    "ALTER TABLE settings ADD extra text;--> statement-breakpoint\nUPDATE settings SET value = 'lost';--> statement-breakpoint\nSELECT no_such_function();",
  )
  expect(() => openDatabase(file(), { migrationsFolder: broken })).toThrow(DatabaseError)
  const { sqlite, close } = openDatabase(file())
  expect(sqlite.prepare('select * from settings').all()).toEqual([{ key: 'kept', value: 'yes' }])
  close()
})

test('rejects an upgrade that would leave dangling foreign keys', () => {
  const old = openDatabase(file())
  old.sqlite.exec(`insert into users (id, email, email_key, password_hash, first_name, last_name, role, created_at, updated_at) values ('u', 'a@b.c', 'a@b.c', '', '', '', 'tenant', '', '');
    insert into sessions (id, user_id, created_at, last_used_at) values ('s', 'u', '', '')`)
  old.close()
  expect(() => openDatabase(file(), { migrationsFolder: withMigration('DELETE FROM users') })).toThrow(
    'rows would have dangling foreign keys',
  )
  const { sqlite, close } = openDatabase(file())
  expect(sqlite.prepare('select count(*) from users').pluck().get()).toBe(1)
  close()
})

test('leaves the database of another program, and a file that is none, as they are', () => {
  const other = new SqliteDatabase(file())
  other.exec('CREATE TABLE t (x)')
  other.close()
  const before = readFileSync(file())
  expect(() => openDatabase(file())).toThrow(DatabaseError)
  expect(readFileSync(file()).equals(before)).toBe(true)
  writeFileSync(file(), 'no database '.repeat(100))
  expect(() => openDatabase(file())).toThrow('is not a database.')
})

test('rejects a database written by a newer program, with a message that says what to do', () => {
  openDatabase(file(), { migrationsFolder: withMigration('ALTER TABLE settings ADD extra text') }).close()
  expect(() => openDatabase(file())).toThrow('written by a newer version')
})
