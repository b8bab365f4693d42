import { and, eq, inArray } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Tx } from '../../../../../db/open.ts'
import { disputes, payments, refunds } from '../../../../../db/schema.ts'
import { system } from '../../../../domain/accounts/access.ts'
import {
  isBankReturn,
  isRefundCounted,
  openDisputeStatuses,
  type PaymentStatus,
  stateOfPaid,
} from '../../../../domain/money/ledger.ts'
import { recordEvent } from '../../../kernel/audit.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { isLive } from '../../../kernel/payment-provider.ts'
import { notifyOwner, queueBankMails } from '../mails.ts'
import { queueReceipt } from '../receipts.ts'
import { findPayment, type PaymentRow } from '../records.ts'
import { idOf, isoFromUnix } from '../stripe.ts'
import { withdrawCancellation } from '../unexpected-payments.ts'

/**
 * Result of an update from the provider. A quarantined update does not match its payment: the owner sees it, and it
 * changes no total.
 */
export type Outcome =
  | { outcome: 'applied'; paymentId: string }
  | { outcome: 'ignored' }
  | { outcome: 'quarantined'; reason: string; paymentId?: string }

export const quarantine = (reason: string, paymentId?: string): Outcome => ({
  outcome: 'quarantined',
  reason,
  paymentId,
})

/** A checkout session from an event or a response; `occurredAt` is the time of payment, if it was paid. */
export type SessionUpdate = {
  session: Stripe.Checkout.Session
  occurredAt: string
  /** The bank took an unpaid session's money back or never sent it. */
  bankFailed?: boolean
  /** Why the payment failed, in the bank's or the provider's words. */
  failureReason?: string | undefined
}

/**
 * Applies a checkout session, whether it comes from the webhook, the success page or the sweep. Statuses only move
 * forward, so updates may repeat or arrive in any order: one payment, one receipt.
 */
export function reconcileSession(deps: Deps, tx: Tx, update: SessionUpdate): Outcome {
  const { session } = update
  const row = findPaymentOf(tx, session)
  if (!row) return quarantine('No payment here belongs to this checkout.')
  const mismatch = mismatchOf(row, session, isLive(deps))
  if (mismatch) return quarantine(mismatch, row.id)
  if (row.checkoutSessionId !== session.id) {
    const isSecond = row.checkoutSessionId !== null
    if (isSecond && session.payment_status !== 'paid') return { outcome: 'ignored' }
    if (isSecond && row.paidAt !== null)
      return quarantine(
        'This payment was made twice, through two checkouts. Refund this one at the card provider.',
        row.id,
      )
    attachSession(tx, row.id, session)
  }
  if (session.payment_status === 'paid') return recordPaid(deps, tx, row, update)
  const next = unpaidStatus(update)
  if (next && advanceStatus(tx, row, next))
    recordBankProgress(deps, tx, row, next, update.failureReason ?? null)
  return { outcome: 'applied', paymentId: row.id }
}

/**
 * Mails that a bank payment is on its way or has failed, in the transaction that sets the status (BANK-06, BANK-09).
 */
function recordBankProgress(
  deps: Deps,
  tx: Tx,
  row: PaymentRow,
  status: PaymentStatus,
  failureReason: string | null,
): void {
  if (row.providerMethod !== 'us_bank_account' || (status !== 'processing' && status !== 'failed')) return
  if (status === 'failed') tx.update(payments).set({ failureReason }).where(eq(payments.id, row.id)).run()
  recordEvent(tx, nowIso(deps), system, 'payment.changed', row.id, { before: row.status, status })
  queueBankMails(deps, tx, row, { status, reason: failureReason })
}

/** Stores the session of a payment. */
export function attachSession(tx: Tx, paymentId: string, session: Stripe.Checkout.Session): void {
  tx.update(payments)
    .set({
      checkoutSessionId: session.id,
      checkoutUrl: session.url,
      checkoutExpiresAt: isoFromUnix(session.expires_at),
    })
    .where(eq(payments.id, paymentId))
    .run()
}

