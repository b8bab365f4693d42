import { asc, type Column, desc, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { applicationSearch } from '../../../db/schema.ts'
import type { ApplicationQuery, ApplicationSort } from '../../domain/application-query.ts'
import { bareNumber } from '../../domain/phone.ts'

/** So many are counted, sorted and shown page by page: of more that are found, the newest. */
const maxShown = 2500

/** A page of what a search finds in the admin's table. */
export type Found = {
  /** In the query's order. */
  ids: string[]
  /** How many are found with the query's status, at most `maxShown`. */
  total: number
  hasMore: boolean
}

/**
 * Applications by name, e-mail, number, and phone with or without its dashes, from the full-text index. It knows three
 * letters in a row anywhere; one or two letters find what begins with them (ADMDASH-03). Of a search that finds very
 * many only the newest are sorted (by date ascending: the oldest); the time that it takes stays short that way.
 */
export function searchPage(db: Db, query: ApplicationQuery, offset: number): Found {
  const { limit, order, sort } = query
  const direction = order === 'asc' ? asc : desc
  const fromOldest = sort === 'createdAt' && order === 'asc'
  const columns = [...sortColumns[sort], id].map(direction)
  const found = db.get<{ count: number; ids: string }>(sql`
    with found as materialized (
      select rowid from application_fts where application_fts match ${matchOf(query)}
      order by rowid ${sql.raw(fromOldest ? 'asc' : 'desc')} limit ${maxShown + 1}),
    page as (
      select ${applicationId} as id from (select rowid from found limit ${maxShown}) as shown
      cross join ${applicationSearch} on ${id} = shown.rowid
      order by ${sql.join(columns, sql`, `)} limit ${limit} offset ${offset})
    select (select count(*) from found) as count, (select json_group_array(id) from page) as ids`)
  const count = found?.count ?? 0
  const ids: string[] = JSON.parse(found?.ids ?? '[]')
  return { ids, total: Math.min(count, maxShown), hasMore: count > maxShown }
}

/** The ids of all that a search finds, in the query's order. */
export function findMatchingIds(db: Db, query: ApplicationQuery): string[] {
  const columns = [...sortColumns[query.sort], id].map(query.order === 'asc' ? asc : desc)
  const found = db.get<{ ids: string }>(sql`
    select json_group_array(id) as ids from (
      select ${applicationId} as id from application_fts
      cross join ${applicationSearch} on ${id} = application_fts.rowid
      where application_fts match ${matchOf(query)} order by ${sql.join(columns, sql`, `)})`)
  return JSON.parse(found?.ids ?? '[]')
}

/** The ids of all that a search finds, as a subquery. */
export function matchingIdsQuery(query: ApplicationQuery): SQL {
  return sql`(select ${applicationId} from application_fts
    cross join ${applicationSearch} on ${id} = application_fts.rowid where application_fts match ${matchOf(query)})`
}

const { applicationId, createdAt, firstName, id, status, totalCents } = applicationSearch
const sortColumns: Record<ApplicationSort, (SQL | Column)[]> = {
  createdAt: [createdAt],
  firstName: [sql`${firstName} collate nocase`],
  status: [status, createdAt],
  totalAmount: [totalCents],
}

/** The search and its status as a full-text query; three letters of the status are enough to tell it. */
function matchOf({ search, status }: ApplicationQuery): string {
  const terms = termsOf(search).map(parts => `(${parts.map(quoted).join(' AND ')})`)
  const inText = `content : (${terms.join(' OR ')})`
  return status ? `${inText} AND status : ${quoted(status.slice(0, 3))}` : inText
}

/** What is typed, and the digits of what looks like a phone number; each in parts that are all to be found. */
function termsOf(search: string): string[][] {
  const text = search.replaceAll('\0', '')
  const bare = bareNumber(text)
  const isPhone = /^\+?\d{3,}$/.test(bare)
  return [partsOf(text), ...(isPhone ? [[bare.replace(/^\+1(?=\d{10}$)/, '')]] : [])]
}

/** A long e-mail address is found much quicker by its two sides; both with the @, of which an application has one. */
function partsOf(text: string): string[] {
  const [, name, host] = /^([^@]{2,}@)([^@]{2,})$/.exec(text) ?? []
  return name && host ? [name, `@${host}`] : [padded(text)]
}

/** The index has two spaces before each field and one before each word. */
const padded = (text: string): string => text.padStart([...text].length < 3 ? 3 : 0)

/** A text as one term of a full-text query. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
