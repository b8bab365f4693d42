import { and, eq, inArray } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Tx } from '../../../../../db/open.ts'
import { disputes, payments, refunds } from '../../../../../db/schema.ts'
import { system } from '../../../../domain/accounts/access.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import {
  isBankReturn,
  isRefundCounted,
  openDisputeStatuses,
  type PaymentStatus,
  refundPurposes,
  shareTotals,
  stateOfPaid,
  usualPurpose,
} from '../../../../domain/money/ledger.ts'
import { recordEvent } from '../../../kernel/audit.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { isLive } from '../../../kernel/payment-provider.ts'
import { notifyOwner, queueBankMails } from '../mails.ts'
import { queueReceipt } from '../receipts.ts'
import { checkoutRows, findPayment, ofCheckout, type PaymentRow, totalOf } from '../records.ts'
import { followRefund, legOfRequest } from '../returns/legs.ts'
import { idOf, isoFromUnix } from '../stripe.ts'
import { wasEndedAt, withdrawCancellation } from '../unexpected-payments.ts'

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
  /** When the bank paid according to the provider's event. Replaces the time at which the sweep found the payment. */
  settledAt?: string | undefined
  /** The bank took an unpaid session's money back or never sent it. */
  bankFailed?: boolean
  /** Why the payment failed, in the bank's or the provider's words. */
  failureReason?: string | undefined
}

/**
 * Applies a checkout session to all its payments, whether it comes from the webhook, the success page or the sweep.
 * Statuses only move forward, so updates may repeat or arrive in any order: one payment, one receipt.
 */
export function reconcileSession(deps: Deps, tx: Tx, update: SessionUpdate): Outcome {
  const { session } = update
  const rows = rowsOf(tx, session)
  // Until it is paid, all payments of a checkout are in the same state.
  const [row] = rows
  if (!row) return quarantine(`No payment here belongs to this checkout${wordsOf(session)}.`)
  const mismatch = mismatchOf(rows, row, session, isLive(deps))
  if (mismatch) return quarantine(mismatch, row.id)
  if (row.checkoutSessionId !== session.id) {
    const isSecond = row.checkoutSessionId !== null
    if (isSecond && session.payment_status !== 'paid') return { outcome: 'ignored' }
    if (isSecond && row.paidAt !== null)
      return quarantine(
        'This payment was made twice, through two checkouts. Refund this one at the card provider.',
        row.id,
      )
    attachSession(tx, row, session)
  }
  if (session.payment_status === 'paid') return recordPaid(deps, tx, rows, update)
  const next = unpaidStatus(update)
  if (next && advanceStatus(tx, row, next))
    recordBankProgress(deps, tx, rows, next, update.failureReason ?? null)
  return { outcome: 'applied', paymentId: row.id }
}

/** Amount, application and email from the session itself: after a restore, nothing else is known about it. */
function wordsOf({ amount_total: cents, customer_email: email, metadata }: Stripe.Checkout.Session): string {
  const number = metadata?.applicationNumber?.slice(0, 40)
  return [
    cents && ` of ${formatCents(cents)}`,
    number && ` for ${number}`,
    email && ` by ${email.slice(0, 254)}`,
  ]
    .filter(Boolean)
    .join('')
}

/**
 * Mails that a bank payment is on its way or has failed, in the transaction that sets the status (BANK-06, BANK-09).
 */
function recordBankProgress(
  deps: Deps,
  tx: Tx,
  rows: readonly PaymentRow[],
  status: PaymentStatus,
  failureReason: string | null,
): void {
  if (status !== 'processing' && status !== 'failed') return
  if (rows.some(({ providerMethod }) => providerMethod !== 'us_bank_account')) return
  for (const row of rows) {
    if (status === 'failed') tx.update(payments).set({ failureReason }).where(eq(payments.id, row.id)).run()
    recordEvent(tx, nowIso(deps), system, 'payment.changed', row.id, { before: row.status, status })
  }
  queueBankMails(deps, tx, rows, { status, reason: failureReason })
}

