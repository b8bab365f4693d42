import { ApiError, notFound } from './http.ts'
import { buildDispute, buildRefund, type Charge, type Dispute, type Refund } from './objects.ts'
import type { RefundParams } from './params.ts'
import { emit, nowSeconds, type SandboxContext } from './store.ts'

/** Refunds the remaining amount or a part of it. @throws ApiError for more than that, or if disputes took all of it */
export function createRefund(context: SandboxContext, params: RefundParams): Refund {
  const charge = chargeToRefund(context, params)
  const withdrawn = withdrawnCents(context, charge)
  const left = charge.amount_captured - charge.amount_refunded - withdrawn
  const { amount = left, metadata } = params
  const refuse = (message: string, code?: string, param?: string) => new ApiError(message, { code, param })
  if (!charge.paid)
    throw refuse(`Charge ${charge.id} does not have a successful payment to refund.`, 'charge_not_refundable')
  if (left === 0 && withdrawn > 0)
    throw refuse(`Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed')
  if (left === 0) throw refuse(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded')
  if (amount > left)
    throw refuse(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
      undefined,
      'amount',
    )
  const refund = buildRefund(charge, amount, { created: nowSeconds(context), metadata })
  const refunded = charge.amount_refunded + amount
  const after = { ...charge, amount_refunded: refunded, refunded: refunded === charge.amount_captured }
  context.store.insert(refund)
  context.store.save(after)
  emit(context, 'refund.created', refund)
  emit(context, 'charge.refunded', after)
  // For cards, the real provider sends a second event when the card network has processed the refund.
  if (charge.payment_method_details.type === 'card') emit(context, 'refund.updated', refund)
  return refund
}

/** The card network or the bank sends the money back: the refund has failed after all. */
export function failRefund(context: SandboxContext, refundId: string): Refund {
  const refund = context.store.find('refund', refundId)
  if (refund?.status !== 'succeeded') throw notFound('refund', refundId)
  const charge = findCharge(context, refund.charge)
  const failed = { ...refund, status: 'failed' as const, failure_reason: 'expired_or_canceled_card' }
  context.store.save(failed)
  context.store.save({ ...charge, amount_refunded: charge.amount_refunded - refund.amount, refunded: false })
  emit(context, 'refund.failed', failed)
  return failed
}

/**
 * The payer's bank withdraws the money: for a card the amount, until the dispute is closed, for a bank debit all of it
 * and permanently. An inquiry (`warning_needs_response`) withdraws nothing. A dispute may include what was refunded.
 */
export function openDispute(
  context: SandboxContext,
  chargeId: string,
  { amount, status }: { amount?: number; status?: Dispute['status'] } = {},
): Dispute {
  const charge = findCharge(context, chargeId)
  const left = charge.amount_captured - charge.amount_refunded - withdrawnCents(context, charge)
  const isCard = charge.payment_method_details.type === 'card'
  const disputed = (isCard ? amount : undefined) ?? left
  const isPossible = left > 0 && disputed > 0 && disputed <= charge.amount_captured
  if (!isPossible) throw new ApiError(`Charge ${charge.id} has nothing to dispute.`)
  const built = buildDispute(charge, disputed, nowSeconds(context))
  const dispute = status ? { ...built, status } : built
  context.store.insert(dispute)
  context.store.save({ ...charge, disputed: true })
  emit(context, 'charge.dispute.created', dispute)
  if (!isInquiry(dispute)) emit(context, 'charge.dispute.funds_withdrawn', dispute)
  if (dispute.status === 'lost') emit(context, 'charge.dispute.closed', dispute)
  return dispute
}

/** An inquiry becomes a dispute, or the owner answers a dispute, which the bank then reviews. */
export function advanceDispute(context: SandboxContext, disputeId: string): Dispute {
  const dispute = findOpenDispute(context, disputeId)
  const next = {
    ...dispute,
    status: isInquiry(dispute) ? ('needs_response' as const) : ('under_review' as const),
  }
  context.store.save(next)
  emit(context, 'charge.dispute.updated', next)
  if (isInquiry(dispute)) emit(context, 'charge.dispute.funds_withdrawn', next)
  return next
}

/** Closes a dispute; an inquiry that is won is only closed. */
export function closeDispute(context: SandboxContext, disputeId: string, outcome: 'won' | 'lost'): Dispute {
  const dispute = findOpenDispute(context, disputeId)
  const closed = { ...dispute, status: isInquiry(dispute) ? ('warning_closed' as const) : outcome }
  context.store.save(closed)
  emit(context, 'charge.dispute.closed', closed)
  if (closed.status === 'won') emit(context, 'charge.dispute.funds_reinstated', closed)
  return closed
}

function findOpenDispute(context: SandboxContext, disputeId: string): Dispute {
  const dispute = context.store.find('dispute', disputeId)
  if (!dispute) throw notFound('dispute', disputeId)
  if (!['warning_needs_response', 'needs_response', 'under_review'].includes(dispute.status))
    throw new ApiError(`Dispute ${disputeId} is closed already (${dispute.status}).`)
  return dispute
}

const isInquiry = ({ status }: Dispute) => status.startsWith('warning')

/** Cents of a charge that the payer's bank has withdrawn, temporarily or permanently, without what was refunded. */
export function withdrawnCents(context: SandboxContext, charge: Charge): number {
  const cents = context.store
    .list('dispute', { charge: charge.id }, { limit: 100 })
    .data.filter(dispute => !['won', 'prevented'].includes(dispute.status) && !isInquiry(dispute))
    .reduce((sum, { amount }) => sum + amount, 0)
  return Math.min(cents, charge.amount_captured - charge.amount_refunded)
}

function chargeToRefund(context: SandboxContext, { charge, payment_intent }: RefundParams): Charge {
  if (charge) return findCharge(context, charge)
  if (!payment_intent) {
    const message =
      'One of the following params should be provided for this request: payment_intent or charge.'
    throw new ApiError(message)
  }
  const intent = context.store.find('payment_intent', payment_intent)
  if (!intent?.latest_charge) throw notFound('payment_intent', payment_intent)
  return findCharge(context, intent.latest_charge)
}

function findCharge(context: SandboxContext, id: string): Charge {
  const charge = context.store.find('charge', id)
  if (!charge) throw notFound('charge', id)
  return charge
}

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`