/** Looks for our own id first: the event may arrive before the session's id is stored. */
function findPaymentOf(tx: Tx, session: Stripe.Checkout.Session): PaymentRow | undefined {
  const ownId = session.client_reference_id ?? session.metadata?.paymentId
  const byOwnId = ownId ? findPayment(tx, ownId) : undefined
  return byOwnId ?? tx.select().from(payments).where(eq(payments.checkoutSessionId, session.id)).get()
}

function mismatchOf(row: PaymentRow, session: Stripe.Checkout.Session, live: boolean): string | undefined {
  const total = row.amountCents + row.feeCents
  if (row.method !== 'card') return 'The payment that it names was not made by card.'
  // A payment whose first attempt failed may have had several sessions.
  if (row.checkoutSessionId !== null && row.checkoutSessionId !== session.id && row.checkoutAttempt === 0)
    return 'The payment that it names was opened with another checkout.'
  if (session.client_reference_id !== row.id) return 'Its reference is not that of the payment.'
  if (session.livemode !== live)
    return live ? 'It is a test, not real money.' : 'It is real money on a test site.'
  if (session.mode !== 'payment') return `Its mode is ${session.mode}, not payment.`
  if (session.currency !== 'usd') return `Its currency is ${session.currency}, not usd.`
  if (session.amount_total !== total)
    return `Its total is ${session.amount_total} cents where ${total} cents were asked.`
  if (session.payment_status === 'no_payment_required') return 'It asks for no payment.'
  return undefined
}

function unpaidStatus({ session, bankFailed }: SessionUpdate): PaymentStatus | undefined {
  if (session.status === 'expired') return 'canceled'
  if (session.status !== 'complete') return undefined
  return bankFailed ? 'failed' : 'processing'
}

/** The statuses of an unpaid payment in order; it only moves forward. */
const unpaidOrder: readonly PaymentStatus[] = ['pending', 'processing', 'canceled', 'failed']

/** Moves an unpaid payment to a later status and returns whether it did. A returned payment stays returned. */
export function advanceStatus(tx: Tx, row: PaymentRow, status: PaymentStatus): boolean {
  if (row.paidAt !== null || row.status === 'returned') return false
  if (unpaidOrder.indexOf(status) <= unpaidOrder.indexOf(row.status)) return false
  tx.update(payments).set({ status }).where(eq(payments.id, row.id)).run()
  return true
}

function recordPaid(deps: Deps, tx: Tx, row: PaymentRow, { session, occurredAt }: SessionUpdate): Outcome {
  if (row.paidAt === null) {
    const at = nowIso(deps)
    const paid = {
      paidAt: occurredAt,
      failureReason: null,
      stripePaymentIntentId: idOf(session.payment_intent) ?? row.stripePaymentIntentId,
      // Paid after it was canceled: the owner gets a notice.
      cancelRequestedAt: row.cancelRequestedAt ?? (row.status === 'canceled' ? at : null),
    }
    tx.update(payments).set(paid).where(eq(payments.id, row.id)).run()
    const state = recomputeStatus(tx, { ...row, ...paid })
    // Declined while the checkout could not be closed, and approved since.
    if (row.status !== 'canceled' && row.applicationId !== null) withdrawCancellation(tx, row.applicationId)
    recordEvent(tx, at, system, 'payment.paid', row.id, { ...money(row), status: state })
    if (row.voidedAt === null) queueArrivalMails(deps, tx, { ...row, ...paid, status: state })
  }
  if (row.voidedAt !== null) return quarantine('It was paid after the payment had been removed here.', row.id)
  return { outcome: 'applied', paymentId: row.id }
}

/**
 * Sends the receipt and the owner's mail once; neither if the bank returned the payment before its arrival was
 * reported.
 */
export function queueArrivalMails(deps: Deps, tx: Tx, row: PaymentRow): void {
  if (row.status === 'returned' || row.paidAt === null || row.receiptQueuedAt !== null) return
  const at = nowIso(deps)
  queueReceipt(tx, at, row)
  notifyOwner(deps, tx, at, row)
}

const money = ({ amountCents, feeCents }: PaymentRow) => ({ amountCents, feeCents })

