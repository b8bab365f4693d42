import { and, asc, desc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { applications } from '../../../db/schema.ts'
import type { ApplicationQuery, ApplicationSort } from '../../domain/application-query.ts'
import type { SubmittedStatus } from '../../domain/application-status.ts'
import { bareNumber } from '../../domain/phone.ts'
import type { Deps } from '../deps.ts'
import { type AdminApplicationView, presentForAdmin, selectRecords } from './records.ts'

export type ApplicationPage = { applications: AdminApplicationView[]; total?: number }
export type ApplicationCounts = Record<SubmittedStatus | 'total', number>

/** Submitted applications for the admin's table: all of them, or a page with the total (spec §2, §7). */
export function listApplications({ db }: Deps, query: ApplicationQuery): ApplicationPage {
  const where = and(listed, matches(query))
  const direction = query.order === 'asc' ? asc : desc
  const rows = selectRecords(db)
    .where(where)
    .orderBy(...sortColumns[query.sort].map(direction), direction(sql`${applications}.rowid`))
  if (query.page === undefined) return { applications: rows.all().map(presentForAdmin) }
  const page = rows
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .all()
  const total = db.select({ count: sql<number>`count(*)` }).from(applications).where(where).get()?.count ?? 0
  return { applications: page.map(presentForAdmin), total }
}

/** How many submitted applications there are, by status (spec §2, the dashboard's cards). */
export function countApplications({ db }: Deps): ApplicationCounts {
  const counts: ApplicationCounts = { total: 0, pending: 0, approved: 0, rejected: 0, completed: 0 }
  const rows = db
    .select({ status: applications.status, count: sql<number>`count(*)` })
    .from(applications)
    .where(listed)
    .groupBy(applications.status)
    .all()
  for (const { status, count } of rows) {
    if (status !== 'draft') counts[status] = count
    counts.total += count
  }
  return counts
}

/** Drafts were never submitted, also those that were withdrawn. The partial indexes have the same condition. */
const listed = and(isNull(applications.deletedAt), isNotNull(applications.submittedAt))

const sortColumns: Record<ApplicationSort, SQL[]> = {
  createdAt: [sql`${applications.createdAt}`],
  firstName: [sql`${applications.firstName} collate nocase`],
  status: [sql`${applications.status}`, sql`${applications.createdAt}`],
  totalAmount: [sql`${applications.totalCents}`],
}

function matches({ search, status }: ApplicationQuery): SQL | undefined {
  return and(
    status ? eq(applications.status, status) : undefined,
    search === '' ? undefined : containsText(search),
  )
}

/** By name, e-mail, number, and phone with or without its dashes. */
function containsText(search: string): SQL | undefined {
  const { firstName, lastName, email, phone, number } = applications
  const bare = bareNumber(search)
  const bareColumn = sql`replace(replace(replace(replace(${phone}, ' ', ''), '-', ''), '(', ''), ')', '')`
  return or(
    contains(sql`${firstName} || ' ' || ${lastName}`, search),
    contains(sql`${email}`, search),
    contains(sql`${number}`, search),
    contains(sql`${phone}`, search),
    /^\+?\d+$/.test(bare) ? contains(bareColumn, bare.replace(/^\+1(?=\d{10}$)/, '')) : undefined,
  )
}

function contains(column: SQL, text: string): SQL {
  return sql`${column} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`
}
