import type Stripe from 'stripe'
import { ApiError, noSuch } from './api-error.ts'
import { buildDispute, buildRefund } from './charge-objects.ts'
import { type Box, emit, nowSeconds } from './events.ts'
import type { RefundParams } from './params.ts'

/** Refunds all that is left, or a part of it. @throws ApiError for more than is left, or a disputed charge */
export function createRefund(box: Box, params: RefundParams): Stripe.Refund {
  const charge = chargeToRefund(box, params)
  const left = charge.amount_captured - charge.amount_refunded
  const amount = params.amount ?? left
  if (charge.status !== 'succeeded') {
    throw new ApiError(`Charge ${charge.id} has not been paid; it cannot be refunded.`, {
      code: 'charge_not_refundable',
    })
  }
  if (isWithdrawn(box, charge)) {
    throw new ApiError(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  }
  if (left === 0) {
    throw new ApiError(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  if (amount > left) {
    throw new ApiError(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
      { param: 'amount' },
    )
  }
  const refund = buildRefund(charge, amount, {
    created: nowSeconds(box),
    metadata: params.metadata,
    reason: params.reason ?? null,
  })
  const refunded = charge.amount_refunded + amount
  const after = { ...charge, amount_refunded: refunded, refunded: refunded === charge.amount_captured }
  box.store.insert(refund)
  box.store.save(after)
  emit(box, 'refund.created', refund)
  emit(box, 'charge.refunded', after)
  // The refund reaches the card network later; only then does the provider name the network's reference.
  const { card } = refund.destination_details ?? {}
  if (card) {
    const destination = { ...card, reference: refund.id.slice(-11), reference_status: 'available' }
    const settled = { ...refund, destination_details: { card: destination, type: 'card' } }
    box.store.save(settled)
    emit(box, 'refund.updated', settled)
  }
  return refund
}

/** The payer's bank takes the money back, until the dispute is closed. */
export function openDispute(
  box: Box,
  chargeId: string,
  { amount, reason = 'fraudulent' }: { amount?: number; reason?: string } = {},
): Stripe.Dispute {
  const charge = findCharge(box, chargeId)
  const left = charge.amount_captured - charge.amount_refunded
  const disputed = amount ?? left
  if (charge.disputed) throw new ApiError(`Charge ${charge.id} has been disputed before.`)
  if (!(disputed > 0 && disputed <= left)) throw new ApiError(`Charge ${charge.id} has nothing to dispute.`)
  const dispute = buildDispute(charge, disputed, { created: nowSeconds(box), reason })
  box.store.insert(dispute)
  box.store.save({ ...charge, disputed: true })
  emit(box, 'charge.dispute.created', dispute)
  emit(box, 'charge.dispute.funds_withdrawn', dispute)
  return dispute
}

export function closeDispute(box: Box, disputeId: string, status: 'won' | 'lost'): Stripe.Dispute {
  const dispute = box.store.find('dispute', disputeId)
  if (!dispute) throw noSuch('dispute', disputeId, 'dispute')
  if (!isOpen(dispute)) throw new ApiError(`Dispute ${disputeId} is closed already (${dispute.status}).`)
  const closed: Stripe.Dispute = { ...dispute, is_charge_refundable: status === 'won', status }
  box.store.save(closed)
  emit(box, 'charge.dispute.closed', closed)
  if (status === 'won') emit(box, 'charge.dispute.funds_reinstated', closed)
  return closed
}

/** Cents of a charge that its payer's bank holds or has kept. */
export function withdrawnCents(box: Box, charge: Stripe.Charge): number {
  return box.store
    .list('dispute', { charge: charge.id }, { limit: 100 })
    .data.filter(dispute => isOpen(dispute) || dispute.status === 'lost')
    .reduce((sum, dispute) => sum + dispute.amount, 0)
}

function isWithdrawn(box: Box, charge: Stripe.Charge): boolean {
  return charge.disputed && withdrawnCents(box, charge) > 0
}

function isOpen(dispute: Stripe.Dispute): boolean {
  return dispute.status === 'needs_response'
}

function chargeToRefund(box: Box, params: RefundParams): Stripe.Charge {
  if (params.charge) return findCharge(box, params.charge)
  if (!params.payment_intent) {
    throw new ApiError(
      'One of the following params should be provided for this request: payment_intent or charge.',
    )
  }
  const intent = box.store.find('payment_intent', params.payment_intent)
  if (!intent) throw noSuch('payment_intent', params.payment_intent, 'payment_intent')
  if (intent.status !== 'succeeded') {
    throw new ApiError(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
      code: 'payment_intent_unexpected_state',
    })
  }
  return findCharge(box, String(intent.latest_charge))
}

function findCharge(box: Box, id: string): Stripe.Charge {
  const charge = box.store.find('charge', id)
  if (!charge) throw noSuch('charge', id, 'charge')
  return charge
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}