/** Recomputes a paid payment's status and refunded amounts from its refunds and disputes. */
export function recomputeStatus(tx: Tx, row: PaymentRow): PaymentStatus {
  const disputed = tx.select().from(disputes).where(eq(disputes.paymentId, row.id)).all()
  const isBank = row.providerMethod === 'us_bank_account'
  const isReturned = isBank && disputed.some(({ status }) => isBankReturn(status))
  if (row.paidAt === null) return unpaidStatusOf(tx, row, isReturned)
  const sentBack = tx.select().from(refunds).where(eq(refunds.paymentId, row.id)).all()
  // A bank payment is returned in full or not at all.
  const takenIf = (test: (status: string) => boolean) =>
    isBank ? 0 : sumCents(disputed.filter(({ status }) => test(status)))
  const { lostAmountCents, refunded, status } = stateOfPaid(row, {
    refundedTotalCents: sumCents(sentBack.filter(({ status }) => isRefundCounted(status))),
    withheldCents: takenIf(isDisputeOpen),
    lostCents: takenIf(status => status === 'lost'),
    isReturned,
  })
  tx.update(payments)
    .set({
      status,
      refundedAmountCents: refunded.amountCents,
      refundedFeeCents: refunded.feeCents,
      lostAmountCents,
    })
    .where(eq(payments.id, row.id))
    .run()
  return status
}

/** The dispute of a bank payment may be reported before the payment itself, which then counts as returned (BANK-11). */
function unpaidStatusOf(tx: Tx, row: PaymentRow, isReturned: boolean): PaymentStatus {
  if (isReturned === (row.status === 'returned')) return row.status
  const status = isReturned ? 'returned' : 'processing'
  tx.update(payments).set({ status }).where(eq(payments.id, row.id)).run()
  return status
}

const sumCents = (rows: readonly { totalCents: number }[]) =>
  rows.reduce((total, { totalCents }) => total + totalCents, 0)

const refundOrder = ['pending', 'requires_action', 'succeeded', 'canceled', 'failed']

/** Inserts or advances a refund, by the provider's id; call `recomputeStatus` afterwards. */
export function upsertRefund(tx: Tx, paymentId: string, refund: Stripe.Refund): void {
  const status = refund.status ?? 'pending'
  const known = tx.select().from(refunds).where(eq(refunds.id, refund.id)).get()
  if (known && refundOrder.indexOf(status) <= refundOrder.indexOf(known.status)) return
  const requestId = refund.metadata?.requestId
  if (requestId) closeRequest(tx, requestId, isRefundCounted(status) ? 'answered' : 'failed')
  tx.insert(refunds)
    .values({
      id: refund.id,
      paymentId,
      totalCents: refund.amount,
      status,
      createdAt: isoFromUnix(refund.created),
    })
    .onConflictDoUpdate({ target: refunds.id, set: { status, totalCents: refund.amount } })
    .run()
}

/** Stores the result of our own refund request; an answered one may still fail, a failed one stays failed. */
export function closeRequest(tx: Tx, requestId: string, status: 'answered' | 'failed'): void {
  const earlier = status === 'failed' ? ['requested', 'answered'] : ['requested']
  tx.update(refunds)
    .set({ status })
    .where(and(eq(refunds.id, requestId), inArray(refunds.status, earlier)))
    .run()
}

// Early inquiries hold no money; a closed dispute stays closed.
const disputeOver = ['won', 'lost', 'warning_closed', 'prevented']
const isDisputeOpen = (status: string) => openDisputeStatuses.includes(status)

/** Inserts or advances a dispute, by the provider's id; call `recomputeStatus` afterwards. */
export function upsertDispute(tx: Tx, paymentId: string, dispute: Stripe.Dispute): void {
  const { amount: totalCents, created, evidence_details: evidence, id, status } = dispute
  const deadline = evidence?.due_by ? { dueBy: isoFromUnix(evidence.due_by) } : {}
  const known = tx.select().from(disputes).where(eq(disputes.id, id)).get()
  if (known && disputeRank(status) < disputeRank(known.status)) return
  tx.insert(disputes)
    .values({ id, paymentId, totalCents, status, createdAt: isoFromUnix(created), ...deadline })
    .onConflictDoUpdate({ target: disputes.id, set: { status, totalCents, ...deadline } })
    .run()
}

function disputeRank(status: string): number {
  if (disputeOver.includes(status)) return 2
  return isDisputeOpen(status) ? 1 : 0
}
