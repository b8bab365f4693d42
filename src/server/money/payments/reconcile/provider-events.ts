import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Db, Tx } from '../../../../../db/open.ts'
import { payments, providerEvents, refunds } from '../../../../../db/schema.ts'
import { type Admin, system } from '../../../../domain/accounts/access.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import { recordEvent } from '../../../kernel/audit.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { isLive, requireProvider } from '../../../kernel/payment-provider.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { notifyOwnerOfDispute, queueBankMails } from '../mails.ts'
import { fillCardDetails } from '../receipts.ts'
import { checkoutRows, type PaymentRow } from '../records.ts'
import { idOf, isNotFound, isoFromUnix, noResponseError } from '../stripe.ts'
import { endMissedEvents } from './missed-events.ts'
import {
  fetchFailureReason,
  fetchRefunds,
  findPaymentOfIntent,
  setAsidePayment,
  storeRefund,
} from './provider-sync.ts'
import {
  type Outcome,
  quarantine,
  queueArrivalMails,
  recomputeStatus,
  reconcileSession,
  upsertDispute,
} from './reconcile.ts'
import { isEvent, isReadable, redactBankAccount } from './webhook-schema.ts'

const signatureToleranceSeconds = 300

/**
 * Processes one webhook delivery: the raw bytes and their signature. Each event is stored once, with its outcome.
 * @throws AppError bad_request for a missing, wrong or stale signature, or an unreadable body; unavailable when the
 * provider does not respond to a follow-up request (the provider then delivers again)
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
      // With a shifted clock the age of a signature is meaningless; 0 turns off the check.
      deps.config.clockOffsetMs === 0 ? signatureToleranceSeconds : 0,
      undefined,
      now,
    )
  } catch (cause) {
    throw new AppError('bad_request', 'The signature of this event is missing, wrong or too old.', { cause })
  }
  if (!isEvent(event)) throw new AppError('bad_request', 'This event could not be read.')
  await applyEvent(deps, event, body)
  await endMissedEvents(deps)
}

/**
 * Applies an event of the provider, once; `body` is what is stored of it.
 * @throws AppError unavailable when the provider does not respond to a follow-up request
 */
export async function applyEvent(deps: Deps, event: Stripe.Event, body: Buffer): Promise<void> {
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
        payload: result.outcome === 'ignored' ? '' : payloadOf(event, body),
      })
      .run()
    failpoint('in-event-write')
    return result
  })
  failpoint('after-event-write')
  if (result?.outcome === 'quarantined')
    deps.log.warn({ eventId: event.id, type: event.type, reason: result.reason }, 'payment event quarantined')
  if (result?.outcome === 'applied')
    await fillCardDetails(deps, result.paymentId).catch(error =>
      deps.log.warn({ err: error, paymentId: result.paymentId }, 'card details will be fetched later'),
    )
}

/** The event as received, without bank account data. */
function payloadOf(event: Stripe.Event, body: Buffer): string {
  const text = body.toString('utf8')
  return text.includes('us_bank_account') ? redactBankAccount(event) : text
}

/** Whether an event was stored, by its id. */
export const isKnown = (db: Db, id: string): boolean =>
  db.select({ id: providerEvents.id }).from(providerEvents).where(eq(providerEvents.id, id)).get() !==
  undefined

type Apply = (tx: Tx) => Outcome

/** Fetches what the event needs; returns the work for the transaction. */
async function prepare(deps: Deps, event: Stripe.Event): Promise<Apply> {
  if (!isReadable(event)) return () => quarantine('It could not be read.')
  const occurredAt = isoFromUnix(event.created)
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired': {
      const settledAt = event.type === 'checkout.session.async_payment_succeeded' ? occurredAt : undefined
      return tx => reconcileSession(deps, tx, { session: event.data.object, occurredAt, settledAt })
    }
    case 'checkout.session.async_payment_failed': {
      const session = event.data.object
      const failureReason = await reasonOf(deps, idOf(session.payment_intent))
      return tx => reconcileSession(deps, tx, { session, occurredAt, bankFailed: true, failureReason })
    }
    case 'charge.refunded': {
      const charge = event.data.object
      // The event contains only the sum of its refunds.
      return prepareRefundEvent(deps, event, charge, () =>
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
      return prepareRefundEvent(deps, event, refund, async () => [refund])
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated': {
      const dispute = event.data.object
      return prepareMoneyEvent(deps, event, dispute, async () => (tx, rows) => {
        upsertDispute(tx, rows, dispute, occurredAt)
        notifyOwnerOfDispute(deps, tx, dispute.id)
      })
    }
    default:
      return () => ({ outcome: 'ignored' })
  }
}

