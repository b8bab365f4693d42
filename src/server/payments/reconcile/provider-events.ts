import { and, desc, eq, isNull } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Tx } from '../../../../db/open.ts'
import { providerEvents } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/access.ts'
import { AppError } from '../../../domain/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { isLive, requireProvider } from '../../kernel/payment-provider.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { findPayment } from '../ledger/records.ts'
import { fillCardDetails } from '../receipts/card-details.ts'
import { idOf, isNotFound, momentOf, noResponseError } from '../stripe.ts'
import { notifyOwnerOfDispute } from './disputes.ts'
import { fetchRefunds, findPaymentOfIntent } from './provider-sync.ts'
import {
  type Outcome,
  quarantine,
  recomputeStatus,
  reconcileSession,
  upsertDispute,
  upsertRefund,
} from './reconcile.ts'
import { isEvent, isReadable } from './webhook-schema.ts'

const signatureToleranceSeconds = 300

/**
 * Takes one delivery of the webhook: the raw bytes and their signature. Each event is kept by its id with what became
 * of it, once.
 * @throws AppError bad_request for a missing, wrong or stale signature, or what is no event; unavailable when the
 * provider must be asked and does not answer (it will deliver again)
 */
export async function receiveEvent(deps: Deps, body: Buffer, signature: string | undefined): Promise<void> {
  const { stripe, webhookSecret } = requireProvider(deps)
  const now = deps.clock.now().getTime()
  let event: Stripe.Event
  try {
    event = stripe.webhooks.constructEvent(
      body,
      signature ?? '',
      webhookSecret,
      signatureToleranceSeconds,
      undefined,
      now,
    )
  } catch (cause) {
    throw new AppError('bad_request', 'The signature of this event is missing, wrong or too old.', { cause })
  }
  if (!isEvent(event)) throw new AppError('bad_request', 'This event could not be read.')
  if (isKnown(deps.db, event.id)) return
  const apply = await prepare(deps, event).catch(error => {
    throw error instanceof AppError ? error : noResponseError(error)
  })
  const result = await deps.write(tx => {
    if (isKnown(tx, event.id)) return undefined
    const result = apply(tx)
    tx.insert(providerEvents)
      .values({
        id: event.id,
        type: event.type,
        receivedAt: nowIso(deps),
        outcome: result.outcome,
        reason: result.outcome === 'quarantined' ? result.reason : '',
        payload: result.outcome === 'ignored' ? '' : body.toString('utf8'),
      })
      .run()
    failpoint('in-event-write')
    return result
  })
  failpoint('after-event-write')
  if (result?.outcome === 'quarantined')
    deps.log.warn({ eventId: event.id, type: event.type, reason: result.reason }, 'payment event set aside')
  if (result?.outcome === 'applied')
    await fillCardDetails(deps, result.paymentId).catch(error =>
      deps.log.warn({ err: error, paymentId: result.paymentId }, 'card details will be asked for again'),
    )
}

const isKnown = (db: Pick<Tx, 'select'>, id: string): boolean =>
  db.select({ id: providerEvents.id }).from(providerEvents).where(eq(providerEvents.id, id)).get() !==
  undefined

type Apply = (tx: Tx) => Outcome

/** Asks what must be asked outside of the transaction, and answers what is to be done inside it. */
async function prepare(deps: Deps, event: Stripe.Event): Promise<Apply> {
  if (!isReadable(event)) return () => quarantine('It could not be read.')
  const occurredAt = momentOf(event.created)
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
      return tx => reconcileSession(deps, tx, { session: event.data.object, occurredAt })
    case 'checkout.session.async_payment_failed':
      return tx => reconcileSession(deps, tx, { session: event.data.object, occurredAt, bankFailed: true })
    case 'charge.refunded': {
      const charge = event.data.object
      // The event names a sum; which refunds it is made of, the provider tells.
      return refundsOf(deps, event, charge, () =>
        fetchRefunds(deps, { charge: charge.id }).catch(error => {
          if (isNotFound(error)) return []
          throw error
        }),
      )
    }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated': {
      const refund = event.data.object
      return refundsOf(deps, event, refund, async () => [refund])
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated': {
      const dispute = event.data.object
      return moneyNews(deps, event, dispute, async () => (tx, paymentId) => {
        upsertDispute(tx, paymentId, dispute)
        notifyOwnerOfDispute(deps, tx, dispute.id)
      })
    }
    default:
      return () => ({ outcome: 'ignored' })
  }
}

type AboutMoney = { payment_intent: string | { id: string } | null; currency: string }

function refundsOf(
  deps: Deps,
  event: Stripe.Event,
  about: AboutMoney,
  ask: () => Promise<Stripe.Refund[]>,
): Promise<Apply> {
  return moneyNews(deps, event, about, async () => {
    const refunds = await ask()
    return (tx, paymentId) => {
      for (const refund of refunds) upsertRefund(tx, paymentId, refund)
    }
  })
}

/** News of money that was paid before: finds its payment, notes the news and works out the payment's state anew. */
async function moneyNews(
  deps: Deps,
  event: Stripe.Event,
  about: AboutMoney,
  learn: () => Promise<(tx: Tx, paymentId: string) => void>,
): Promise<Apply> {
  const intentId = idOf(about.payment_intent)
  const payment = intentId ? await findPaymentOfIntent(deps, intentId) : undefined
  if (!payment) return () => quarantine('No payment here belongs to this charge.')
  if (event.livemode !== isLive(deps))
    return () => quarantine('It is of the other mode, live or test.', payment.id)
  if (about.currency !== 'usd')
    return () => quarantine(`Its currency is ${about.currency}, not usd.`, payment.id)
  const note = await learn()
  return tx => {
    note(tx, payment.id)
    const row = findPayment(tx, payment.id)
    if (row) recordChange(deps, tx, row.id, row.status, recomputeStatus(tx, row), event.type)
    return { outcome: 'applied', paymentId: payment.id }
  }
}

function recordChange(deps: Deps, tx: Tx, id: string, before: string, status: string, cause: string): void {
  if (status !== before)
    recordEvent(tx, nowIso(deps), { role: 'system' }, 'payment.changed', id, { before, status, cause })
}

/** Events that did not fit, newest first: for the owner to look into. */
export function listQuarantined({ db }: Deps) {
  const { id, reason, receivedAt, type } = providerEvents
  return db
    .select({ id, type, receivedAt, reason })
    .from(providerEvents)
    .where(and(eq(providerEvents.outcome, 'quarantined'), isNull(providerEvents.dismissedAt)))
    .orderBy(desc(receivedAt))
    .all()
}

/** The owner has looked at it; it is kept, and no longer shown. @throws AppError not_found */
export async function dismissQuarantined(deps: Deps, actor: Admin, eventId: string) {
  const at = nowIso(deps)
  await deps.write(tx => {
    const found = and(eq(providerEvents.id, eventId), eq(providerEvents.outcome, 'quarantined'))
    if (tx.update(providerEvents).set({ dismissedAt: at }).where(found).run().changes === 0)
      throw new AppError('not_found', 'This event is not known here.')
    recordEvent(tx, at, actor, 'payment.set_aside_dismissed', eventId)
  })
  return { message: 'Dismissed' }
}
