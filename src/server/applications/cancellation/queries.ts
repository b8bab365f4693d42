import type { Admin, SignedIn } from '../../../domain/accounts/access.ts'
import type { ByHandForm, CancellationForm, CancellationSide } from '../../../domain/bookings/cancellation.ts'
import { codeShown } from '../../arrival/code-tasks.ts'
import { getApplicationRecord, getSubmittedApplication } from '../../bookings/records.ts'
import { presentForAdmin } from '../../bookings/views.ts'
import type { Deps } from '../../kernel/deps.ts'
import { refundByHand, retryRefund } from '../../money/payments/returns/owner-legs.ts'
import { cancelStay } from './cancel.ts'
import { findCancellation, proposalOf } from './records.ts'
import { cancellationOf, toProposalView, toRefundView } from './views.ts'

/**
 * The newest cancellation of an application, and what would be refunded now. The tenant's policy applies while a request
 * waits and for the tenant, otherwise the owner's. @throws AppError not_found
 */
export function showCancellation(
  deps: Deps,
  actor: SignedIn,
  applicationId: string,
  side?: CancellationSide,
) {
  const { db } = deps
  const record = getApplicationRecord(db, actor, applicationId)
  const isTenants = actor.role === 'tenant' || findCancellation(db, applicationId, 'requested')
  const proposal = proposalOf(deps, db, record, side ?? (isTenants ? 'tenant' : 'owner'))
  const cancellation = cancellationOf(deps, applicationId)
  // What the owner wrote when cancelling needed no proof.
  if (cancellation?.keptCents != null && actor.role === 'tenant') cancellation.reason = ''
  return { cancellation, proposal: toProposalView(proposal) }
}

/** After a change. @throws Error where there is none, which a change excludes */
export function changedCancellation(deps: Deps, applicationId: string) {
  const cancellation = cancellationOf(deps, applicationId)
  if (!cancellation) throw new Error('the cancellation that was just written is gone')
  return { cancellation }
}

/** `cancelStay` with what the owner sees of it. @throws AppError like `cancelStay` */
export async function cancelAndShow(deps: Deps, actor: Admin, applicationId: string, form: CancellationForm) {
  await cancelStay(deps, actor, applicationId, form)
  const record = getSubmittedApplication(deps.db, actor, applicationId)
  const application = presentForAdmin(deps.db, record)
  return { application, ...changedCancellation(deps, applicationId), ...codeShown(deps.db, applicationId) }
}

/** @throws AppError like `retryRefund` */
export const retryAndShow = async (deps: Deps, actor: Admin, refundId: string) => ({
  refund: toRefundView(deps.db, await retryRefund(deps, actor, refundId)),
})

/** @throws AppError like `refundByHand` */
export const byHandAndShow = async (deps: Deps, actor: Admin, refundId: string, form: ByHandForm) => ({
  refund: toRefundView(deps.db, await refundByHand(deps, actor, refundId, form)),
})
