import { and, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { prepared } from '../../../db/prepared.ts'
import { applications, files, payments, users } from '../../../db/schema.ts'
import { canView, type SignedIn } from '../../domain/access.ts'
import type { DateRange } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors.ts'

// The lease's text is long and has calls of its own.
const { leaseText: _, ...columns } = getTableColumns(applications)

const selection = {
  application: columns,
  account: { email: users.email },
  signedFile: { originalName: files.originalName, sizeBytes: files.sizeBytes, createdAt: files.createdAt },
  paymentReceived: sql<number>`exists (
    select 1 from ${payments} where ${payments.applicationId} = ${applications.id}
    and ${payments.status} = 'succeeded' and ${payments.voidedAt} is null and ${payments.amountCents} > 0)`,
}

/** Applications with all that a screen shows of them; add `where`, `orderBy`, `limit`. */
export function selectRecords(db: Db | Tx) {
  return db
    .select(selection)
    .from(applications)
    .innerJoin(users, eq(users.id, applications.userId))
    .leftJoin(files, eq(files.id, applications.signedFileId))
    .$dynamic()
}
export type ApplicationRecord = ReturnType<ReturnType<typeof selectRecords>['all']>[number]
export type ApplicationRow = ApplicationRecord['application']

const recordById = prepared((db: Db | Tx) =>
  selectRecords(db)
    .where(eq(applications.id, sql.placeholder('id')))
    .prepare(),
)
const recordsByUser = prepared((db: Db | Tx) =>
  selectRecords(db)
    .where(and(eq(applications.userId, sql.placeholder('userId')), isNull(applications.deletedAt)))
    .orderBy(desc(applications.createdAt), sql`${applications}.rowid desc`)
    .prepare(),
)

/** The caller's own applications, newest first. */
export function ownRecords(db: Db | Tx, actor: SignedIn): ApplicationRecord[] {
  return recordsByUser(db).all({ userId: actor.userId })
}

/** The application if the actor may see it. @throws AppError not_found for a deleted, unknown or foreign one */
export function loadRecord(db: Db | Tx, actor: SignedIn, id: string): ApplicationRecord {
  const record = recordById(db).get({ id })
  if (!record || record.application.deletedAt !== null || !canView(actor, record.application.userId))
    throw applicationNotFound()
  return record
}

/** As the admin sees it: drafts are their tenants' own. @throws AppError not_found */
export function loadSubmitted(db: Db | Tx, actor: SignedIn, id: string): ApplicationRecord {
  const record = loadRecord(db, actor, id)
  if (record.application.submittedAt === null) throw applicationNotFound()
  return record
}

export const applicationNotFound = () => new AppError('not_found', 'Application not found')

/** The nights that an application takes when it is booked. */
export function stayOf(row: Pick<ApplicationRow, 'stayStartDate' | 'stayEndDate'>): DateRange {
  return { start: row.stayStartDate ?? '', end: row.stayEndDate ?? '' }
}