/** Stores the session of a checkout. */
export function attachSession(tx: Tx, row: PaymentRow, session: Stripe.Checkout.Session): void {
  tx.update(payments)
    .set({
      checkoutSessionId: session.id,
      checkoutUrl: session.url,
      checkoutExpiresAt: isoFromUnix(session.expires_at),
    })
    .where(ofCheckout(row))
    .run()
}

/** Looks for our own id first: the event may arrive before the session's id is stored. */
function rowsOf(tx: Tx, session: Stripe.Checkout.Session): PaymentRow[] {
  const ownId = session.client_reference_id ?? session.metadata?.paymentId
  const byOwnId = ownId ? findPayment(tx, ownId) : undefined
  const row = byOwnId ?? tx.select().from(payments).where(eq(payments.checkoutSessionId, session.id)).get()
  return row ? checkoutRows(tx, row) : []
}

function mismatchOf(
  rows: readonly PaymentRow[],
  row: PaymentRow,
  session: Stripe.Checkout.Session,
  live: boolean,
): string | undefined {
  const total = totalOf(rows)
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

/** Moves an unpaid checkout to a later status and returns whether it did. A returned payment stays returned. */
export function advanceStatus(tx: Tx, row: PaymentRow, status: PaymentStatus): boolean {
  if (row.paidAt !== null || row.status === 'returned') return false
  if (unpaidOrder.indexOf(status) <= unpaidOrder.indexOf(row.status)) return false
  tx.update(payments).set({ status }).where(ofCheckout(row)).run()
  return true
}

function recordPaid(
  deps: Deps,
  tx: Tx,
  rows: readonly PaymentRow[],
  { session, occurredAt, settledAt }: SessionUpdate,
): Outcome {
  const [first] = rows
  if (first?.paidAt === null) {
    const at = nowIso(deps)
    for (const row of rows) {
      const paid = {
        paidAt: occurredAt,
        failureReason: null,
        stripePaymentIntentId: idOf(session.payment_intent) ?? row.stripePaymentIntentId,
        // Paid after it was canceled: the owner gets a notice.
        cancelRequestedAt: row.cancelRequestedAt ?? (row.status === 'canceled' ? at : null),
      }
      tx.update(payments).set(paid).where(eq(payments.id, row.id)).run()
    }
    for (const { before, row } of recomputeStatus(tx, first)) {
      // Declined while the checkout could not be closed, and approved since.
      if (before !== 'canceled' && row.applicationId !== null) withdrawCancellation(tx, row.applicationId)
      recordEvent(tx, at, system, 'payment.paid', row.id, { ...money(row), status: row.status })
    }
    queueArrivalMails(deps, tx, checkoutRows(tx, first))
  } else if (first && settledAt) tx.update(payments).set({ paidAt: settledAt }).where(ofCheckout(first)).run()
  const voided = rows.find(({ voidedAt }) => voidedAt !== null)
  if (voided) return quarantine('It was paid after the payment had been removed here.', voided.id)
  return { outcome: 'applied', paymentId: first?.id ?? '' }
}

/**
 * Sends one receipt and one mail to the owner for what arrived through a checkout, once; neither if it was removed, or
 * if the bank returned it before its arrival was reported.
 */
export function queueArrivalMails(deps: Deps, tx: Tx, rows: readonly PaymentRow[]): void {
  const arrived = rows.filter(
    ({ paidAt, receiptQueuedAt, status, voidedAt }) =>
      status !== 'returned' && paidAt !== null && receiptQueuedAt === null && voidedAt === null,
  )
  const [first] = arrived
  if (!first) return
  const at = nowIso(deps)
  queueReceipt(tx, at, first)
  notifyOwner(deps, tx, at, arrived)
}

const money = ({ amountCents, feeCents }: PaymentRow) => ({ amountCents, feeCents })

/**
 * Recomputes status and refunded amounts of a checkout's payments from their refunds and disputes. Returns the changed
 * rows, with their earlier statuses.
 */
export function recomputeStatus(tx: Tx, of: PaymentRow): { before: PaymentStatus; row: PaymentRow }[] {
  const rows = checkoutRows(tx, of)
  if (rows.length > 1) shareAmong(tx, rows)
  return rows.map(row => ({ before: row.status, row: { ...row, status: statusOf(tx, row) } }))
}

/**
 * Splits the refunds and disputes that name none of these payments, again after each change. Payments that were removed
 * here are reduced first, because their money is expected to be refunded at the provider.
 */
function shareAmong(tx: Tx, all: readonly PaymentRow[]): void {
  const rows = all.toSorted((a, b) => Number(a.voidedAt !== null) - Number(b.voidedAt !== null))
  const ids = rows.map(({ id }) => id)
  const taken = (table: typeof refunds | typeof disputes, isTaken: (status: string) => boolean) => {
    const found = tx.select().from(table).where(inArray(table.paymentId, ids)).all()
    const byId = Map.groupBy(
      found.filter(({ status }) => isTaken(status)),
      ({ id }) => id,
    )
    return [...byId].map(([id, parts]) => ({ table, id, parts, at: parts[0]?.createdAt ?? '' }))
  }
  const sentBack = [...taken(refunds, isRefundCounted), ...taken(disputes, takesMoney)].toSorted(
    (a, b) => Number(a.at > b.at) - Number(a.at < b.at) || Number(a.id > b.id) - Number(a.id < b.id),
  )
  const shares = shareTotals(
    rows,
    sentBack.map(({ parts }) => ({
      cents: sumCents(parts),
      of: parts.length === 1 ? ids.indexOf(parts[0]?.paymentId ?? '') : undefined,
    })),
  )
  const shared = sentBack.filter(({ parts }) => parts.length > 1)
  for (const [i, { id, table }] of shared.entries())
    for (const [j, paymentId] of ids.entries())
      tx.update(table)
        .set({ totalCents: shares[i]?.[j] ?? 0 })
        .where(and(eq(table.id, id), eq(table.paymentId, paymentId)))
        .run()
}

function statusOf(tx: Tx, row: PaymentRow): PaymentStatus {
  const disputed = tx.select().from(disputes).where(eq(disputes.paymentId, row.id)).all()
  const isBank = row.providerMethod === 'us_bank_account'
  const isReturned = isBank && disputed.some(({ status }) => isBankReturn(status))
  if (row.paidAt === null) return unpaidStatusOf(tx, row, isReturned)
  const sentBack = tx.select().from(refunds).where(eq(refunds.paymentId, row.id)).all()
  // A bank payment is returned in full or not at all.
  const takenIf = (test: (status: string) => boolean) =>
    isBank ? 0 : sumCents(disputed.filter(({ status }) => test(status)))
  const counted = sentBack.filter(({ status }) => isRefundCounted(status))
  const corrections = row.type === 'deposit' ? counted.filter(({ purpose }) => purpose === 'refund') : []
  const { correctedAmountCents, lostAmountCents, refunded, status } = stateOfPaid(row, {
    refundedTotalCents: sumCents(counted),
    correctedTotalCents: sumCents(corrections),
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
      correctedAmountCents,
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

/** The idempotency key of a refund request, which names its payment at the provider, too. */
export const refundRequestId = (paymentId: string, requestId: string) => `refund-${paymentId}-${requestId}`

/**
 * Inserts or advances a refund of one of these payments, by the provider's id, or of all if it names none, and the leg of
 * a return that it is for; call `recomputeStatus` afterwards.
 * @returns whether it failed, or was canceled, after it had counted
 */
export function upsertRefund(
  deps: Deps,
  tx: Tx,
  rows: readonly PaymentRow[],
  refund: Stripe.Refund,
): boolean {
  const status = refund.status ?? 'pending'
  const known = tx.select().from(refunds).where(eq(refunds.id, refund.id)).get()
  if (known && refundOrder.indexOf(status) <= refundOrder.indexOf(known.status)) return false
  const requestId = refund.metadata?.requestId ?? ''
  const request = tx.select().from(refunds).where(eq(refunds.id, requestId)).get()
  const leg = legOfRequest(tx, requestId)
  if (request) closeRequest(tx, requestId, isRefundCounted(status) ? 'answered' : 'failed')
  const named = rows.filter(
    ({ id }) =>
      id === (request?.paymentId ?? leg?.paymentId) || requestId.startsWith(refundRequestId(id, '')),
  )
  const createdAt = isoFromUnix(refund.created)
  const asked = refundPurposes.find(each => each === (request?.purpose ?? refund.metadata?.purpose))
  for (const [i, { applicationId, id: paymentId, type }] of (named.length > 0 ? named : rows).entries()) {
    const totalCents = i === 0 ? refund.amount : 0
    const purpose = asked ?? (wasEndedAt(tx, applicationId, createdAt) ? 'refund' : usualPurpose(type))
    tx.insert(refunds)
      .values({ id: refund.id, paymentId, totalCents, status, purpose, createdAt })
      .onConflictDoUpdate({ target: [refunds.id, refunds.paymentId], set: { status, totalCents } })
      .run()
  }
  if (leg) followRefund(deps, tx, leg, refund)
  return !isRefundCounted(status) && known !== undefined && isRefundCounted(known.status)
}

/** Stores the result of our own refund request; an answered one may still fail, a failed one stays failed. */
export function closeRequest(tx: Tx, requestId: string, status: 'answered' | 'failed'): void {
  const earlier = status === 'failed' ? ['requested', 'answered'] : ['requested']
  tx.update(refunds)
    .set({ status })
    .where(and(eq(refunds.id, requestId), inArray(refunds.status, earlier)))
    .run()
}

// Early inquiries hold no money.
const disputeOver = ['won', 'lost', 'warning_closed', 'prevented']
const isDisputeOpen = (status: string) => openDisputeStatuses.includes(status)
const takesMoney = (status: string) => isDisputeOpen(status) || status === 'lost'

/**
 * Inserts or changes a dispute of these payments, by the provider's id; call `recomputeStatus` afterwards. Events arrive in
 * any order: an older one than the last changes nothing, and a newer one may also reopen a closed dispute.
 */
export function upsertDispute(
  tx: Tx,
  rows: readonly PaymentRow[],
  dispute: Stripe.Dispute,
  reportedAt: string,
): void {
  const { amount, created, evidence_details: evidence, id, status } = dispute
  const deadline = evidence?.due_by ? { dueBy: isoFromUnix(evidence.due_by) } : {}
  const known = tx.select().from(disputes).where(eq(disputes.id, id)).get()
  if (known && isStale(known, status, reportedAt)) return
  const since = known?.status === status ? known.closedAt : null
  const closedAt = disputeOver.includes(status) ? (since ?? reportedAt) : null
  for (const [i, { id: paymentId }] of rows.entries()) {
    const totalCents = i === 0 ? amount : 0
    tx.insert(disputes)
      .values({
        id,
        paymentId,
        totalCents,
        status,
        createdAt: isoFromUnix(created),
        reportedAt,
        closedAt,
        ...deadline,
      })
      .onConflictDoUpdate({
        target: [disputes.id, disputes.paymentId],
        set: { status, totalCents, reportedAt, closedAt, ...deadline },
      })
      .run()
  }
}

/** The provider's times are in whole seconds; within one, a closed dispute is the newer one. */
function isStale(known: typeof disputes.$inferSelect, status: string, reportedAt: string): boolean {
  if (known.reportedAt !== null && reportedAt !== known.reportedAt) return reportedAt < known.reportedAt
  return disputeRank(status) < disputeRank(known.status)
}

function disputeRank(status: string): number {
  if (disputeOver.includes(status)) return 2
  return isDisputeOpen(status) ? 1 : 0
}
