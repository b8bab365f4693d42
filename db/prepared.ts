import { type Placeholder, sql } from 'drizzle-orm'

/** A frequent query, built and prepared once per database. */
export function preparedQuery<Db extends object, Query>(prepare: (db: Db) => Query): (db: Db) => Query {
  const queries = new WeakMap<object, Query>()
  return db => {
    const known = queries.get(db)
    if (known) return known
    const made = prepare(db)
    queries.set(db, made)
    return made
  }
}

/** Placeholders for the columns of an insert. */
export function placeholders<const Name extends string>(...names: Name[]) {
  const places = names.map(name => [name, sql.placeholder(name)] as [Name, Placeholder])
  return Object.fromEntries(places) as Record<Name, Placeholder>
}
