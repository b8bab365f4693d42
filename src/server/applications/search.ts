import { asc, type Column, desc, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { applicationSearch } from '../../../db/schema.ts'
import type { ApplicationSort } from '../../domain/bookings/application-list.ts'
import type { ApplicationQuery } from '../../domain/bookings/application-query.ts'
import { bareNumber } from '../../domain/common/phone.ts'

/** The maximum number of matches that are counted, sorted and paged. */
const maxShown = 2500

/** A page of search results. */
export type SearchPage = {
  /** In the query's order. */
  ids: string[]
  /** Number of matches, at most `maxShown`. */
  total: number
  hasMore: boolean
}

/**
 * Searches name, e-mail, number and phone in the trigram index; one or two letters match the start of a word
 * (ADMDASH-03). Of more than `maxShown` matches only the newest (by date ascending: the oldest) are sorted, for speed.
 */
export function searchPage(db: Db, query: ApplicationQuery, offset: number): SearchPage {
  const { limit, order, sort } = query
  const direction = order === 'asc' ? asc : desc
  const fromOldest = sort === 'createdAt' && order === 'asc'
  const columns = [...sortColumns[sort], id].map(direction)
  const found = db.get<{ count: number; ids: string }>(sql`
    with found as materialized (
      select rowid from application_fts where application_fts match ${ftsQueryOf(query)}
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

/** The ids of all matches, in the query's order. */
export function findMatchingIds(db: Db, query: ApplicationQuery): string[] {
  const columns = [...sortColumns[query.sort], id].map(query.order === 'asc' ? asc : desc)
  const found = db.get<{ ids: string }>(sql`
    select json_group_array(id) as ids from (
      select ${applicationId} as id from application_fts
      cross join ${applicationSearch} on ${id} = application_fts.rowid
      where application_fts match ${ftsQueryOf(query)} order by ${sql.join(columns, sql`, `)})`)
  return JSON.parse(found?.ids ?? '[]')
}

/** A subquery for the ids of all matches. */
export function matchingIdsQuery(query: ApplicationQuery): SQL {
  return sql`(select ${applicationId} from application_fts
    cross join ${applicationSearch} on ${id} = application_fts.rowid where application_fts match ${ftsQueryOf(query)})`
}

const { applicationId, createdAt, firstName, id, status, totalCents } = applicationSearch
const sortColumns: Record<ApplicationSort, (SQL | Column)[]> = {
  createdAt: [createdAt],
  firstName: [sql`${firstName} collate nocase`],
  status: [status, createdAt],
  totalAmount: [totalCents],
}

/** Search text and status as a full-text query; the first three letters identify a status. */
function ftsQueryOf({ search, status }: ApplicationQuery): string {
  const terms = termsOf(search).map(parts => `(${parts.map(quoted).join(' AND ')})`)
  const inText = `content : (${terms.join(' OR ')})`
  return status ? `${inText} AND status : ${quoted(status.slice(0, 3))}` : inText
}

/** The typed text, and its digits if it looks like a phone number; all parts of a term must match. */
function termsOf(search: string): string[][] {
  const text = search.replaceAll('\0', '')
  const bare = bareNumber(text)
  const isPhone = /^\+?\d{3,}$/.test(bare)
  return [partsOf(text), ...(isPhone ? [[bare.replace(/^\+1(?=\d{10}$)/, '')]] : [])]
}

/** Splits an e-mail address at the @, as two short parts are found much faster. */
function partsOf(text: string): string[] {
  const [, name, host] = /^([^@]{2,}@)([^@]{2,})$/.exec(text) ?? []
  return name && host ? [name, `@${host}`] : [padded(text)]
}

/** The index has two spaces before each field and one before each word. */
const padded = (text: string): string => text.padStart([...text].length < 3 ? 3 : 0)

/** A text as one term of a full-text query. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
