import { and, eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Tx } from '../../../../db/open.ts'
import { payments, providerEvents, refunds } from '../../../../db/schema.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { requireProvider } from '../../kernel/payment-provider.ts'
import { findPayment, type PaymentRow } from '../ledger/records.ts'
import { isNotFound, momentOf, requestOptions } from '../stripe.ts'
import { recomputeStatus, reconcileSession, type SessionUpdate, upsertRefund } from './reconcile.ts'

const maxRefundsOfOneCharge = 1000

/**
 * Asks the provider how a checkout stands and settles what it answers; false for a session that it does not know.
 * Rejects when it does not answer.
 */
export async function syncSession(deps: Deps, sessionId: string): Promise<boolean> {
  const { stripe } = requireProvider(deps)
  const session = await stripe.checkout.sessions
    .retrieve(sessionId, { expand: ['payment_intent.latest_charge'] }, requestOptions)
    .catch(error => {
      if (isNotFound(error)) return undefined
      throw error
    })
  if (!session) return false
  await deps.write(tx => {
    const result = reconcileSession(deps, tx, newsOf(deps, session))
    if (result.outcome === 'quarantined') storeQuarantined(deps, tx, session, result.reason)
  })
  return true
}

/** An answer that does not fit is shown to the owner like an event that does not; once. */
function storeQuarantined(deps: Deps, tx: Tx, session: Stripe.Checkout.Session, reason: string): void {
  tx.insert(providerEvents)
    .values({
      id: `asked:${session.id}`,
      type: 'checkout.session',
      receivedAt: nowIso(deps),
      outcome: 'quarantined',
      reason,
      payload: JSON.stringify(session),
    })
    .onConflictDoNothing()
    .run()
}

/** An answer has no time of its own: a card is charged at once, a bank's money has just been seen to arrive. */
function newsOf(deps: Deps, session: Stripe.Checkout.Session): SessionUpdate {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null
  const charge = typeof intent?.latest_charge === 'object' ? intent.latest_charge : null
  const isCard = charge?.payment_method_details?.type === 'card'
  return {
    session,
    occurredAt: charge && isCard ? momentOf(charge.created) : nowIso(deps),
    bankFailed: intent?.status === 'requires_payment_method' || intent?.status === 'canceled',
  }
}

/**
 * The payment that a payment intent belongs to: as known here, else as the provider says, for news that overtake the
 * checkout's own. Undefined for one that is not ours. Rejects when the provider does not answer.
 */
export async function findPaymentOfIntent(deps: Deps, intentId: string): Promise<PaymentRow | undefined> {
  const byIntent = eq(payments.stripePaymentIntentId, intentId)
  const known = deps.db.select().from(payments).where(byIntent).get()
  if (known) return known
  const { stripe } = requireProvider(deps)
  const intent = await stripe.paymentIntents.retrieve(intentId, undefined, requestOptions).catch(error => {
    if (isNotFound(error)) return undefined
    throw error
  })
  const row = intent?.metadata.paymentId ? findPayment(deps.db, intent.metadata.paymentId) : undefined
  if (!intent || !row || row.method !== 'card') return undefined
  // The payment may have been settled while this was asked: then it has this very one.
  if ((row.stripePaymentIntentId ?? intentId) !== intentId) return undefined
  if (intent.amount !== row.amountCents + row.feeCents || intent.currency !== 'usd') return undefined
  return row
}

/** All refunds of a charge or payment intent, as the provider has them now. */
export function fetchRefunds(
  deps: Deps,
  of: { charge: string } | { payment_intent: string },
): Promise<Stripe.Refund[]> {
  const { stripe } = requireProvider(deps)
  return stripe.refunds
    .list({ ...of, limit: 100 }, requestOptions)
    .autoPagingToArray({ limit: maxRefundsOfOneCharge })
}

/** Asks for a payment's refunds and takes them over; forgets requests that are certainly settled by the answer. */
export async function refreshRefunds(deps: Deps, payment: PaymentRow, requestsBefore: string): Promise<void> {
  if (!payment.stripePaymentIntentId) return
  const found = await fetchRefunds(deps, { payment_intent: payment.stripePaymentIntentId })
  await deps.write(tx => {
    for (const refund of found) upsertRefund(tx, payment.id, refund)
    const requested = tx
      .select()
      .from(refunds)
      .where(and(eq(refunds.paymentId, payment.id), eq(refunds.status, 'requested')))
      .all()
    for (const { id, createdAt } of requested)
      if (createdAt < requestsBefore) tx.delete(refunds).where(eq(refunds.id, id)).run()
    const row = findPayment(tx, payment.id)
    if (row) recomputeStatus(tx, row)
  })
}
