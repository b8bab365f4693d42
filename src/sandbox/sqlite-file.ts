import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import SqliteDatabase, { type Database } from 'better-sqlite3'

/** Opens the SQLite file of a sandbox service, or ':memory:'; it is separate from the site's database. */
export function openSqliteFile(file: string, schema: string): Database {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const db = new SqliteDatabase(file)
  if (file !== ':memory:') chmodSync(file, 0o600)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec(schema)
  return db
}
