import { and, type Column, count, desc, eq, getTableColumns, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import type { Db } from '../../../../db/open.ts'
import { type contentVersions, users, type wordings } from '../../../../db/schema.ts'
import { versionPageSize } from '../../../domain/content/wording.ts'
import { sha256 } from '../../lib/sha256.ts'

// What every document with versions shares: its history, its bodies with their hashes, and who saved it.

/** The user who saved a version. */
export const personView = z.strictObject({ id: z.string(), name: z.string() })
export type PersonView = z.infer<typeof personView>

/** The people with these ids, by id: their name, or their email if they have no name. */
export function readPeople(db: Db, ids: readonly string[]): ReadonlyMap<string, PersonView> {
  const { email, firstName, id, lastName } = users
  const found = db
    .select({ id, email, firstName, lastName })
    .from(users)
    .where(inArray(id, [...new Set(ids)]))
    .all()
  return new Map(
    found.map(user => [
      user.id,
      { id: user.id, name: `${user.firstName} ${user.lastName}`.trim() || user.email },
    ]),
  )
}

/** A body as it is stored; null refers to the shipped document. */
type StoredBody = { body: string | null; sha256: string }

export function toStoredBody<Body extends string | null>(body: Body): { body: Body; sha256: string } {
  return { body, sha256: sha256(body ?? '') }
}

/** The body of a row; undefined if it is damaged: a wrong hash or invalid JSON. */
export function readStoredBody({ body, sha256: stored }: StoredBody): unknown {
  if (sha256(body ?? '') !== stored) return undefined
  try {
    return JSON.parse(body ?? 'null')
  } catch {
    return undefined
  }
}

/**
 * The saved versions in a table, newest first.
 * @param number the column with the number of a version
 * @param of which rows of the table belong to the document
 */
export function historyOf<Table extends typeof contentVersions | typeof wordings>(
  table: Table,
  number: Column,
  of?: SQL,
) {
  type Row = Table['$inferSelect']
  const select = (db: Db, where?: SQL) =>
    db
      .select()
      .from(table as SQLiteTable)
      .where(and(of, where))
      .orderBy(desc(number))
  return {
    /** The newest version, or the newest of those that `where` selects. */
    newest: (db: Db, where?: SQL) => select(db, where).limit(1).get() as Row | undefined,
    /** The newest version before this one. */
    before: (db: Db, version: number) => select(db, lt(number, version)).limit(1).get() as Row | undefined,
    find: (db: Db, version: number) => select(db, eq(number, version)).get() as Row | undefined,
    /** A page of versions, with empty bodies, and how many there are in all (FIX-35). */
    page: (db: Db, page: number) => ({
      rows: db
        .select({ ...getTableColumns(table as SQLiteTable), body: sql`iif(${table.body} is null, null, '')` })
        .from(table as SQLiteTable)
        .where(of)
        .orderBy(desc(number))
        .limit(versionPageSize)
        .offset((page - 1) * versionPageSize)
        .all() as Row[],
      total:
        db
          .select({ total: count() })
          .from(table as SQLiteTable)
          .where(of)
          .get()?.total ?? 0,
    }),
  }
}
