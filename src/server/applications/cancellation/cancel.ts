import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { applications, cancellations } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { type CancellationForm, cancellationMessages } from '../../../domain/bookings/cancellation.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { sourceLabel } from '../../../domain/money/return-plan.ts'
import { endInvitationsTo } from '../../auth/accounts/invitations.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { updateConflicts } from '../../bookings/calendars/conflicts.ts'
import { closeClaimsOf, endOverClaims } from '../../bookings/claims.ts'
import { getSubmittedApplication } from '../../bookings/records.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { closeAddenda } from '../../leases/addenda/close.ts'
import { voidSigning } from '../../leases/signing/void.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { cancelUnsentMails, enqueueMail } from '../../mail/outbox.ts'
import { cancelCharges } from '../../money/cancelled-charges.ts'
import { closeCanceledCheckouts, requestCancellation } from '../../money/payments/checkout/cancel.ts'
import { withinInvariants } from '../../money/payments/ledger-invariants.ts'
import { findPayment } from '../../money/payments/records.ts'
import { writeLegs } from '../../money/payments/returns/legs.ts'
import { runLegs } from '../../money/payments/returns/run-legs.ts'
import { markHeldPayments } from '../../money/payments/unexpected-payments.ts'
import { findCancellation, proposalOf } from './records.ts'
import { bookingOf, requireCancellable, requireSeen } from './requests.ts'

/** Mails that are not true any more once a stay is cancelled. */
const endedMails = [
  'charge-added',
  'payment-reminder',
  'plan-changed',
  'lease-ready',
  'booking-complete',
  'application-approved',
] as const

/**
 * Cancels a booked stay: frees its nights, voids its charges but for what is kept, and gives the rest back (CHANGE-11). That
 * the provider refuses a refund or does not answer is told by the refunds.
 * @throws AppError forbidden for a refund without a step-up; not_found; bad_request at `refundCents`; conflict where what was
 * paid, or would go back, has changed, and like `requireCancellable`
 */
export async function cancelStay(
  deps: Deps,
  actor: Admin,
  applicationId: string,
  { reason, side, ...wanted }: CancellationForm,
): Promise<void> {
  const { canceled, causeId } = await deps.write(tx => {
    endOverClaims(deps, tx)
    const record = getSubmittedApplication(tx, actor, applicationId)
    requireCancellable(deps, tx, record)
    const proposal = proposalOf(deps, tx, record, side, wanted.refundCents)
    if (!proposal) throw new AppError('conflict', cancellationMessages.notBooked)
    const { depositCents, keptCents, mostCents, onItsWayCents, paidCents, policy, receivedOn, refundCents } =
      proposal
    if (wanted.paidCents !== undefined && wanted.paidCents !== paidCents)
      throw new AppError('conflict', cancellationMessages.paidChanged)
    requireSeen(proposal, wanted.seenRefundCents)
    if (refundCents < depositCents)
      throw fieldError('refundCents', `The deposit of ${formatCents(depositCents)} goes back in any case.`)
    if (refundCents > paidCents)
      throw fieldError('refundCents', `At most ${formatCents(paidCents)} was paid.`)
    if (refundCents > mostCents)
      throw fieldError('refundCents', `At most ${formatCents(mostCents)} is not kept of the deposit.`)
    if (refundCents > 0) requireStepUp(deps, tx, actor)

    const at = nowIso(deps)
    const waiting = findCancellation(tx, applicationId, 'requested')
    const id = waiting?.id ?? randomUUID()
    const row = {
      id,
      applicationId,
      side,
      reason,
      receivedOn,
      policy,
      state: 'cancelled' as const,
      decidedAt: at,
      decidedBy: actor.userId,
      paidCents,
      refundCents,
      keptCents,
    }
    // The tenant's request stays in the audit log with its words.
    tx.insert(cancellations).values(row).onConflictDoUpdate({ target: cancellations.id, set: row }).run()
    tx.update(applications)
      .set({ status: 'cancelled', updatedAt: at })
      .where(eq(applications.id, applicationId))
      .run()
    cancelCharges(tx, at, actor, { applicationId, cancellationId: id, keptCents })
    withinInvariants(tx, record.application.userId, () => {
      for (const { kind, paymentType: _, ...leg } of proposal.refunds)
        writeLegs(deps, tx, actor, { applicationId, cause: 'cancellation', causeId: id, kind, legs: [leg] })
    })
    const canceled = requestCancellation(tx, at, applicationId)
    markHeldPayments(tx, at, applicationId)
    cancelUnsentMails(tx, applicationId, endedMails)
    voidSigning(deps, tx, actor, { applicationId }, 'The stay was cancelled.')
    endInvitationsTo(tx, at, applicationId)
    closeAddenda(deps, tx, actor, applicationId)
    closeClaimsOf(deps, tx, actor, applicationId)
    const detail = { from: record.application.status, side, reason, paidCents, refundCents, keptCents }
    recordEvent(tx, at, actor, 'application.cancelled', applicationId, detail)
    updateConflicts(deps, tx)
    const ways = proposal.refunds.map(({ paymentId, totalCents }): [string, number] => {
      const payment = findPayment(tx, paymentId ?? '')
      return [payment ? sourceLabel(payment) : 'By hand', totalCents]
    })
    enqueueMail(tx, at, {
      kind: 'stay-cancelled',
      to: record.account.email,
      dedupeKey: cancelledMailKey(id),
      props: { ...bookingOf(record), paidCents, refundCents, keptCents, onItsWayCents, ways },
    })
    failpoint('in-cancellation-write')
    return { canceled, causeId: id }
  })
  failpoint('stay-cancelled')
  await closeCanceledCheckouts(deps, canceled)
  await runLegs(deps, { causeId, isNew: true })
}

export const cancelledMailKey = (cancellationId: string): string => `stay-cancelled:${cancellationId}`
