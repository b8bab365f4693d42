import { sql } from 'drizzle-orm'
import { provenPrefix, type TestApp } from './test-app.ts'

/** Every row of every table as text, by the table's name in SQL, without the sessions of `app.as`. */
export function everyRow({ deps: { db } }: Pick<TestApp, 'deps'>): Record<string, string> {
  const tables = db.all<{ name: string }>(sql`select name from sqlite_master where type = 'table'`)
  return Object.fromEntries(
    tables.map(({ name }) => {
      const rows = db.all<{ id?: unknown }>(sql`select * from ${sql.identifier(name)}`)
      return [name, JSON.stringify(rows.filter(({ id }) => !String(id).startsWith(provenPrefix)))]
    }),
  )
}
