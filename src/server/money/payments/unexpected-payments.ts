import { and, desc, eq, gt, inArray, isNotNull, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { applications, claims, events, payments, users } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { endedStatuses, isBooked, isEnded } from '../../../domain/bookings/application-status.ts'
import type { Account, CheckedRow } from '../../../domain/money/account-sums.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import {
  creditedCents,
  isCounted,
  leftOfTotalCents,
  paidCents,
  shareRefund,
} from '../../../domain/money/ledger.ts'
import { totalToRefund } from '../../../domain/money/return-plan.ts'
import { heldOf } from '../../../domain/money/transfer-losses.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { cachedUntilWrite } from '../../kernel/cached-until-write.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { accountOf, accountsOfUser, bookingOf } from '../accounts.ts'
import { toldClaimOf } from '../statements.ts'
import { type PaymentRow, paymentNotFound } from './records.ts'
import { currentLegs, refundSource } from './returns/current-legs.ts'

/**
 * A payment that arrived after it was canceled, or that a declined application still holds. `leftCents` of the total can
 * be refunded: at most what the application still holds.
 */
export type UnexpectedPayment = {
  paymentId: string
  /**
   * Why the money is not expected: the application had been paid before it was declined or withdrawn, cancelled, or deleted,
   * was declined, cancelled or deleted before, or only the checkout was closed.
   */
  reason: 'held' | 'left' | 'kept' | 'declined' | 'cancelled' | 'deleted' | 'closed'
  tenantName: string
  method: PaymentRow['method']
  isBank: boolean
  leftCents: number
  /** It was paid for an accepted offer that had lapsed (CLAIM-27). */
  isLapsed: boolean
  paidAt: string | null
  applicationNumber: string | null
  /** Null after the application is deleted. */
  applicationId: string | null
  formerApplicationId: string | null
  returnKind: 'refund' | 'deposit_return'
}

const isCanceledButPaid = and(
  isNotNull(payments.cancelRequestedAt),
  isNotNull(payments.paidAt),
  isNull(payments.voidedAt),
  eq(payments.status, 'succeeded'),
)
const isOfLapsed = sql<
  0 | 1
>`exists (select 1 from ${claims} where ${claims.acceptedApplicationId} = ${applications.id} and ${claims.endedAs} = 'lapsed')`

/**
 * The newest payments that arrived after they were canceled, until they are refunded or dismissed; at most `limit`. A
 * tenant's accounts are read once, however many applications of theirs hold money.
 */
export function listUnexpectedPayments({ db }: { db: Db }, limit: number): UnexpectedPayment[] {
  const rows = db
    .select({ payment: payments, application: applications, user: users, isLapsed: isOfLapsed })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.userId))
    .leftJoin(
      applications,
      or(eq(applications.id, payments.applicationId), eq(applications.id, payments.formerApplicationId)),
    )
    .where(isCanceledButPaid)
    .orderBy(desc(payments.paidAt))
    .all()
  const accountFor = accountReader(db)
  const shares = new Map<string, Map<string, number>>()
  const leftOf = (payment: PaymentRow, application: typeof applications.$inferSelect | null) => {
    if (leftOfTotalCents(payment) <= 0) return 0
    const { account, ofTenant } = accountFor(payment.userId, bookingOf(payment))
    if (!account) return 0
    if (!application || reasonOf(payment, application) === 'closed')
      return payment.unexpectedDismissedAt
        ? 0
        : refundableTotalCents(payment, leftAfterReturns(payment, account, ofTenant))
    const ofApplication =
      shares.get(application.id) ?? shareHeldMoney(db, application, heldOf(account, ofTenant))
    shares.set(application.id, ofApplication)
    return ofApplication.get(payment.id) ?? 0
  }
  const found: UnexpectedPayment[] = []
  for (const { payment, application, isLapsed, user } of rows) {
    if (found.length === limit) break
    const leftCents = leftOf(payment, application)
    // The money was returned by hand, kept, lost, or transferred to another application.
    if (leftCents <= 0) continue
    found.push({
      paymentId: payment.id,
      reason: reasonOf(payment, application),
      tenantName: `${user.firstName} ${user.lastName}`,
      method: payment.method,
      isBank: payment.providerMethod === 'us_bank_account',
      leftCents,
      isLapsed: isLapsed === 1,
      paidAt: payment.paidAt,
      applicationNumber: application?.number ?? null,
      applicationId: payment.applicationId,
      formerApplicationId: payment.formerApplicationId,
      returnKind: isDeposit(payment) ? 'deposit_return' : 'refund',
    })
  }
  return found
}

