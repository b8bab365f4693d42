import { eq } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { leases } from '../../../db/schema.ts'
import type { Admin, SignedIn } from '../../domain/access.ts'
import { isBooked } from '../../domain/application-status.ts'
import { AppError } from '../../domain/errors.ts'
import { leaseMessages, tenantRemovalProblem } from '../../domain/lease.ts'
import { assertNoOverlap } from '../bookings/nights.ts'
import { type LeaseRow, loadRecord, requestedStay } from '../bookings/records.ts'
import { clearTerms } from '../bookings/terms.ts'
import { updateConflicts } from '../calendars/conflicts.ts'
import { removeLeaseCharges } from '../charges/lease-charges.ts'
import { markFileRemoved } from '../files/stored-file.ts'
import { removePlan } from '../instalments/write-plan.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { setSignature } from './records.ts'

/**
 * Removes the signature, so that the lease can be signed again; the file is kept.
 * @throws AppError not_found; forbidden and conflict for a tenant, see `tenantRemovalProblem`
 */
export async function removeSignedLease(deps: Deps, actor: SignedIn, applicationId: string): Promise<void> {
  await deps.write(tx => {
    const { application, lease } = loadRecord(tx, actor, applicationId)
    if (!lease?.fileId) throw new AppError('not_found', leaseMessages.noSignedLease)
    const { signedBy } = lease
    const problem =
      actor.role === 'tenant' ? tenantRemovalProblem({ status: application.status, signedBy }) : undefined
    if (problem) throw new AppError(problem.code, problem.message)
    removeSignature(deps, tx, actor, lease)
  })
}

/**
 * Voids the lease and its signature, and removes its payment plan; the stay returns to the requested dates.
 * @throws AppError not_found without a lease; conflict if another booking has the requested dates
 */
export async function deleteLease(deps: Deps, actor: Admin, applicationId: string): Promise<void> {
  await deps.write(tx => {
    const { application, lease } = loadRecord(tx, actor, applicationId)
    if (!lease) throw new AppError('not_found', leaseMessages.notGenerated)
    if (isBooked(application.status)) assertNoOverlap(tx, requestedStay(application), applicationId)
    if (lease.fileId !== null) removeSignature(deps, tx, actor, lease)
    const at = nowIso(deps)
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
    updateConflicts(deps, tx)
  })
}

function removeSignature(deps: Deps, tx: Tx, actor: SignedIn, lease: LeaseRow): void {
  const at = nowIso(deps)
  const { applicationId, fileId, signedBy } = lease
  if (fileId !== null) markFileRemoved(tx, at, fileId)
  setSignature(tx, at, lease, null)
  recordEvent(tx, at, actor, 'lease.removed', applicationId, { fileId, signedBy })
}
