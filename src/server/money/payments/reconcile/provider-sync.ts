import { and, eq, inArray, not } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Db, Tx } from '../../../../../db/open.ts'
import { payments, providerEvents, refunds } from '../../../../../db/schema.ts'
import { clockToleranceMs } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { requireProvider } from '../../../kernel/payment-provider.ts'
import { checkoutRows, findPayment, type PaymentRow, requireListed, totalOf } from '../records.ts'
import { isAttemptKey, legOfRequest } from '../returns/legs.ts'
import { isNotFound, isoFromUnix, requestOptions } from '../stripe.ts'
import { recomputeStatus, reconcileSession, type SessionUpdate, upsertRefund } from './reconcile.ts'
import { redactBankAccount } from './webhook-schema.ts'

const maxRefundsOfOneCharge = 1000

/** Fetches a checkout session and reconciles it; false for an unknown one. Rejects when the provider does not respond. */
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
    const result = reconcileSession(deps, tx, sessionUpdateOf(deps, session))
    if (result.outcome === 'quarantined')
      setAside(deps, tx, {
        id: `asked:${session.id}`,
        type: 'checkout.session',
        reason: result.reason,
        payload: redactBankAccount(session),
      })
  })
  return true
}

/** `of` is what the owner looks up: the checkout unless given. */
type PaymentTrouble = {
  kind: 'left' | 'refund_left' | 'unknown' | 'refund_failed' | 'removed_won'
  of?: string
  what: string
}

/** Stores a refund; one that fails after it was accepted brings the money back, which nobody else tells the owner. */
export function storeRefund(deps: Deps, tx: Tx, rows: readonly PaymentRow[], refund: Stripe.Refund): void {
  const [row] = rows
  if (!upsertRefund(deps, tx, rows, refund) || !row) return
  // The owner has a notice about the leg of a return.
  if (legOfRequest(tx, refund.metadata?.requestId ?? '')) return
  const statuses = recomputeStatus(tx, row).map(({ row: { status } }) => status)
  if (statuses.includes('returned')) return
  const next = statuses.includes('disputed')
    ? 'The payer’s bank holds the money in a dispute: return it another way only once you have won that.'
    : 'The card provider has the money again, and it counts as paid. Return it another way.'
  setAsidePayment(deps, tx, row, {
    kind: 'refund_failed',
    of: refund.id,
    what: `was to be refunded with ${formatCents(refund.amount)}, but the refund did not go through. ${next}`,
  })
}

type SetAside = Pick<typeof providerEvents.$inferInsert, 'id' | 'type' | 'reason' | 'payload'>

/** Stores what does not fit a payment once, so that the owner sees it like a quarantined event, until it is dismissed. */
export function setAside(deps: Pick<Deps, 'clock'>, tx: Tx, found: SetAside): void {
  tx.insert(providerEvents)
    .values({ ...found, receivedAt: nowIso(deps), outcome: 'quarantined' })
    .onConflictDoNothing()
    .run()
}

/**
 * Tells the owner once about a payment that needs a look at the provider: its checkout is unknown there or stays open in
 * the former account, a refund failed, or a dispute brought back what was removed.
 */
export function setAsidePayment(
  deps: Deps,
  tx: Tx,
  row: PaymentRow,
  { kind, of: id = row.checkoutSessionId ?? row.id, what }: PaymentTrouble,
): void {
  const { application, user } = requireListed(tx, row.id)
  const amount = formatCents(totalOf(checkoutRows(tx, row)))
  const booking = application ? ` for ${application.number}` : ''
  setAside(deps, tx, {
    id: `${kind}:${id}`,
    type: `payment.${kind}`,
    reason: `${user.firstName} ${user.lastName}’s payment of ${amount}${booking} ${what}`,
    payload: '',
  })
}

