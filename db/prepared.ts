import { type Placeholder, sql } from 'drizzle-orm'

/** For what is asked all the time: a query that is put together, and prepared by SQLite, once for each database. */
export function prepared<Db extends object, Query>(prepare: (db: Db) => Query): (db: Db) => Query {
  const queries = new WeakMap<object, Query>()
  return db => {
    const known = queries.get(db)
    if (known) return known
    const made = prepare(db)
    queries.set(db, made)
    return made
  }
}

/** A place for each value of a row that is inserted. */
export function placeholders<const Name extends string>(...names: Name[]) {
  const places = names.map(name => [name, sql.placeholder(name)] as [Name, Placeholder])
  return Object.fromEntries(places) as Record<Name, Placeholder>
}
