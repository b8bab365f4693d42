import type SqliteDatabase from 'better-sqlite3'
import { createLru } from '../src/domain/common/lru.ts'

const maxStatements = 300

/**
 * Caches prepared statements by their SQL text, because Drizzle prepares each query again. Callers must run a statement
 * at once and must not iterate over it.
 */
export function withStatementCache(sqlite: SqliteDatabase.Database): SqliteDatabase.Database {
  const statements = createLru<string, SqliteDatabase.Statement>(maxStatements)

  const prepare = (text: string): SqliteDatabase.Statement => {
    const known = statements.get(text)
    const statement = known ?? sqlite.prepare(text)
    if (!known) statements.set(text, statement)
    // Drizzle turns raw mode on where needed and expects objects elsewhere.
    return statement.reader ? statement.raw(false) : statement
  }

  return new Proxy(sqlite, {
    get: (connection, name) => {
      if (name === 'prepare') return prepare
      const value = Reflect.get(connection, name)
      return typeof value === 'function' ? value.bind(connection) : value
    },
  })
}
