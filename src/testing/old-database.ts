import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { dropViewsAndTriggers, migrationsWithTriggers, openDatabase } from '../../db/open.ts'
import { projectRoot } from '../../db/project-root.ts'
import { afterThisTest } from './cleanups.ts'
import { testFolder } from './test-folder.ts'

const migrationsFolder = join(projectRoot, 'db/migrations')

/** A database with the migrations before the named one. */
export function databaseBefore(tag: string, file: string): SqliteDatabase.Database {
  const { entries } = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8'))
  const count = entries.findIndex((entry: { tag: string }) => entry.tag === tag)
  const sqlite = new SqliteDatabase(file)
  sqlite.exec(
    'CREATE TABLE __drizzle_migrations (id INTEGER PRIMARY KEY, hash text NOT NULL, created_at numeric)',
  )
  const migrations = readMigrationFiles({ migrationsFolder }).slice(0, count)
  for (const [index, { sql, hash, folderMillis }] of migrations.entries()) {
    if (index >= migrationsWithTriggers) dropViewsAndTriggers(sqlite)
    for (const statement of sql) sqlite.exec(statement)
    sqlite
      .prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)')
      .run(hash, folderMillis)
  }
  return sqlite
}

/** An old site for a test of the named migration. */
export function oldSite(tag: string) {
  const folder = testFolder()
  const databaseFile = join(folder, 'portal.sqlite')
  const old = databaseBefore(tag, databaseFile)
  return {
    old,
    store: { databaseFile, uploadsDir: folder },
    /** Inserts a row. What is not given and must not be null is empty. */
    insert: (table: string, given: Record<string, unknown>) => {
      const columns = old.pragma(`table_info(${table})`) as Column[]
      const row = { ...Object.fromEntries(columns.flatMap(emptyOf)), ...given }
      const names = Object.keys(row)
      old.prepare(`insert into ${table} (${names}) values (${names.map(name => `@${name}`)})`).run(row)
    },
    /** Runs the named migration and those after it. */
    upgrade: (): SqliteDatabase.Database => {
      old.close()
      const { close, sqlite } = openDatabase(databaseFile)
      afterThisTest(close)
      return sqlite
    },
  }
}

type Column = { name: string; type: string; notnull: number; dflt_value: string | null; pk: number }

const emptyLists = ['additional_guests']

function emptyOf({ dflt_value, name, notnull, pk, type }: Column): [name: string, value: string | number][] {
  if (notnull === 0 || dflt_value !== null || pk > 0) return []
  return [[name, emptyLists.includes(name) ? '[]' : type.toLowerCase() === 'text' ? '' : 0]]
}
