import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { dropViewsAndTriggers, migrationsWithTriggers } from '../../db/open.ts'
import { projectRoot } from '../../db/project-root.ts'

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
