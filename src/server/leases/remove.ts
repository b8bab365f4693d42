import { and, count, eq, gt, isNull, notInArray } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { events, leases, payments } from '../../../db/schema.ts'
import type { Admin, SignedIn } from '../../domain/accounts/access.ts'
import { isBooked } from '../../domain/bookings/application-status.ts'
import { dateIn } from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import { addendumMessages } from '../../domain/leases/addendum.ts'
import { leaseMessages, tenantRemovalError } from '../../domain/leases/lease.ts'
import { dueDateOf } from '../../domain/money/payment-plan.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { openConflictsOf, reopenExtendedConflicts, updateConflicts } from '../bookings/calendars/conflicts.ts'
import {
  dueSince,
  getApplicationRecord,
  type LeaseRow,
  type OwnApplication,
  requestedStay,
} from '../bookings/records.ts'
import { clearTerms } from '../bookings/terms.ts'
import { assertFree } from '../bookings/who-may-book.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../kernel/deps.ts'
import { markFileRemoved } from '../kernel/files/stored-file.ts'
import { removeLeaseCharges } from '../money/lease-charges.ts'
import { liveInstallments, planOf } from '../money/records.ts'
import { removePlan } from '../money/write-plan.ts'
import { currentSite } from '../site/content/published.ts'
import { closeAddenda } from './addenda/close.ts'
import { hasSignedAddendum } from './addenda/records.ts'
import { setSignature } from './records.ts'
import { voidSigning } from './signing/void.ts'

/**
 * Removes the signature, so that the lease can be signed again; the file is kept.
 * @throws AppError not_found; forbidden for the administrator without a step-up; forbidden and conflict for a tenant, see `removalError`
 */
export async function removeSignedLease(deps: Deps, actor: SignedIn, applicationId: string): Promise<void> {
  await deps.write(tx => {
    const record = getApplicationRecord(tx, actor, applicationId)
    const { lease } = record
    if (hasSignedAddendum(tx, applicationId)) throw new AppError('conflict', addendumMessages.hasSigned)
    if (!lease?.fileId) throw new AppError('not_found', leaseMessages.noSignedLease)
    const problem = actor.role === 'tenant' ? removalError(deps, tx, record) : undefined
    if (problem) throw new AppError(problem.code, problem.message)
    removeSignature(deps, tx, actor, lease)
    closeAddenda(deps, tx, actor, applicationId)
    updateConflicts(deps, tx)
  })
}

/** Why the tenant may not remove the signed lease of this application, or undefined. */
export function removalError(deps: Deps, db: Db, { application, lease }: OwnApplication) {
  const { companyName, timeZone } = currentSite(deps)
  const today = todayAt(deps)
  const signedAt = dueSince(lease)
  const signedOn = signedAt && dateIn(new Date(signedAt), timeZone)
  const planned = liveInstallments(db, application.id).filter(({ amountCents }) => amountCents > 0)
  // Without a payment plan the rent is due before the first day of the term.
  const dueDates = planOf(db, application.id)
    ? planned.map(row => dueDateOf(row, signedOn))
    : [lease?.startDate ?? null]
  const isDue = dueDates.some(date => date !== null && date <= today)
  return tenantRemovalError({
    status: application.status,
    signedBy: lease?.signedBy ?? null,
    askCompany:
      isDue || hasPaid(db, application.id) || tenantRemovals(db, application.id) >= maxTenantRemovals
        ? companyName
        : undefined,
  })
}

/** Every removed scan is kept, so that a tenant could otherwise fill the disk. */
const maxTenantRemovals = 10

function tenantRemovals(db: Db, applicationId: string): number {
  const { actorRole, kind, subjectId } = events
  const byTenant = and(eq(subjectId, applicationId), eq(kind, 'lease.removed'), eq(actorRole, 'tenant'))
  return db.select({ count: count() }).from(events).where(byTenant).get()?.count ?? 0
}

/** Whether money was paid or is on its way, also if it went back later. */
function hasPaid(db: Db, applicationId: string): boolean {
  const found = db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.applicationId, applicationId),
        isNull(payments.voidedAt),
        notInArray(payments.status, ['pending', 'failed', 'canceled']),
        gt(payments.amountCents, 0),
      ),
    )
    .limit(1)
    .get()
  return found !== undefined
}

/**
 * Voids the lease and its signature, and removes its payment plan; the stay returns to the requested dates.
 * @throws AppError not_found without a lease; forbidden for a signed one without a step-up; conflict if another booking has the requested dates
 */
export async function deleteLease(deps: Deps, actor: Admin, applicationId: string): Promise<void> {
  await deps.write(tx => {
    const { application, lease } = getApplicationRecord(tx, actor, applicationId)
    if (!lease) throw new AppError('not_found', leaseMessages.notGenerated)
    if (isBooked(application.status)) assertFree(deps, tx, requestedStay(application), applicationId)
    if (lease.fileId !== null) removeSignature(deps, tx, actor, lease)
    voidSigning(deps, tx, actor, { applicationId }, 'The lease was deleted.', { alsoComplete: true })
    const conflicts = openConflictsOf(deps, tx)
    const at = nowIso(deps)
    closeAddenda(deps, tx, actor, applicationId, { signed: true })
    tx.update(leases).set({ voidedAt: at }).where(eq(leases.id, lease.id)).run()
    clearTerms(tx, applicationId)
    removePlan(tx, at, actor, applicationId)
    removeLeaseCharges(deps, tx, at, applicationId)
    recordEvent(tx, at, actor, 'lease.deleted', applicationId, {
      leaseTextSha256: lease.textSha256,
      leaseStartDate: lease.startDate,
      leaseEndDate: lease.endDate,
      rentCents: lease.rentCents,
      depositCents: lease.depositCents,
    })
    reopenExtendedConflicts(tx, conflicts, updateConflicts(deps, tx))
  })
}

/** The administrator could put another lease in its place, so that this requires a step-up (FIX-32). */
function removeSignature(deps: Deps, tx: Tx, actor: SignedIn, lease: LeaseRow): void {
  if (actor.role === 'admin') requireStepUp(deps, tx, actor)
  const at = nowIso(deps)
  const { applicationId, fileId, signedBy } = lease
  const why = 'The signed lease was removed.'
  voidSigning(deps, tx, actor, { leaseId: lease.id }, why, { alsoComplete: true })
  if (fileId !== null) markFileRemoved(tx, at, fileId)
  setSignature(tx, at, lease, null)
  recordEvent(tx, at, actor, 'lease.removed', applicationId, { fileId, signedBy })
}