/** Finds accounts by tenant and application, deleted ones too. Reads the accounts of each tenant only once. */
function accountReader(db: Db) {
  const accounts = new Map<string, Account[]>()
  return (userId: string, applicationId: string | null) => {
    const ofTenant = accounts.get(userId) ?? accountsOfUser(db, userId)
    accounts.set(userId, ofTenant)
    return { account: ofTenant.find(each => each.applicationId === applicationId), ofTenant }
  }
}

const failedLegs = (db: Db, applicationId: string) =>
  currentLegs(db, applicationId).filter(({ state }) => state === 'failed')

/**
 * What is kept of a cancelled stay is nobody's to give back (CHANGE-13), nor what is claimed of a deposit (DEP-21), and a
 * failed refund has its own notice.
 */
function untold(
  db: Db,
  { id, status, totalCents }: typeof applications.$inferSelect,
  all: ReturnType<typeof heldOf>,
  failed = failedLegs(db, id),
) {
  const claimedCents = isEnded(status) ? Math.min(all.depositCents, toldClaimOf(db, id)) : 0
  const depositCents = all.depositCents - claimedCents
  const held = { cents: all.cents - claimedCents, depositCents, untoldDepositCents: depositCents }
  if (status !== 'cancelled') return held
  // A refused deposit return has a notice while the deposit is held and has not been returned in another way.
  const ofDeposit = failed.filter(({ cause, isOpen }) => cause === 'deposit' && isOpen)
  const others = failed.filter(({ cause }) => cause !== 'deposit')
  const refusedCents = Math.min(sumOf(ofDeposit), Math.max(0, depositCents))
  const toldDepositCents = refusedCents + sumOf(others.filter(({ kind }) => kind === 'deposit'))
  return {
    depositCents,
    untoldDepositCents: Math.max(0, depositCents - toldDepositCents),
    cents: Math.max(0, held.cents - totalCents - sumOf(others) - refusedCents),
  }
}

/**
 * How much of each payment's total the notices ask to return, in cents, by payment id: together at most what the
 * application still holds minus what the owner dismissed, so that no two notices ask to return the same money. Payments
 * that were dismissed, or whose refund failed, come last.
 */
function shareHeldMoney(
  db: Db,
  application: typeof applications.$inferSelect,
  all: ReturnType<typeof heldOf>,
): Map<string, number> {
  const shares = new Map<string, number>()
  const failed = failedLegs(db, application.id)
  const held = untold(db, application, all, failed)
  const isFailed = ({ id }: PaymentRow) => failed.some(({ paymentId }) => paymentId === id)
  const rows = canceledButPaid(db, application.id).toSorted(byClaim)
  const dismissed = new Map(dismissedIn(rows, held))
  for (const [row, cents] of dismissed) {
    held.cents -= cents
    if (isDeposit(row)) held.depositCents -= cents
  }
  for (const row of [...rows.filter(row => !isFailed(row)), ...rows.filter(isFailed)]) {
    const mostCents = creditedCents(row) - (dismissed.get(row) ?? 0)
    const heldCents = isDeposit(row) ? Math.min(held.cents, held.depositCents) : held.cents
    const totalCents = refundableTotalCents(row, Math.min(mostCents, heldCents))
    const amountCents = creditedByRefund(row, totalCents)
    held.cents -= amountCents
    if (isDeposit(row)) held.depositCents -= amountCents
    shares.set(row.id, totalCents)
  }
  return shares
}

/**
 * What is left of a payment's amount, in cents, less what was entered since as returned by hand or transferred away: that
 * may have been this payment, also if its date is earlier. At most what its account holds.
 */
function leftAfterReturns(payment: PaymentRow, account: Account, ofTenant: readonly Account[]): number {
  const isGone = (row: CheckedRow) =>
    row.amountCents < 0 &&
    isCounted(row) &&
    gone.includes(row.type) &&
    row.createdAt >= (payment.paidAt ?? '')
  const gone: PaymentRow['type'][] = isDeposit(payment)
    ? ['refund', 'deposit_return', 'admin_transfer', 'deposit_transfer']
    : ['refund', 'admin_transfer']
  const leftCents = creditedCents(payment) + paidCents(account.rows.filter(isGone))
  return Math.min(leftCents, heldOf(account, ofTenant).cents)
}

/** What an application holds of its tenant's money, without what deductions keep and disputes took; in cents. */
export function heldCents(db: Db, application: { id: string; userId: string }): number {
  const { id: applicationId, userId } = application
  return heldOf(accountOf(db, { applicationId, userId }), accountsOfUser(db, userId)).cents
}

const isDeposit = ({ type }: PaymentRow) => type === 'deposit' || type === 'deposit_transfer'

