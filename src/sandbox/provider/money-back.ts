import type Stripe from 'stripe'
import { ApiError, noSuch } from './api-error.ts'
import { buildDispute, buildRefund } from './charge-objects.ts'
import { emit, nowSeconds, type SandboxContext } from './events.ts'
import type { RefundParams } from './params.ts'

/** Refunds all that is left, or a part of it. @throws ApiError for more than is left, or a disputed charge */
export function createRefund(context: SandboxContext, params: RefundParams): Stripe.Refund {
  const charge = chargeToRefund(context, params)
  const left = charge.amount_captured - charge.amount_refunded
  const amount = params.amount ?? left
  if (charge.status !== 'succeeded') {
    throw new ApiError(`Charge ${charge.id} has not been paid; it cannot be refunded.`, {
      code: 'charge_not_refundable',
    })
  }
  if (isWithdrawn(context, charge)) {
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
    created: nowSeconds(context),
    metadata: params.metadata,
    reason: params.reason ?? null,
  })
  const refunded = charge.amount_refunded + amount
  const after = { ...charge, amount_refunded: refunded, refunded: refunded === charge.amount_captured }
  context.store.insert(refund)
  context.store.save(after)
  emit(context, 'refund.created', refund)
  emit(context, 'charge.refunded', after)
  // The refund reaches the card network later; only then does the provider name the network's reference.
  const { card } = refund.destination_details ?? {}
  if (card) {
    const destination = { ...card, reference: refund.id.slice(-11), reference_status: 'available' }
    const settled = { ...refund, destination_details: { card: destination, type: 'card' } }
    context.store.save(settled)
    emit(context, 'refund.updated', settled)
  }
  return refund
}

/** The payer's bank takes the money back, until the dispute is closed. */
export function openDispute(
  context: SandboxContext,
  chargeId: string,
  { amount, reason = 'fraudulent' }: { amount?: number; reason?: string } = {},
): Stripe.Dispute {
  const charge = findCharge(context, chargeId)
  const left = charge.amount_captured - charge.amount_refunded
  const disputed = amount ?? left
  if (charge.disputed) throw new ApiError(`Charge ${charge.id} has been disputed before.`)
  if (!(disputed > 0 && disputed <= left)) throw new ApiError(`Charge ${charge.id} has nothing to dispute.`)
  const dispute = buildDispute(charge, disputed, { created: nowSeconds(context), reason })
  context.store.insert(dispute)
  context.store.save({ ...charge, disputed: true })
  emit(context, 'charge.dispute.created', dispute)
  emit(context, 'charge.dispute.funds_withdrawn', dispute)
  return dispute
}

export function closeDispute(
  context: SandboxContext,
  disputeId: string,
  status: 'won' | 'lost',
): Stripe.Dispute {
  const dispute = context.store.find('dispute', disputeId)
  if (!dispute) throw noSuch('dispute', disputeId, 'dispute')
  if (!isOpen(dispute)) throw new ApiError(`Dispute ${disputeId} is closed already (${dispute.status}).`)
  const closed: Stripe.Dispute = { ...dispute, is_charge_refundable: status === 'won', status }
  context.store.save(closed)
  emit(context, 'charge.dispute.closed', closed)
  if (status === 'won') emit(context, 'charge.dispute.funds_reinstated', closed)
  return closed
}

/** Cents of a charge that its payer's bank holds or has kept. */
export function withdrawnCents(context: SandboxContext, charge: Stripe.Charge): number {
  return context.store
    .list('dispute', { charge: charge.id }, { limit: 100 })
    .data.filter(dispute => isOpen(dispute) || dispute.status === 'lost')
    .reduce((sum, dispute) => sum + dispute.amount, 0)
}

function isWithdrawn(context: SandboxContext, charge: Stripe.Charge): boolean {
  return charge.disputed && withdrawnCents(context, charge) > 0
}

function isOpen(dispute: Stripe.Dispute): boolean {
  return dispute.status === 'needs_response'
}

function chargeToRefund(context: SandboxContext, params: RefundParams): Stripe.Charge {
  if (params.charge) return findCharge(context, params.charge)
  if (!params.payment_intent) {
    throw new ApiError(
      'One of the following params should be provided for this request: payment_intent or charge.',
    )
  }
  const intent = context.store.find('payment_intent', params.payment_intent)
  if (!intent) throw noSuch('payment_intent', params.payment_intent, 'payment_intent')
  if (intent.status !== 'succeeded') {
    throw new ApiError(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
      code: 'payment_intent_unexpected_state',
    })
  }
  return findCharge(context, String(intent.latest_charge))
}

function findCharge(context: SandboxContext, id: string): Stripe.Charge {
  const charge = context.store.find('charge', id)
  if (!charge) throw noSuch('charge', id, 'charge')
  return charge
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}