/** Whether a payment stayed in a former account that is locked, so that its end is never reported here. */
export const isLeft = (db: Db, { checkoutSessionId }: PaymentRow): boolean =>
  db
    .select({ id: providerEvents.id })
    .from(providerEvents)
    .where(eq(providerEvents.id, `left:${checkoutSessionId}`))
    .get() !== undefined

/** A session has no payment time: a card payment uses the charge's, a bank transfer the current time. */
function sessionUpdateOf(deps: Deps, session: Stripe.Checkout.Session): SessionUpdate {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null
  const charge = typeof intent?.latest_charge === 'object' ? intent.latest_charge : null
  const isCard = charge?.payment_method_details?.type === 'card'
  return {
    session,
    occurredAt: charge && isCard ? isoFromUnix(charge.created) : nowIso(deps),
    bankFailed: intent?.status === 'requires_payment_method' || intent?.status === 'canceled',
    failureReason: intent ? failureReasonOf(intent) : undefined,
  }
}

const maxReasonLength = 300

/** Why the bank did not make a payment, in the provider's words; undefined if not given. */
function failureReasonOf({ last_payment_error: error, latest_charge: charge }: Stripe.PaymentIntent) {
  const message = error?.message || (typeof charge === 'object' && charge?.failure_message) || undefined
  return message?.trim().slice(0, maxReasonLength) || undefined
}

/** Fetches the failure reason from the provider. Rejects when it does not respond. */
export async function fetchFailureReason(deps: Deps, intentId: string): Promise<string | undefined> {
  const { stripe } = requireProvider(deps)
  const expand = ['latest_charge']
  return failureReasonOf(await stripe.paymentIntents.retrieve(intentId, { expand }, requestOptions))
}

/**
 * The payment of a payment intent: as stored, or by the intent's metadata for events that arrive before the checkout's.
 * Undefined if it is not ours. Rejects when the provider does not respond.
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
  // The payment may have been reconciled during the request, with this intent.
  if ((row.stripePaymentIntentId ?? intentId) !== intentId) return undefined
  const isSame = intent.amount === totalOf(checkoutRows(deps.db, row)) && intent.currency === 'usd'
  return isSame ? row : undefined
}

/** All current refunds of a charge or payment intent. */
export function fetchRefunds(
  deps: Deps,
  of: { charge: string } | { payment_intent: string },
): Promise<Stripe.Refund[]> {
  const { stripe } = requireProvider(deps)
  return stripe.refunds
    .list({ ...of, limit: 100 }, requestOptions)
    .autoPagingToArray({ limit: maxRefundsOfOneCharge })
}

/** After this time, a refund request that the provider does not list never arrived. */
const refundRequestTtlMs = 15 * 60 * 1000

/** Refunds that may still be made or fail. */
export const refundsUnderWay = inArray(refunds.status, ['requested', 'pending', 'requires_action'])

/**
 * Fetches and stores the refunds of a payment and of what was paid with it. Deletes refund requests that the provider
 * does not list, if they are old or were made while the clock was ahead: they never arrived.
 */
export async function refreshRefunds(deps: Deps, payment: PaymentRow): Promise<void> {
  if (!payment.stripePaymentIntentId) return
  const requestsBefore = new Date(deps.clock.now().getTime() - refundRequestTtlMs).toISOString()
  const found = await fetchRefunds(deps, { payment_intent: payment.stripePaymentIntentId })
  await deps.write(tx => {
    const rows = checkoutRows(tx, payment)
    for (const refund of found) storeRefund(deps, tx, rows, refund)
    const ahead = new Date(deps.clock.now().getTime() + clockToleranceMs).toISOString()
    const requested = tx
      .select()
      .from(refunds)
      .where(and(eq(refunds.paymentId, payment.id), eq(refunds.status, 'requested'), not(isAttemptKey)))
      .all()
    // One that is ahead of the clock was made while the clock was wrong.
    for (const { id, createdAt } of requested)
      if (createdAt < requestsBefore || createdAt > ahead) tx.delete(refunds).where(eq(refunds.id, id)).run()
    recomputeStatus(tx, payment)
  })
}
