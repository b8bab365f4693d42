import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { addenda, applications, claims, leases, signers, signings } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { formatShortDate } from '../../../domain/common/dates.ts'
import { AppError } from '../../../domain/common/errors.ts'
import {
  type AddendumBody,
  type AddendumState,
  type AddendumTerms,
  addendumMessages,
} from '../../../domain/leases/addendum.ts'
import { getSubmittedApplication, type OwnApplication, selectRecords } from '../../bookings/records.ts'
import { type Deps, todayAt } from '../../kernel/deps.ts'
import { type Document, requireIntact } from '../records.ts'

export type AddendumRow = Pick<Document, 'lease'> & {
  addendum: typeof addenda.$inferSelect
  /** Whether its held nights expired; then it stays expired when the clock goes back (CLAIM-03). */
  isOver: number
  /** Whether everybody signed by an own link, and only the file is missing (SIGNER-11). */
  isFullySigned: number
  /** Whether the tenant signed by link and other signatures are missing. */
  isTenantSigned: number
}
/** An addendum with its application. */
export type Addendum = AddendumRow & Document

const isOver = sql<number>`exists (
  select 1 from ${claims} where ${claims.leaseId} = ${leases.id} and ${claims.endedAs} = 'expired')`

const isTenantSigned = sql<number>`exists (
  select 1 from ${signings} join ${signers} on ${signers.signingId} = ${signings.id}
  where ${signings.leaseId} = ${leases.id} and ${signings.state} = 'open'
  and ${signers.role} = 'tenant' and ${signers.signedAt} is not null)`

const isFullySigned = sql<number>`exists (
  select 1 from ${signings} where ${signings.leaseId} = ${leases.id} and ${signings.state} = 'open' and not exists (
    select 1 from ${signers}
    where ${signers.signingId} = ${signings.id} and ${signers.signedAt} is null and ${signers.removedAt} is null))`

const select = (db: Db) =>
  db
    .select({ lease: leases, addendum: addenda, isFullySigned, isTenantSigned, isOver })
    .from(leases)
    .innerJoin(addenda, eq(addenda.leaseId, leases.id))
    .$dynamic()

/** The addenda of an application, by number. */
export const addendaOf = (db: Db, applicationId: string): AddendumRow[] =>
  select(db).where(eq(leases.applicationId, applicationId)).orderBy(asc(leases.number)).all()

/** All addenda that are neither signed nor closed, also those whose time has run out. */
export const unclosedAddenda = (db: Db): AddendumRow[] =>
  select(db)
    .where(and(isNull(leases.signedAt), isNull(leases.voidedAt)))
    .all()

/** An addendum that the actor may see, with its verified text. @throws AppError not_found; internal for a damaged text */
export function loadAddendum(db: Db, actor: SignedIn, id: string): Addendum {
  const found = findAddendum(db, id)
  getSubmittedApplication(db, actor, found.lease.applicationId)
  return found
}

/**
 * The same for whoever holds a link to sign, also of a booking that is closed to its account.
 * @throws AppError like `loadAddendum`
 */
export function findAddendum(db: Db, id: string): Addendum {
  const found = select(db).where(eq(leases.id, id)).get()
  const ofLease = eq(applications.id, found?.lease.applicationId ?? '')
  const record = found && selectRecords(db).where(ofLease).get()
  if (!found || !record) throw new AppError('not_found', 'Addendum not found')
  requireIntact(found.lease)
  return { ...found, record: record as OwnApplication }
}

export function stateOf(deps: Deps, { addendum, isFullySigned, isOver, lease }: AddendumRow): AddendumState {
  if (addendum.closed) return addendum.closed
  if (lease.voidedAt !== null) return 'voided'
  if (lease.signedAt !== null) return 'signed'
  if (isFullySigned) return 'open'
  return isOver || todayAt(deps) > addendum.validUntil ? 'expired' : 'open'
}

/** @throws AppError conflict unless it can be signed (CHANGE-23, CHANGE-28) */
export function requireOpen(deps: Deps, row: AddendumRow): void {
  const state = stateOf(deps, row)
  if (state === 'expired')
    throw new AppError('conflict', addendumMessages.expired(formatShortDate(row.addendum.validUntil)))
  if (state !== 'open') throw new AppError('conflict', addendumMessages.notOpen)
}

export const bodyOf = ({ addendum }: AddendumRow) => addendum.lines as AddendumBody

/** The terms that an addendum makes. */
export const termsOf = ({ lease }: AddendumRow): AddendumTerms => ({
  startDate: lease.startDate,
  endDate: lease.endDate,
  rentCents: lease.rentCents,
  depositCents: lease.depositCents,
})

/** Also one that all have signed, whose file is being made. */
export const hasSignedAddendum = (db: Db, applicationId: string): boolean =>
  addendaOf(db, applicationId).some(
    ({ isFullySigned, lease }) => lease.voidedAt === null && (isFullySigned || lease.signedAt !== null),
  )