/** Sort order: not dismissed, entered after the booking ended, refundable to a card, deposits, newest. */
function byClaim(a: PaymentRow, b: PaymentRow): number {
  const rank = (row: PaymentRow) =>
    (row.unexpectedDismissedAt ? 8 : 0) +
    (wasEnteredBefore(row) ? 4 : 0) +
    (row.method === 'card' ? 0 : 2) +
    (isDeposit(row) ? 0 : 1)
  return rank(a) - rank(b) || (b.paidAt ?? '').localeCompare(a.paidAt ?? '')
}

/**
 * How much of each payment's dismissed amount still counts, in cents: at most what is left of the payment, of the deposit
 * or other money that the booking holds, and of the total that notices could ask to return.
 */
function dismissedIn(
  rows: readonly PaymentRow[],
  { cents: all, untoldDepositCents: deposit }: ReturnType<typeof untold>,
): [PaymentRow, number][] {
  const left = { deposit, rest: all - deposit, all }
  return rows.map(row => {
    const kind = isDeposit(row) ? 'deposit' : 'rest'
    const cents = Math.max(0, Math.min(row.dismissedCents, creditedCents(row), left[kind], left.all))
    left[kind] -= cents
    left.all -= cents
    return [row, cents]
  })
}

const ofBooking = sql`coalesce(${payments.applicationId}, ${payments.formerApplicationId})`

function canceledButPaid(db: Db, applicationId: string): PaymentRow[] {
  const ofApplication = or(
    eq(payments.applicationId, applicationId),
    eq(payments.formerApplicationId, applicationId),
  )
  return db.select().from(payments).where(and(ofApplication, isCanceledButPaid)).all()
}

/** What a refund of this part of the total takes from the amount paid. */
const creditedByRefund = (payment: PaymentRow, totalCents: number) =>
  shareRefund(payment, payment.refundedAmountCents + payment.refundedFeeCents + totalCents).amountCents -
  payment.refundedAmountCents

/** The most of a payment's total that can be refunded without taking more than `limitCents` of the amount. */
function refundableTotalCents(payment: PaymentRow, limitCents: number): number {
  const leftCents = leftOfTotalCents(payment)
  if (limitCents <= 0) return 0
  if (creditedByRefund(payment, leftCents) <= limitCents) return leftCents
  return totalToRefund(refundSource(payment), limitCents)
}

const wasPaidBefore = ({ cancelRequestedAt, paidAt }: PaymentRow): boolean =>
  paidAt !== null && cancelRequestedAt !== null && paidAt < cancelRequestedAt

const wasEnteredBefore = (row: PaymentRow): boolean =>
  wasPaidBefore(row) && row.createdAt < (row.cancelRequestedAt ?? '')

function reasonOf(
  payment: PaymentRow,
  application: typeof applications.$inferSelect | null,
): UnexpectedPayment['reason'] {
  const isDeclined = application?.status === 'rejected'
  if (isDeclined && wasPaidBefore(payment)) return 'held'
  if (application && application.deletedAt !== null) return wasPaidBefore(payment) ? 'kept' : 'deleted'
  if (application?.status === 'cancelled') return wasEnteredBefore(payment) ? 'left' : 'cancelled'
  return isDeclined ? 'declined' : 'closed'
}

/**
 * Marks what was paid for an application that is being declined, withdrawn, cancelled or deleted, so that the owner gets a notice. Includes what
 * was refunded or disputed, because a failed refund or a won dispute brings it back.
 */
export function markHeldPayments(tx: Tx, at: string | SQL, applicationId: string): void {
  tx.update(payments)
    .set({
      cancelRequestedAt: sql`coalesce(${payments.cancelRequestedAt}, ${at})`,
      unexpectedDismissedAt: null,
      dismissedCents: 0,
    })
    .where(isHeld(applicationId))
    .run()
}

const isHeld = (applicationId: string) =>
  and(
    eq(payments.applicationId, applicationId),
    isNotNull(payments.paidAt),
    gt(payments.amountCents, 0),
    isNull(payments.voidedAt),
  )

/** Marks what a cancelled stay holds when its refunds become less; reinstating it takes the marks back. */
export const markUnrefundedPayments = (tx: Tx, applicationId: string): void =>
  markHeldPayments(tx, declinedAt(applicationId), applicationId)

const declineKinds = ['application.rejected', 'application.withdrawn', 'application.cancelled']

/** When an application was last declined, withdrawn or cancelled. */
export const declinedAt = (applicationId: string) =>
  sql<string>`(select max(${events.at}) from ${events} where ${events.subjectId} = ${applicationId} and ${inArray(events.kind, declineKinds)})`

