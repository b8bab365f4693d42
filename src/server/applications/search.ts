import { asc, type Column, desc, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { applicationSearch, applications } from '../../../db/schema.ts'
import type { ApplicationQuery, ApplicationSort } from '../../domain/application-query.ts'
import { bareNumber } from '../../domain/phone.ts'

/** So many are counted and sorted; what finds more is met by a look through the table in its order. */
const mostCounted = 4000

/** What a search finds in the admin's table. */
export type Found = {
  where: SQL
  /** The ids of a page where few are found: looked up and sorted within the search, not in the order of the table. */
  page: ((limit: number, offset: number) => SQL) | undefined
  /** How many are found with the query's status, at most `mostCounted`. */
  total: number
  hasMore: boolean
}

/**
 * Applications by name, e-mail, number, and phone with or without its dashes, from the full-text index. It knows three
 * letters in a row anywhere; one or two letters find what begins with them (ADMDASH-03).
 */
export function searchApplications(db: Db, { order, search, sort, status }: ApplicationQuery): Found {
  const terms = termsOf(search)
  const inText = `content : (${terms.map(quoted).join(' OR ')})`
  // Three letters of the status are enough to tell it, and quick to look up.
  const match = status ? `${inText} AND status : ${quoted(status.slice(0, 3))}` : inText
  const counted = db.get<{ count: number }>(
    sql`select count(*) as count from (
      select 1 from application_fts where application_fts match ${match} limit ${mostCounted + 1})`,
  )
  const count = counted?.count ?? 0
  const isFew = count <= mostCounted
  const { applicationId, content, id } = applicationSearch
  const found = sql`select ${applicationId} from application_fts
    cross join ${applicationSearch} on ${id} = application_fts.rowid where application_fts match ${match}`
  const columns = [...sortColumns[sort], applicationId].map(order === 'asc' ? asc : desc)
  return {
    where: isFew
      ? sql`${applications.id} in (${found})`
      : sql`exists (select 1 from ${applicationSearch} where ${applicationId} = ${applications.id}
          and (${sql.join(
            terms.map(term => contains(content, term)),
            sql` or `,
          )}))`,
    page: isFew
      ? (limit, offset) =>
          sql`(${found} order by ${sql.join(columns, sql`, `)} limit ${limit} offset ${offset})`
      : undefined,
    total: Math.min(count, mostCounted),
    hasMore: !isFew,
  }
}

const { createdAt, firstName, status, totalCents } = applicationSearch
const sortColumns: Record<ApplicationSort, (SQL | Column)[]> = {
  createdAt: [createdAt],
  firstName: [sql`${firstName} collate nocase`],
  status: [status, createdAt],
  totalAmount: [totalCents],
}

/** What is typed, and the digits of what looks like a phone number. */
function termsOf(search: string): string[] {
  const text = search.replaceAll('\0', '')
  const bare = bareNumber(text)
  const isPhone = /^\+?\d{3,}$/.test(bare)
  return [padded(text), ...(isPhone ? [bare.replace(/^\+1(?=\d{10}$)/, '')] : [])]
}

/** The index has two spaces before each field and one before each word. */
const padded = (text: string): string => text.padStart([...text].length < 3 ? 3 : 0)

/** A text as one term of a full-text query. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

function contains(column: typeof applicationSearch.content, text: string): SQL {
  return sql`${column} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`
}
