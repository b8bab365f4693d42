import { sql } from 'drizzle-orm'
import { provenPrefix, type TestApp } from './test-app.ts'

type Rows = Readonly<Record<string, string>>
const latest = new WeakMap<object, { version: string; rows: Rows }>()

/**
 * Every row of every table as JSON, by SQL table name, without the sessions that `app.as` creates. Cached until the
 * next write on this or another connection.
 */
export function everyRow({ deps: { db } }: Pick<TestApp, 'deps'>): Rows {
  const version = JSON.stringify([
    db.get(sql`select total_changes() as changes, (select count(*) from sqlite_master) as objects`),
    db.get(sql`select data_version from pragma_data_version`),
  ])
  const known = latest.get(db)
  if (known?.version === version) return known.rows
  const rows = readRows(db)
  latest.set(db, { version, rows })
  return rows
}

function readRows(db: TestApp['deps']['db']): Rows {
  const tables = db.all<{ name: string }>(sql`select name from sqlite_master where type = 'table'`)
  return Object.fromEntries(
    tables.map(({ name }) => {
      const rows = db.all<{ id?: unknown }>(sql`select * from ${sql.identifier(name)}`)
      return [name, JSON.stringify(rows.filter(({ id }) => !String(id).startsWith(provenPrefix)))]
    }),
  )
}
