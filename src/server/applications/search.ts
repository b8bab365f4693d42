import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { applicationSearch, applications } from '../../../db/schema.ts'
import type { ApplicationQuery } from '../../domain/application-query.ts'
import { bareNumber } from '../../domain/phone.ts'

/** So many are counted and sorted; what finds more is found by nearly every row of the table in its order. */
const mostCounted = 2000

/** What a search narrows the admin's table by. */
export type Found = {
  where: SQL
  /** Whether so few are found that they are best looked up and sorted, rather than met in the order of the table. */
  isFew: boolean
  /** How many are found with the query's status, at most `mostCounted`. */
  total: number
  hasMore: boolean
}

/**
 * Applications by name, e-mail, number, and phone with or without its dashes, from the full-text index. It knows three
 * letters in a row anywhere; one or two letters find what begins with them (ADMDASH-03).
 */
export function searchApplications(
  db: Db,
  { search, status }: Pick<ApplicationQuery, 'search' | 'status'>,
): Found {
  const terms = termsOf(search)
  const inText = `content : (${terms.map(quoted).join(' OR ')})`
  const match = status ? `${inText} AND status : ${quoted(status.slice(0, 3))}` : inText
  const counted = db.get<{ count: number }>(
    sql`select count(*) as count from (
      select 1 from application_fts where application_fts match ${match} limit ${mostCounted + 1})`,
  )
  const count = counted?.count ?? 0
  const isFew = count <= mostCounted
  const { applicationId, content } = applicationSearch
  return {
    where: isFew
      ? sql`${applications.id} in (select ${applicationId} from application_fts
          cross join ${applicationSearch} on ${applicationSearch.id} = application_fts.rowid
          where application_fts match ${match})`
      : sql`exists (select 1 from ${applicationSearch} where ${applicationId} = ${applications.id}
          and (${sql.join(
            terms.map(term => contains(content, term)),
            sql` or `,
          )}))`,
    isFew,
    total: Math.min(count, mostCounted),
    hasMore: !isFew,
  }
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
