import { eq } from 'drizzle-orm'
import { applications } from '../../../db/schema.ts'
import { requireTenant, type SignedIn } from '../../domain/accounts/access.ts'
import { canWithdraw } from '../../domain/bookings/application-status.ts'
import { AppError } from '../../domain/common/errors.ts'
import { notifyOwner } from '../bookings/notifications.ts'
import { getApplicationRecord } from '../bookings/records.ts'
import { type ApplicationView, presentForTenant } from '../bookings/views.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { closeCanceledCheckouts, requestCancellation } from '../money/payments/checkout/cancel.ts'
import { heldCents, markHeldPayments } from '../money/payments/unexpected-payments.ts'

/**
 * Withdraws an application before approval: declines it, closes its open checkouts and, if it was submitted, notifies
 * the owner, also about what was paid.
 * @throws AppError not_found, forbidden for an admin, conflict if it is approved
 */
export async function withdrawApplication(deps: Deps, actor: SignedIn, id: string): Promise<ApplicationView> {
  const tenant = requireTenant(actor)
  let canceled: string[] = []
  const view = await deps.write(tx => {
    const { application: row } = getApplicationRecord(tx, tenant, id)
    if (row.status === 'rejected') return presentForTenant(getApplicationRecord(tx, tenant, id))
    if (!canWithdraw(row.status))
      throw new AppError(
        'conflict',
        'This application is already approved. Please contact us to cancel your stay.',
      )
    const at = nowIso(deps)
    const notes = [row.notes, 'Withdrawn by the applicant'].filter(Boolean).join('\n')
    tx.update(applications)
      .set({ status: 'rejected', notes, updatedAt: at })
      .where(eq(applications.id, id))
      .run()
    canceled = requestCancellation(tx, at, id)
    markHeldPayments(tx, at, id)
    recordEvent(tx, at, tenant, 'application.withdrawn', id, { from: row.status })
    const record = getApplicationRecord(tx, tenant, id)
    const paidCents = heldCents(tx, row)
    if (row.status === 'pending') notifyOwner(deps, tx, at, 'owner-withdrawn', record, { paidCents })
    return presentForTenant(record)
  })
  await closeCanceledCheckouts(deps, canceled)
  return view
}
