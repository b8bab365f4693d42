/**
 * A query that is built and prepared once per database. Building one with Drizzle takes longer than running it, so the
 * few queries that nearly every write repeats use this; all others are plain.
 */
export function preparedQuery<Db extends object, Query>(prepare: (db: Db) => Query): (db: Db) => Query {
  const queries = new WeakMap<object, Query>()
  return db => {
    const query = queries.get(db) ?? prepare(db)
    queries.set(db, query)
    return query
  }
}
