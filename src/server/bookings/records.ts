import { and, desc, eq, getTableColumns, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import {
  applications,
  events,
  files,
  leases,
  payments,
  signers,
  signings,
  users,
} from '../../../db/schema.ts'
import { type Admin, canView, type SignedIn } from '../../domain/accounts/access.ts'
import { bookedStatuses } from '../../domain/bookings/application-status.ts'
import type { CalendarDate, DateRange } from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'

// The lease text is long and is loaded separately.
const { text: _, ...leaseColumns } = getTableColumns(leases)

/** Joins an application to its lease in force (not voided). */
export const isLeaseInForce = sql`${leases.applicationId} = ${applications.id} and ${leases.kind} = 'lease' and ${leases.voidedAt} is null`

/**
 * Whether an application is closed to its account: the owner entered it for an email whose mailbox is not proven, so
 * somebody else may have registered the account (FIX-27). Needs a join to the account.
 */
const isClosed = sql<number>`${applications.awaitsMailbox} and ${users.mailboxProvenAt} is null`

const selection = {
  application: getTableColumns(applications),
  lease: leaseColumns,
  account: {
    email: users.email,
    hasPassword: sql<number>`${users.passwordHash} is not null`,
    mailboxProvenAt: users.mailboxProvenAt,
  },
  isClosed,
  /** Whether a lease was ever written, also one that is deleted. */
  hadLease: sql<number>`exists (
    select 1 from ${leases} own where own.application_id = ${applications.id} and own.kind = 'lease')`,
  /** Whether a lease was deleted since the owner last confirmed. */
  lostLease: sql<number | null>`(select ${events.kind} = 'lease.deleted' from ${events}
    where ${events.subjectId} = ${applications.id} and ${events.kind} in ('lease.deleted', 'application.completed')
    order by ${events.id} desc limit 1)`,
  /** How many of those who were invited have signed, whether the tenant has, and who is missing; of nobody without open invitations. */
  signing: sql<string>`(
    select json_object('signed', count(${signers.signedAt}), 'of', count(*),
      'own', count(case ${signers.role} when 'tenant' then ${signers.signedAt} end),
      'missing', group_concat(case when ${signers.signedAt} is null then
        iif(${signers.role} = 'owner', 'you', trim(${signers.firstName} || ' ' || ${signers.lastName})) end, ' and ')) from ${signings}
    join ${signers} on ${signers.signingId} = ${signings.id} and ${signers.removedAt} is null
    where ${signings.leaseId} = ${leases.id} and ${signings.state} = 'open')`,
  signedFile: { originalName: files.originalName, sizeBytes: files.sizeBytes, createdAt: files.createdAt },
  paymentReceived: sql<number>`exists (
    select 1 from ${payments} where ${payments.applicationId} = ${applications.id}
    and ${payments.status} = 'succeeded' and ${payments.voidedAt} is null and ${payments.amountCents} > 0)`,
}

/** Applications with everything that the screens show; add `where`, `orderBy`, `limit`. */
export function selectRecords(db: Db) {
  return db
    .select(selection)
    .from(applications)
    .innerJoin(users, eq(users.id, applications.userId))
    .leftJoin(leases, isLeaseInForce)
    .leftJoin(files, eq(files.id, leases.fileId))
    .$dynamic()
}

export type Signing = { signed: number; of: number; own: number; missing: string | null }
export const signingOf = ({ signing }: Pick<ApplicationRecord, 'signing'>) => JSON.parse(signing) as Signing

export type ApplicationRecord = ReturnType<ReturnType<typeof selectRecords>['all']>[number]
export type ApplicationRow = ApplicationRecord['application']
export type LeaseRow = NonNullable<ApplicationRecord['lease']>

declare const loadedFor: unique symbol
/** An application that was loaded for its tenant or the admin. Commands take only these. */
export type OwnApplication = ApplicationRecord & { readonly [loadedFor]: true }

function selectRow(db: Db, id: string) {
  return db
    .select({ row: getTableColumns(applications), isClosed })
    .from(applications)
    .innerJoin(users, eq(users.id, applications.userId))
    .where(eq(applications.id, id))
    .get()
}

function recordsOfUser(db: Db, userId: string): ApplicationRecord[] {
  return selectRecords(db)
    .where(and(eq(applications.userId, userId), isNull(applications.deletedAt)))
    .orderBy(desc(applications.createdAt), sql`${applications}.rowid desc`)
    .all()
}

/** The caller's own applications, newest first, without those that are closed to them. */
export function listOwnApplications(db: Db, { userId }: SignedIn): OwnApplication[] {
  return recordsOfUser(db, userId).filter(record => record.isClosed === 0) as OwnApplication[]
}

/** A tenant's applications for the admin, newest first. */
export function listApplicationsOf(db: Db, _actor: Admin, userId: string): OwnApplication[] {
  return recordsOfUser(db, userId) as OwnApplication[]
}

/** The application if the actor may see it. @throws AppError not_found if it is deleted, unknown or another tenant's */
export function getApplicationRecord(db: Db, actor: SignedIn, id: string): OwnApplication {
  const record = selectRecords(db).where(eq(applications.id, id)).get()
  if (!record || !mayView(actor, { ...record, row: record.application })) throw applicationNotFound()
  return record as OwnApplication
}

/** Like `getApplicationRecord`, but only the application's row, without lease, account and file. @throws AppError not_found */
export function getApplicationRow(db: Db, actor: SignedIn, id: string): ApplicationRow {
  const found = selectRow(db, id)
  if (!found || !mayView(actor, found)) throw applicationNotFound()
  return found.row
}

/** An application, also a deleted one, whose money stays. @throws AppError not_found */
export function getFormerApplicationRow(db: Db, _actor: Admin, id: string): ApplicationRow {
  const found = selectRow(db, id)
  if (!found) throw applicationNotFound()
  return found.row
}

function mayView(actor: SignedIn, { isClosed, row }: { isClosed: number; row: ApplicationRow }): boolean {
  return row.deletedAt === null && canView(actor, row.userId) && (actor.role === 'admin' || isClosed === 0)
}

/** Whether an application, also a deleted one, is closed to its account. */
export function isClosedToAccount(db: Db, id: string): boolean {
  return selectRow(db, id)?.isClosed === 1
}

/** A submitted application: drafts are private to the tenant. @throws AppError not_found */
export function getSubmittedApplication(db: Db, actor: SignedIn, id: string): OwnApplication {
  const record = getApplicationRecord(db, actor, id)
  if (record.application.submittedAt === null) throw applicationNotFound()
  return record
}

/**
 * Whether a booking has or still needs a lease (STAY-08, LOOK-17). A booking that the owner entered or offered needs
 * none once it was confirmed without a lease, and neither does one that was entered without a lease and owes nothing.
 * The balance is only read if it decides.
 */
export function needsLease(
  { application: { source, status }, hadLease, lease, lostLease }: ApplicationRecord,
  balanceCents: () => number,
): boolean {
  if (lease || source === 'tenant') return true
  if (status === 'completed') return lostLease === 1
  return source !== 'owner' || hadLease === 1 || balanceCents() > 0
}

/** Whether the lease is signed, in the app or by an uploaded scan. */
export const isSigned = (lease: LeaseRow | null): boolean => (lease?.signedAt ?? null) !== null

/**
 * Since when what is owed can be due: the first signature of the agreement, also if it was removed and given again; null
 * while the lease is unsigned (FIX-31). The clock may have been set back in between, also to before the lease was made.
 */
export function dueSince(
  lease: Pick<LeaseRow, 'firstSignedAt' | 'generatedAt' | 'signedAt'> | null,
): string | null {
  if (!lease?.signedAt) return null
  const { firstSignedAt, generatedAt } = lease
  const [, signedAt = ''] = [lease.signedAt, generatedAt].sort()
  return firstSignedAt !== null && firstSignedAt < signedAt ? firstSignedAt : signedAt
}

export const applicationNotFound = () => new AppError('not_found', 'Application not found')

/** Whether an account has a stay that is booked. Anybody can make accounts and apply. */
export function hasBookedStay(db: Db, userId: string): boolean {
  const isOwn = and(eq(applications.userId, userId), isNull(applications.deletedAt), sql`not ${isClosed}`)
  const booked = db
    .select({ id: applications.id })
    .from(applications)
    .innerJoin(users, eq(users.id, applications.userId))
    .where(and(isOwn, inArray(applications.status, [...bookedStatuses])))
  return booked.get() !== undefined
}

/** The nights that an application takes when it is booked. */
export function bookedStayOf({
  stayStartDate,
  stayEndDate,
}: Pick<ApplicationRow, 'stayStartDate' | 'stayEndDate'>): DateRange {
  return { start: stayStartDate, end: stayEndDate }
}

export function requestedStay({ requestedStartDate, requestedEndDate }: ApplicationRow): DateRange {
  return { start: requestedStartDate, end: requestedEndDate }
}

/** Whether the application is completed with a departure before this date, so the guest has stayed (SITE-11). */
export function isPastStay(db: Db, applicationId: string, today: CalendarDate): boolean {
  const { deletedAt, id, status, stayEndDate } = applications
  const found = db
    .select({ id })
    .from(applications)
    .where(and(eq(id, applicationId), eq(status, 'completed'), isNull(deletedAt), lt(stayEndDate, today)))
    .get()
  return found !== undefined
}
