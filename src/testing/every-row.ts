import { sql } from 'drizzle-orm'
import type { TestApp } from './test-app.ts'

/** Every row of every table as text, by the table's name in SQL. */
export function everyRow({ deps: { db } }: Pick<TestApp, 'deps'>): Record<string, string> {
  const tables = db.all<{ name: string }>(sql`select name from sqlite_master where type = 'table'`)
  return Object.fromEntries(
    tables.map(({ name }) => [name, JSON.stringify(db.all(sql`select * from ${sql.identifier(name)}`))]),
  )
}
