import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { createLru } from '../src/domain/common/lru.ts'
import { projectRoot } from './project-root.ts'
import * as schema from './schema.ts'

export type Sqlite = SqliteDatabase.Database
/** Inside `deps.write`: full access. Must not be used after the callback. */
export type Tx = Omit<BetterSQLite3Database<typeof schema>, 'transaction'>
/** Read only: outside a write, and of functions that read inside and outside. A `Tx` is one too. */
export type Db = Pick<Tx, 'select' | 'selectDistinct' | 'query' | '$count' | 'all' | 'get'>
export type OpenedDatabase = { sqlite: Sqlite; db: Tx; close: () => void }

/** The database is newer than this program, or a migration failed. The data is unchanged. */
export class DatabaseError extends Error {}

/** More than the texts that the program uses often; each takes some ten kilobytes. */
const maxStatements = 300
const oldestSqlite = [3, 51, 3] as const
const migrationsFolder = join(projectRoot, 'db/migrations')
/** The first migrations, 0000 to 0005, still drop their own triggers by name. */
export const migrationsWithTriggers = 6

/**
 * Opens the database: sets pragmas and applies pending migrations, after a snapshot beside the file, unless whoever
 * upgrades has one. `file` may be ':memory:'.
 * @throws DatabaseError when the database is newer than the program or of another one, or a migration fails
 */
export function openDatabase(
  file: string,
  options: { migrationsFolder?: string; hasSnapshot?: boolean } = {},
): OpenedDatabase {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // Only for the owner: SQLite creates its journals with the file mode of the database. A file that exists may be open
    // here already: closing another descriptor of it would drop the locks of this process, and with them its log.
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  }
  const sqlite = new SqliteDatabase(file, { timeout: 50 })
  try {
    requireSqlite(sqlite)
    if (isForeign(sqlite)) throw new DatabaseError(`${file} is the database of another program.`)
    sqlite.pragma('journal_mode = WAL')
    sqlite.pragma('synchronous = FULL')
    sqlite.pragma('busy_timeout = 50')
    sqlite.pragma('trusted_schema = OFF')
    sqlite.pragma(`journal_size_limit = ${64 * 1024 * 1024}`)
    const besideFile = options.hasSnapshot || file === ':memory:' ? undefined : file
    migrate(sqlite, besideFile, options.migrationsFolder ?? migrationsFolder)
    sqlite.pragma('foreign_keys = ON')
    sqlite.function('lower_case', { deterministic: true }, text => String(text).toLowerCase())
  } catch (error) {
    sqlite.close()
    const isNone = error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_NOTADB'
    throw isNone ? new DatabaseError(`${file} is not a database.`) : error
  }
  return { sqlite, db: drizzle(keepStatements(sqlite), { schema }), close: () => sqlite.close() }
}

/** The database for Drizzle, which prepares its few hundred texts again for each query: keeps the last prepared ones. */
function keepStatements(sqlite: Sqlite): Sqlite {
  const kept = createLru<string, { prepared: SqliteDatabase.Statement; rows?: SqliteDatabase.Statement }>(
    maxStatements,
  )
  const prepare = (text: string) => {
    const known = kept.get(text) ?? { prepared: sqlite.prepare(text) }
    kept.set(text, known)
    const { prepared } = known
    const raw = () => {
      known.rows ??= sqlite.prepare(text).raw()
      return known.rows
    }
    return {
      run: (...values: unknown[]) => prepared.run(...values),
      get: (...values: unknown[]) => prepared.get(...values),
      all: (...values: unknown[]) => prepared.all(...values),
      raw,
    }
  }
  return Object.assign(Object.create(sqlite), { prepare })
}

/** Opens an existing database without migrating it, for copies and checks in another process. Waits for locks. */
export function openExisting(file: string, { readonly }: { readonly: boolean }): Sqlite {
  if (!existsSync(file)) throw new DatabaseError(`There is no database at ${file}.`)
  return new SqliteDatabase(file, { readonly, fileMustExist: true, timeout: 10_000 })
}

