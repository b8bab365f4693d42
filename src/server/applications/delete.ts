import { eq } from 'drizzle-orm'
import { applications } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import type { ApplicationStatus } from '../../domain/bookings/application-status.ts'
import { codeShown } from '../arrival/code-tasks.ts'
import { endInvitationsTo } from '../auth/accounts/invitations.ts'
import { updateConflicts } from '../bookings/calendars/conflicts.ts'
import { closeClaimsOf, endOverClaims } from '../bookings/claims.ts'
import { getSubmittedApplication } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { closeAddenda } from '../leases/addenda/close.ts'
import { voidSigning } from '../leases/signing/void.ts'
import { withdrawChargeMails } from '../money/later-charges.ts'
import {
  closeCanceledCheckouts,
  requestCancellation,
  unlinkPayments,
} from '../money/payments/checkout/cancel.ts'
import { requireNoLegUnderWay, storeCurrentLegs } from '../money/payments/returns/owner-legs.ts'
import { markHeldPayments, markPaymentsSinceDecline } from '../money/payments/unexpected-payments.ts'
import { closeRequest } from './cancellation/requests.ts'
import { requireStatus } from './set-status.ts'

/**
 * Hides the application and frees its nights; unlinks its payments, closes its open checkouts and ends its invitations.
 * @throws AppError not_found; conflict when `fromStatus` is given and is no longer the status, and while a refund is under
 * way (CHANGE-43)
 */
export async function deleteApplication(
  deps: Deps,
  actor: Admin,
  id: string,
  fromStatus?: ApplicationStatus,
): Promise<{ codeShown?: true }> {
  const canceled = await deps.write(tx => {
    endOverClaims(deps, tx)
    const { application: row } = getSubmittedApplication(tx, actor, id)
    requireStatus(row, fromStatus)
    requireNoLegUnderWay(tx, id)
    storeCurrentLegs(deps, tx, row)
    const at = nowIso(deps)
    closeRequest(tx, actor, at, id)
    tx.update(applications).set({ deletedAt: at, updatedAt: at }).where(eq(applications.id, id)).run()
    const canceled = requestCancellation(tx, at, id)
    // Declining marked the others before, and the owner may have dismissed their notices since.
    if (row.status === 'rejected') markPaymentsSinceDecline(tx, id)
    else markHeldPayments(tx, at, id)
    unlinkPayments(tx, id)
    voidSigning(deps, tx, actor, { applicationId: id }, 'The booking was deleted.')
    endInvitationsTo(tx, at, id)
    withdrawChargeMails(tx, id)
    closeAddenda(deps, tx, actor, id)
    closeClaimsOf(deps, tx, actor, id)
    recordEvent(tx, at, actor, 'application.deleted', id, { number: row.number, status: row.status })
    updateConflicts(deps, tx)
    return canceled
  })
  await closeCanceledCheckouts(deps, canceled)
  return codeShown(deps.db, id)
}
