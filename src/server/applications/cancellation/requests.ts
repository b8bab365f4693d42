import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { cancellations } from '../../../../db/schema.ts'
import { type Admin, requireTenant, type SignedIn, type System } from '../../../domain/accounts/access.ts'
import {
  type CancellationRequest,
  cancellationError,
  cancellationMessages,
} from '../../../domain/bookings/cancellation.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { bookedStayOf, getSubmittedApplication, type OwnApplication } from '../../bookings/records.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { isRefundUnknown } from '../../money/payments/refund.ts'
import { currentSite } from '../../site/content/published.ts'
import { type CancellationRow, findCancellation, proposalOf, tiersOf } from './records.ts'

/**
 * @throws AppError conflict unless the stay is booked and has not begun (CHANGE-04), and while nobody knows whether a refund
 * was made, because the sums count it (CHANGE-09)
 */
export function requireCancellable(deps: Deps, tx: Tx, { application }: OwnApplication): void {
  const stay = bookedStayOf(application)
  const refusal = cancellationError({ status: application.status, stay }, todayAt(deps))
  if (refusal) throw new AppError('conflict', refusal)
  if (isRefundUnknown(deps, tx, application.id))
    throw new AppError('conflict', cancellationMessages.refundUnderWay)
}

/** @throws AppError conflict if the refund differs from the amount the dialog showed (CHANGE-09, CHANGE-10) */
export function requireSeen(proposal: ReturnType<typeof proposalOf>, seenCents: number | undefined): void {
  if (seenCents !== undefined && seenCents !== proposal?.proposedCents)
    throw new AppError('conflict', cancellationMessages.refundChanged)
}

/**
 * The tenant asks to cancel, which changes neither status nor nights (CHANGE-05).
 * @throws AppError forbidden for an admin; not_found; conflict while another one waits, and like `requireCancellable` and
 * `requireSeen`
 */
export function askToCancel(
  deps: Deps,
  actor: SignedIn,
  applicationId: string,
  { reason, seenRefundCents }: CancellationRequest,
) {
  const tenant = requireTenant(actor)
  return deps.write(tx => {
    const record = getSubmittedApplication(tx, tenant, applicationId)
    requireCancellable(deps, tx, record)
    if (findCancellation(tx, applicationId, 'requested'))
      throw new AppError('conflict', cancellationMessages.askedAlready)
    const proposal = proposalOf(deps, tx, record, 'tenant')
    requireSeen(proposal, seenRefundCents)
    const at = nowIso(deps)
    const asked = { requestedAt: at, requestedBy: tenant.userId, receivedOn: todayAt(deps) }
    const row = { ...asked, id: randomUUID(), applicationId, state: 'requested', side: 'tenant' } as const
    tx.insert(cancellations)
      .values({ ...row, reason, policy: tiersOf(tx) })
      .run()
    recordEvent(tx, at, tenant, 'cancellation.requested', applicationId, { reason })
    enqueueMail(tx, at, {
      kind: 'cancellation-requested',
      to: currentSite(deps).ownerEmail,
      replyTo: record.account.email,
      dedupeKey: `cancellation-requested:${row.id}`,
      props: {
        ...bookingOf(record),
        reason,
        phone: record.application.phone,
        ...(proposal && { paidCents: proposal.paidCents, refundCents: proposal.proposedCents }),
      },
    })
  })
}

/** @throws AppError forbidden for an admin; not_found; conflict without a waiting request */
export function takeBackRequest(deps: Deps, actor: SignedIn, applicationId: string) {
  const tenant = requireTenant(actor)
  return deps.write(tx => {
    getSubmittedApplication(tx, tenant, applicationId)
    const { id } = getWaiting(tx, applicationId)
    const at = nowIso(deps)
    tx.update(cancellations).set({ state: 'taken_back', decidedAt: at }).where(eq(cancellations.id, id)).run()
    recordEvent(tx, at, tenant, 'cancellation.taken_back', applicationId)
  })
}

/** Declines a tenant's request to cancel and mails the reason. @throws AppError not_found; conflict if no request is waiting */
export function declineRequest(deps: Deps, actor: Admin, applicationId: string, note: string) {
  return deps.write(tx => {
    const record = getSubmittedApplication(tx, actor, applicationId)
    const { id } = getWaiting(tx, applicationId)
    const at = nowIso(deps)
    closeRequest(tx, actor, at, applicationId, note)
    enqueueMail(tx, at, {
      kind: 'cancellation-declined',
      to: record.account.email,
      dedupeKey: `cancellation-declined:${id}`,
      props: { ...bookingOf(record), note },
    })
  })
}

/** Declines the waiting request, if there is one, also when the application is declined or deleted. */
export function closeRequest(
  tx: Tx,
  actor: Admin | System,
  at: string,
  applicationId: string,
  note = '',
): void {
  const waiting = findCancellation(tx, applicationId, 'requested')
  if (!waiting) return
  tx.update(cancellations)
    .set({ state: 'declined', decidedAt: at, decidedBy: 'userId' in actor ? actor.userId : null, note })
    .where(eq(cancellations.id, waiting.id))
    .run()
  recordEvent(tx, at, actor, 'cancellation.declined', applicationId, { note })
}

function getWaiting(tx: Tx, applicationId: string): CancellationRow {
  const waiting = findCancellation(tx, applicationId, 'requested')
  if (!waiting) throw new AppError('conflict', cancellationMessages.notAsked)
  return waiting
}

/** What the mails about a cancellation say of its booking. */
export const bookingOf = ({ application }: OwnApplication) => {
  const { firstName, id: applicationId, lastName, number: applicationNumber } = application
  const { end: endDate, start: startDate } = bookedStayOf(application)
  const tenantName = `${firstName} ${lastName}`
  return { applicationId, applicationNumber, firstName, tenantName, startDate, endDate }
}