/** Whether an application that is booked again was declined, withdrawn or cancelled then (CHANGE-16, FIX-37). */
export function wasEndedAt(tx: Tx, applicationId: string | null, at: string): boolean {
  const isTurn = inArray(events.kind, [...declineKinds, 'application.approved', 'application.completed'])
  const ofIt = and(eq(events.subjectId, applicationId ?? ''), isTurn)
  const turns = tx.select().from(events).where(ofIt).orderBy(events.id).all()
  const isEnd = ({ kind }: { kind: string }) => declineKinds.includes(kind)
  // The provider's times are whole seconds.
  const ended = turns.findLastIndex(turn => isEnd(turn) && turn.at.slice(0, 19) <= at.slice(0, 19))
  const booked = turns.find((turn, i) => i > ended && !isEnd(turn))
  return ended >= 0 && booked !== undefined && booked.at >= at
}

/**
 * Marks what is entered for a declined or cancelled application, or moved to it. Its time is that of the decline, so that
 * approving it after all takes back these marks as well.
 */
export function markPaymentsSinceDecline(tx: Tx, applicationId: string, ids?: readonly string[]): void {
  const hasEnded = and(eq(applications.id, applicationId), inArray(applications.status, [...endedStatuses]))
  if (!tx.select({ id: applications.id }).from(applications).where(hasEnded).get()) return
  tx.update(payments)
    .set({ cancelRequestedAt: sql`coalesce(${declinedAt(applicationId)}, ${payments.paidAt})` })
    .where(
      and(isHeld(applicationId), ids && inArray(payments.id, [...ids]), isNull(payments.cancelRequestedAt)),
    )
    .run()
}

/**
 * Takes back the marks that declining, withdrawing or cancelling an application set on its payments, when it is approved after all:
 * what arrived or is on its way is good then (FIX-37). An open checkout stays canceled until it is paid all the same, and
 * so do other payments' marks. Does nothing for an application that is not booked.
 */
export function withdrawCancellation(tx: Tx, applicationId: string): void {
  const ofApplication = eq(applications.id, applicationId)
  const application = tx.select().from(applications).where(ofApplication).get()
  if (!application || application.deletedAt !== null || !isBooked(application.status)) return
  const declined = tx
    .select({ at: events.at })
    .from(events)
    .where(and(eq(events.subjectId, applicationId), inArray(events.kind, declineKinds)))
  tx.update(payments)
    .set({ cancelRequestedAt: null })
    .where(
      and(
        eq(payments.applicationId, applicationId),
        notInArray(payments.status, ['pending', 'canceled']),
        inArray(payments.cancelRequestedAt, declined),
      ),
    )
    .run()
}

/** Dismisses the notice about a payment without returning the money. @throws AppError not_found without such a notice */
export async function dismissUnexpectedPayment(deps: Deps, actor: Admin, paymentId: string) {
  const at = nowIso(deps)
  await deps.write(tx => {
    const told = listUnexpectedPayments({ db: tx }, Number.POSITIVE_INFINITY)
    const found = told.find(each => each.paymentId === paymentId)
    const payment = tx.select().from(payments).where(eq(payments.id, paymentId)).get()
    if (!found || !payment) throw paymentNotFound()
    const cents = creditedByRefund(payment, found.leftCents)
    tx.update(payments)
      .set({ unexpectedDismissedAt: at, dismissedCents: payment.dismissedCents + cents })
      .where(eq(payments.id, paymentId))
      .run()
    recordEvent(tx, at, actor, 'payment.unexpected_dismissed', paymentId, { cents })
  })
  return { message: 'Dismissed' }
}

/**
 * Lowers dismissed amounts once their money was returned after all, so that they do not hide later payments. Runs every
 * minute.
 */
export async function tickDismissed(deps: Deps): Promise<void> {
  const find = (db: Db) => {
    const accountFor = accountReader(db)
    return db
      .selectDistinct({ application: applications })
      .from(payments)
      .innerJoin(applications, eq(applications.id, ofBooking))
      .where(and(isCanceledButPaid, gt(payments.dismissedCents, 0)))
      .all()
      .flatMap(({ application }) => {
        const { account, ofTenant } = accountFor(application.userId, application.id)
        if (!account) return []
        const held = untold(db, application, heldOf(account, ofTenant))
        return dismissedIn(canceledButPaid(db, application.id), held)
      })
      .filter(([{ dismissedCents }, cents]) => cents < dismissedCents)
  }
  if (cachedUntilWrite(deps, 'dismissed money', () => find(deps.db)).length === 0) return
  await deps.write(tx => {
    for (const [{ id }, dismissedCents] of find(tx))
      tx.update(payments).set({ dismissedCents }).where(eq(payments.id, id)).run()
  })
}
