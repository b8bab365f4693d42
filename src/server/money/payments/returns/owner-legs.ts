import { and, eq, gte, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../../db/open.ts'
import { applications, payments, refunds, returnLegs } from '../../../../../db/schema.ts'
import type { Actor, Admin } from '../../../../domain/accounts/access.ts'
import { type ByHandForm, cancellationMessages } from '../../../../domain/bookings/cancellation.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import { isUnderWay } from '../../../../domain/money/return-plan.ts'
import { requireStepUp } from '../../../auth/factors/step-up.ts'
import { recordEvent } from '../../../kernel/audit.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { withinReturnable } from '../ledger-invariants.ts'
import { insertReturn, paidOn } from '../manual-payments.ts'
import { recomputeStatus } from '../reconcile/reconcile.ts'
import { findPayment, type PaymentRow } from '../records.ts'
import { declinedAt, markUnrefundedPayments } from '../unexpected-payments.ts'
import { currentLegs } from './current-legs.ts'
import { endAttempt, findLeg, type LegRow, legsOf, purposeOf, requestRefund, setLeg } from './legs.ts'
import { noAnswer, refreshLeg, runLegs } from './run-legs.ts'

// What the owner does with the refunds of a cancellation.

/** @throws AppError conflict while money is on its way back for an application (CHANGE-43) */
export function requireNoLegUnderWay(db: Db, applicationId: string): void {
  if (currentLegs(db, applicationId).some(({ state }) => isUnderWay(state)))
    throw new AppError('conflict', cancellationMessages.refundUnderWay)
}

/**
 * Stores what is left of the refunds that the owner goes on with, so that they reserve no money that is gone. What comes
 * back later is told by a notice.
 */
export function storeCurrentLegs(deps: Deps, tx: Tx, application: { id: string; userId: string }): void {
  const { id: applicationId } = application
  const stored = legsOf(tx, { applicationId })
  const current = currentLegs(tx, applicationId)
  const isSame = (leg: LegRow, i: number) =>
    leg.state === stored[i]?.state && leg.amountCents === stored[i]?.amountCents
  if (current.every(isSame)) return
  for (const [i, leg] of current.entries()) {
    const { amountCents, feeCents, state, totalCents } = leg
    if (!isSame(leg, i)) setLeg(deps, tx, stored[i] ?? leg, { amountCents, feeCents, totalCents, state })
  }
  markUnrefundedPayments(tx, applicationId)
}

/** A refund of a cancellation, as it is now. @throws AppError not_found */
function getRefund(db: Db, id: string): LegRow {
  const found = findLeg(db, and(eq(returnLegs.id, id), eq(returnLegs.cause, 'cancellation')))
  const leg = found && currentLegs(db, found.applicationId).find(leg => leg.id === id)
  if (!leg) throw new AppError('not_found', 'Refund not found')
  return leg
}

/** The same, after storing the current amounts of the stay’s refunds. @throws AppError not_found */
function getStoredRefund(deps: Deps, tx: Tx, id: string): LegRow {
  const { applicationId } = getRefund(tx, id)
  const application = tx.select().from(applications).where(eq(applications.id, applicationId)).get()
  if (application) storeCurrentLegs(deps, tx, application)
  return getRefund(tx, id)
}

/**
 * Asks for a failed refund again, with another key, or asks what has become of one on its way (CHANGE-15).
 * @throws AppError forbidden without a step-up; not_found; conflict if the refund is in another state, or if its money
 * was moved or refunded meanwhile; provider_failed
 */
export async function retryRefund(deps: Deps, actor: Admin, id: string): Promise<LegRow> {
  requireStepUp(deps, deps.db, actor)
  const { state } = getRefund(deps.db, id)
  if (state === 'sent') await refreshLeg(deps, id)
  else {
    const { causeId } = await deps.write(tx => {
      const leg = getStoredRefund(deps, tx, id)
      const payment = findPayment(tx, leg.paymentId ?? '')
      if (leg.state !== 'failed' || !payment) throw new AppError('conflict', cancellationMessages.notRetried)
      const at = nowIso(deps)
      const { amountCents, feeCents, totalCents } = leg
      const attempts = leg.attempts + 1
      withinReturnable(tx, payment, () => requestRefund(tx, at, { ...leg, attempts }))
      // From now on the provider has time to answer.
      const sums = { amountCents, feeCents, totalCents }
      setLeg(deps, tx, leg, { ...sums, state: 'waiting', attempts, error: null, createdAt: at })
      recordEvent(tx, at, actor, 'cancellation.retried', leg.applicationId, { legId: id })
      return leg
    })
    await runLegs(deps, { causeId, isNew: false })
    if (getRefund(deps.db, id).state === 'waiting') throw noAnswer()
  }
  return getRefund(deps.db, id)
}

/**
 * The owner has given the money back by hand (CHANGE-15).
 * @throws AppError forbidden without a step-up; not_found; bad_request at `date`; conflict unless it waits for the owner
 * or has failed, for another amount than was shown, and if its money is lost
 */
export function refundByHand(
  deps: Deps,
  actor: Admin,
  id: string,
  { checkNumber, date, seenCents }: ByHandForm,
): Promise<LegRow> {
  requireStepUp(deps, deps.db, actor)
  const paidAt = paidOn(deps, 'date', date)
  return deps.write(tx => {
    const leg = getStoredRefund(deps, tx, id)
    // One that the provider was asked for may still be made.
    const isOpen = leg.state === 'failed' || (leg.state === 'waiting' && leg.by === 'hand')
    if (!isOpen) throw new AppError('conflict', cancellationMessages.notWaiting)
    if (leg.amountCents !== (seenCents ?? leg.amountCents))
      throw new AppError('conflict', cancellationMessages.refundChanged)
    // Frees what it reserved.
    setLeg(deps, tx, leg, { state: 'done', error: null, by: 'hand', paymentId: null, feeCents: 0 })
    const rowId = insertReturn(deps, tx, actor, {
      applicationId: leg.applicationId,
      amount: leg.amountCents,
      paidAt,
      checkNumber,
      reason: '',
      kind: purposeOf(leg),
    })
    const { amountCents } = leg
    setLeg(deps, tx, { ...leg, state: 'done' }, { rowId, amountCents, totalCents: amountCents })
    recordEvent(tx, nowIso(deps), actor, 'cancellation.by_hand', leg.applicationId, { legId: id })
    return getRefund(tx, id)
  })
}

/** The stay is reinstated: what has not gone back stays (CHANGE-16). */
export function withdrawRefunds(deps: Deps, tx: Tx, actor: Actor, causeId: string): void {
  for (const leg of legsOf(tx, { causeId })) {
    if (leg.state === 'waiting' || leg.state === 'failed') {
      endAttempt(tx, leg)
      setLeg(deps, tx, leg, { state: 'withdrawn' })
      const detail = { legId: leg.id }
      recordEvent(tx, nowIso(deps), actor, 'cancellation.refund_withdrawn', leg.applicationId, detail)
    }
    // Also of one that the provider makes after all, because it was asked already.
    const requests = sql`(${refunds.id} = ${leg.refundId} or ${refunds.id} like ${`leg-${leg.id}-%`})`
    if (leg.kind === 'deposit') tx.update(refunds).set({ purpose: 'refund' }).where(requests).run()
  }
}

/**
 * An application that was declined or cancelled is booked again: of the deposit what went back since is owed again, in
 * whichever way, as by a correction (CHANGE-16, FIX-37).
 */
export function oweDepositAgain(tx: Tx, applicationId: string): void {
  const since = declinedAt(applicationId)
  const rowsOf = (type: PaymentRow['type']) =>
    and(eq(payments.applicationId, applicationId), eq(payments.type, type))
  const isRefunded = sql`${payments.id} in (select ${refunds.paymentId} from ${refunds})`
  for (const payment of tx
    .select()
    .from(payments)
    .where(and(rowsOf('deposit'), isRefunded))
    .all()) {
    // The provider's times are whole seconds.
    const later = and(eq(refunds.paymentId, payment.id), gte(refunds.createdAt, sql`substr(${since}, 1, 19)`))
    tx.update(refunds).set({ purpose: 'refund' }).where(later).run()
    recomputeStatus(tx, payment)
  }
  tx.update(payments)
    .set({ correctedAmountCents: sql`-${payments.amountCents}` })
    .where(and(rowsOf('deposit_return'), gte(payments.createdAt, since)))
    .run()
}