/** A dispute's reason in words: `insufficient_funds` becomes 'Insufficient funds'; null for `general`. */
function wordsOf(reason: string | null | undefined): string | null {
  if (!reason || reason === 'general') return null
  return reason.charAt(0).toUpperCase() + reason.slice(1).replaceAll('_', ' ')
}

/** Without a response the failure is recorded without its reason. */
async function reasonOf(deps: Deps, intentId: string | null): Promise<string | undefined> {
  if (intentId === null) return undefined
  return fetchFailureReason(deps, intentId).catch(error => {
    deps.log.warn({ err: error, intentId }, 'the failure reason of a bank payment could not be fetched')
    return undefined
  })
}

type MoneyObject = {
  payment_intent: string | { id: string } | null
  currency: string
  /** The reason of a dispute. */
  reason?: string | null
}

function prepareRefundEvent(
  deps: Deps,
  event: Stripe.Event,
  object: MoneyObject,
  load: () => Promise<Stripe.Refund[]>,
): Promise<Apply> {
  return prepareMoneyEvent(deps, event, object, async () => {
    const refunds = await load()
    return (tx, rows) => {
      for (const refund of refunds) storeRefund(deps, tx, rows, refund)
    }
  })
}

/** For a refund or dispute: finds its payments, then stores the change and recomputes their statuses. */
async function prepareMoneyEvent(
  deps: Deps,
  event: Stripe.Event,
  object: MoneyObject,
  load: () => Promise<(tx: Tx, rows: readonly PaymentRow[]) => void>,
): Promise<Apply> {
  const intentId = idOf(object.payment_intent)
  const payment = intentId ? await findPaymentOfIntent(deps, intentId) : undefined
  if (!payment) return () => quarantine('No payment here belongs to this charge.')
  if (event.livemode !== isLive(deps))
    return () => quarantine('It is of the other mode, live or test.', payment.id)
  if (object.currency !== 'usd')
    return () => quarantine(`Its currency is ${object.currency}, not usd.`, payment.id)
  const apply = await load()
  return tx => {
    apply(tx, checkoutRows(tx, payment))
    const changed = recomputeStatus(tx, payment)
    for (const { before, row } of changed) recordChange(deps, tx, row.id, before, row.status, event.type)
    const rowsIf = (test: (before: string, status: string) => boolean) =>
      changed.filter(({ before, row }) => test(before, row.status)).map(({ row }) => row)
    const returned = rowsIf((before, status) => status === 'returned' && before !== 'returned')
    queueBankMails(deps, tx, returned, { status: 'returned', reason: wordsOf(object.reason) })
    const [back] = rowsIf(
      (before, status) => (before === 'returned' || before === 'disputed') && status === 'succeeded',
    ).filter(({ voidedAt }) => voidedAt !== null)
    if (back)
      setAsidePayment(deps, tx, back, {
        kind: 'removed_won',
        what: 'was deleted here, and then a dispute about it was won. The card provider has the money again, and it counts nowhere. Record it by hand if it stays, or refund it at the card provider.',
      })
    // The dispute was won, but was reported before the payment arrived: send the receipt now.
    queueArrivalMails(
      deps,
      tx,
      rowsIf(before => before === 'returned'),
    )
    return { outcome: 'applied', paymentId: payment.id }
  }
}

function recordChange(deps: Deps, tx: Tx, id: string, before: string, status: string, cause: string): void {
  if (status !== before)
    recordEvent(tx, nowIso(deps), system, 'payment.changed', id, { before, status, cause })
}

/** Quarantined events that were not dismissed, newest first. */
export function listQuarantined({ db }: Deps) {
  const { id, reason, receivedAt, type } = providerEvents
  return db
    .select({ id, type, receivedAt, reason })
    .from(providerEvents)
    .where(
      and(
        eq(providerEvents.outcome, 'quarantined'),
        isNull(providerEvents.dismissedAt),
        // The bank took the payment after its refund had failed: there is nothing to return.
        sql`not exists (select 1 from ${refunds} join ${payments} on ${payments.id} = ${refunds.paymentId}
          where 'refund_failed:' || ${refunds.id} = ${id} and ${payments.status} = 'returned')`,
      ),
    )
    .orderBy(desc(receivedAt))
    .all()
}

/** Hides a quarantined event; it stays stored. @throws AppError not_found */
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