/** How an existing database compares with this program. */
export function compareSchema(sqlite: Sqlite): 'current' | 'older' | 'newer' | 'foreign' {
  const applied = appliedMigrations(sqlite)
  const newest = readMigrationFiles({ migrationsFolder }).at(-1)?.folderMillis ?? 0
  const last = applied.at(-1)
  if (last === undefined) return 'foreign'
  if (last === newest) return 'current'
  return last > newest ? 'newer' : 'older'
}

/** Copies the database to a file that only its owner can read, and syncs it to disk. Writers are not blocked. */
export function copyDatabase(sqlite: Sqlite, target: string): void {
  closeSync(openSync(target, 'wx', 0o600))
  sqlite.prepare('VACUUM INTO ?').run(target)
  // SQLite does not sync the copy.
  const copy = openSync(target, 'r')
  fsyncSync(copy)
  closeSync(copy)
}

function requireSqlite(sqlite: Sqlite): void {
  const version = sqlite.prepare('select sqlite_version()').pluck().get() as string
  const parts = version.split('.').map(Number)
  const difference = oldestSqlite.map((part, i) => (parts[i] ?? 0) - part).find(d => d !== 0) ?? 0
  if (difference < 0)
    throw new DatabaseError(`SQLite ${version} is too old: ${oldestSqlite.join('.')} or newer is needed.`)
}

/**
 * Applies pending migrations. Foreign keys are off during the migrations,
 * because rebuilding a parent table would empty its child tables; they are checked before the commit.
 */
function migrate(sqlite: Sqlite, besideFile: string | undefined, folder: string): void {
  const known = readMigrationFiles({ migrationsFolder: folder })
  const applied = appliedMigrations(sqlite)
  const newest = known.at(-1)?.folderMillis ?? 0
  if (applied.some(when => when > newest)) {
    throw new DatabaseError(
      'This database was written by a newer version of the program. Install that version, or restore a backup made before the upgrade.',
    )
  }
  const last = applied.at(-1) ?? 0
  const pending = known.filter(migration => migration.folderMillis > last)
  if (pending.length === 0) return
  if (applied.length > 0 && besideFile !== undefined) snapshot(sqlite, besideFile)

  sqlite.pragma('foreign_keys = OFF')
  sqlite.exec('BEGIN IMMEDIATE')
  try {
    sqlite.exec(
      'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id INTEGER PRIMARY KEY, hash text NOT NULL, created_at numeric)',
    )
    for (const migration of pending) {
      if (known.indexOf(migration) >= migrationsWithTriggers) dropViewsAndTriggers(sqlite)
      for (const statement of migration.sql) sqlite.exec(statement)
      sqlite
        .prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)')
        .run(migration.hash, migration.folderMillis)
    }
    const broken = sqlite.pragma('foreign_key_check') as unknown[]
    if (broken.length > 0) throw new Error(`${broken.length} rows would have dangling foreign keys`)
    sqlite.exec('COMMIT')
  } catch (error) {
    if (sqlite.inTransaction) sqlite.exec('ROLLBACK')
    throw new DatabaseError(`The upgrade of the database failed; its data are unchanged. ${String(error)}`, {
      cause: error,
    })
  }
}

/** Up to migration 0020, the program added views and triggers, which would keep a migration from rebuilding a table. */
export function dropViewsAndTriggers(sqlite: Sqlite): void {
  const found = sqlite
    .prepare("select type, name from sqlite_master where type in ('trigger', 'view')")
    .all() as { type: string; name: string }[]
  for (const { type, name } of found) sqlite.exec(`DROP ${type} "${name}"`)
}

/** Whether the database has tables but no migration was ever applied to it. */
const isForeign = (sqlite: Sqlite): boolean =>
  appliedMigrations(sqlite).length === 0 &&
  sqlite.prepare("select 1 from sqlite_master where type = 'table'").get() !== undefined

function appliedMigrations(sqlite: Sqlite): number[] {
  const table = sqlite.prepare("select 1 from sqlite_master where name = '__drizzle_migrations'").get()
  if (!table) return []
  return sqlite
    .prepare('select created_at from __drizzle_migrations order by created_at')
    .pluck()
    .all()
    .map(Number)
}

function snapshot(sqlite: Sqlite, file: string): void {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
  copyDatabase(sqlite, `${file}.before-upgrade-${stamp}`)
}
