import { and, asc, count, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { applications } from '../../../db/schema.ts'
import {
  type ApplicationQuery,
  type ApplicationSort,
  maxUnpaged,
} from '../../domain/bookings/application-query.ts'
import { endedStatuses } from '../../domain/bookings/application-status.ts'
import { bareNumber } from '../../domain/common/phone.ts'
import { selectRecords } from '../bookings/records.ts'
import { type Deps, todayAt } from '../kernel/deps.ts'
import { isNotTrial } from '../kernel/trial.ts'
import { type ListedApplication, presentWithNextSteps } from './next-steps.ts'
import type { ApplicationCounts } from './views.ts'

export type ApplicationPage = { applications: ListedApplication[]; total?: number; hasMore?: boolean }

/**
 * Submitted applications for the admin's table: a page with the total, or without `page` the first `maxUnpaged`.
 * `hasMore` means that the list was truncated.
 */
export function listApplications(deps: Deps, query: ApplicationQuery): ApplicationPage {
  const { db } = deps
  const { page } = query
  const { order, where } = conditionsOf(deps, query)
  if (page === undefined) {
    const rows = selectRecords(db)
      .where(where)
      .orderBy(...order)
      .limit(maxUnpaged + 1)
      .all()
    const found = { applications: presentWithNextSteps(deps, rows.slice(0, maxUnpaged)) }
    return rows.length > maxUnpaged ? { ...found, hasMore: true } : found
  }
  const { ids, total } = rowsOnPage(deps, query, page)
  const rows = selectRecords(db)
    .where(inArray(rowId, ids))
    .orderBy(...order)
  return { applications: presentWithNextSteps(deps, rows.all()), total, hasMore: false }
}

/** The row ids of a page, and how many rows match. A search reads all rows anyway, so one query counts them too. */
function rowsOnPage(deps: Deps, query: ApplicationQuery, page: number): { ids: number[]; total: number } {
  const { order, where } = conditionsOf(deps, query)
  const { limit, search } = query
  const found = deps.db
    .select({ rowId, total: search === '' ? sql<null>`null` : sql<number>`count(*) over ()` })
    .from(applications)
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .offset((page - 1) * limit)
    .all()
  return { ids: found.map(row => row.rowId), total: found[0]?.total ?? countWhere(deps.db, where) }
}

function conditionsOf(deps: Deps, query: ApplicationQuery): { where: SQL | undefined; order: SQL[] } {
  const where = and(
    listed,
    query.status ? eq(applications.status, query.status) : undefined,
    query.search === '' ? undefined : or(...searchTexts(query.search).map(contains)),
  )
  if (query.sort === 'upcoming') return { where, order: upcomingFirst(deps) }
  return { where, order: [...sortColumns[query.sort], rowId].map(query.order === 'asc' ? asc : desc) }
}

/** Stays that are not over by arrival, then the others, newest first (LOOK-83). */
function upcomingFirst(deps: Deps): SQL[] {
  const { status, stayEndDate, stayStartDate } = applications
  const today = todayAt(deps)
  const isOver = sql`(${inArray(status, [...endedStatuses])} or ${stayEndDate} <= ${today})`
  return [isOver, sql`iif(${isOver}, null, ${stayStartDate})`, desc(stayStartDate), desc(rowId)]
}

/** The typed text, and its digits if it looks like a phone number. */
function searchTexts(search: string): string[] {
  const bare = bareNumber(search)
  const isPhone = /^\+?\d{3,}$/.test(bare)
  return [search, ...(isPhone ? [bare.replace(/^\+1(?=\d{10}$)/, '')] : [])]
}

/** Whether name, email, number or phone, as typed or its digits, contains the text, in upper or lower case. */
function contains(text: string): SQL {
  const { email, firstName, lastName, number, phone } = applications
  const bare = sql`replace(replace(replace(replace(${phone}, ' ', ''), '-', ''), '(', ''), ')', '')`
  const fields = sql`${firstName} || ' ' || ${lastName} || char(10) || ${email} || char(10) || ${number} || char(10) || ${phone} || char(10) || ${bare}`
  // SQLite's own lower() is faster, but it only knows A to Z.
  const lower = sql.raw(/^[\x20-\x7e]*$/.test(text) ? 'lower' : 'lower_case')
  return sql`instr(${lower}(${fields}), ${text.toLowerCase()})`
}

/** How many submitted applications there are, by status; without the owner's trials. */
export function countApplications({ db }: Deps): ApplicationCounts {
  const counts: ApplicationCounts = { total: 0, pending: 0, approved: 0, rejected: 0, completed: 0 }
  const rows = db
    .select({ status: applications.status, count: sql<number>`count(*)` })
    .from(applications)
    .where(and(listed, isNotTrial(applications.userId)))
    .groupBy(applications.status)
    .all()
  for (const { status, count } of rows) {
    if (status !== 'draft') counts[status] = count
    counts.total += count
  }
  return counts
}

/** Excludes drafts, also withdrawn drafts. The partial indexes have the same condition. */
const listed = and(isNull(applications.deletedAt), isNotNull(applications.submittedAt))

const rowId = sql<number>`${applications}.rowid`

const sortColumns: Record<Exclude<ApplicationSort, 'upcoming'>, SQL[]> = {
  createdAt: [sql`${applications.createdAt}`],
  firstName: [sql`${applications.firstName} collate nocase`],
  status: [sql`${applications.status}`, sql`${applications.createdAt}`],
  totalAmount: [sql`${applications.totalCents}`],
}

function countWhere(db: Db, where: SQL | undefined): number {
  return db.select({ count: count() }).from(applications).where(where).get()?.count ?? 0
}
