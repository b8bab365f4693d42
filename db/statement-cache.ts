import type SqliteDatabase from 'better-sqlite3'
import { createLru } from '../src/domain/lru.ts'

const maxStatements = 300

/**
 * The same connection, whose prepared statements are used again for the same text: Drizzle asks for a new one each
 * time, which takes longer than most of them run. Whoever prepares one runs it at once, and never walks through its
 * rows while it does something else.
 */
export function withStatementCache(sqlite: SqliteDatabase.Database): SqliteDatabase.Database {
  const statements = createLru<string, SqliteDatabase.Statement>(maxStatements)

  const prepare = (text: string): SqliteDatabase.Statement => {
    const known = statements.get(text)
    const statement = known ?? sqlite.prepare(text)
    if (!known) statements.set(text, statement)
    // Drizzle asks for rows as lists only where it wants them so, and takes objects for granted elsewhere.
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
