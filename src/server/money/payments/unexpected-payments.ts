import { and, desc, eq, gt, inArray, isNotNull, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { applications, events, payments, users } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { isBooked } from '../../../domain/bookings/application-status.ts'
import { leftOfTotalCents, paidCents, shareRefund } from '../../../domain/money/ledger.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { type PaymentRow, paymentNotFound } from './records.ts'

/**
 * A payment that arrived after it was canceled, or that a declined application still holds. `leftCents` of the total can
 * be refunded: at most what the application still holds.
 */
export type UnexpectedPayment = {
  paymentId: string
  /**
   * Why the money is not expected: the application had been paid before it was declined or withdrawn, was declined or
   * deleted before, or only the checkout was closed.
   */
  reason: 'held' | 'declined' | 'deleted' | 'closed'
  tenantName: string
  method: PaymentRow['method']
  isBank: boolean
  leftCents: number
  paidAt: string | null
  applicationNumber: string | null
  /** Null after the application is deleted. */
  applicationId: string | null
}

const isUnexpected = and(
  isNotNull(payments.cancelRequestedAt),
  isNull(payments.unexpectedDismissedAt),
  isNotNull(payments.paidAt),
  isNull(payments.voidedAt),
  eq(payments.status, 'succeeded'),
)

/** Payments that arrived after they were canceled, newest first; until they are refunded or dismissed. */
export function listUnexpectedPayments({ db }: Pick<Deps, 'db'>): UnexpectedPayment[] {
  const rows = db
    .select({ payment: payments, application: applications, user: users })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.userId))
    .leftJoin(
      applications,
      or(eq(applications.id, payments.applicationId), eq(applications.id, payments.formerApplicationId)),
    )
    .where(isUnexpected)
    .orderBy(desc(payments.paidAt))
    .all()
  const found = rows.flatMap(({ payment, application, user }) => {
    const reason = reasonOf(payment, application)
    const heldCents = application && reason !== 'closed' ? paidCents(rowsOf(db, application.id)) : undefined
    const leftCents = refundableTotalCents(payment, heldCents)
    // The money was returned by hand, or transferred to another application.
    if (leftCents <= 0) return []
    const unexpected: UnexpectedPayment = {
      paymentId: payment.id,
      reason,
      tenantName: `${user.firstName} ${user.lastName}`,
      method: payment.method,
      isBank: payment.providerMethod === 'us_bank_account',
      leftCents,
      paidAt: payment.paidAt,
      applicationNumber: application?.number ?? null,
      applicationId: payment.applicationId,
    }
    return [{ payment, unexpected }]
  })
  // Transferred money is listed where it was paid, as long as any of it is left.
  const paidIn = new Set(
    found.flatMap(({ payment }) => (payment.transferId === null ? bookingOf(payment) : [])),
  )
  const isListedAtSource = ({ id, transferId }: PaymentRow) =>
    transferId !== null &&
    db
      .select()
      .from(payments)
      .where(and(eq(payments.transferId, transferId), ne(payments.id, id)))
      .all()
      .some(source => paidIn.has(bookingOf(source)))
  return found.flatMap(({ payment, unexpected }) => (isListedAtSource(payment) ? [] : unexpected))
}

const bookingOf = ({ applicationId, formerApplicationId }: PaymentRow) => applicationId ?? formerApplicationId

/** All ledger rows of an application, also of a deleted one, that are not voided. */
function rowsOf(db: Pick<Db, 'select'>, applicationId: string): PaymentRow[] {
  const ofApplication = or(
    eq(payments.applicationId, applicationId),
    eq(payments.formerApplicationId, applicationId),
  )
  return db
    .select()
    .from(payments)
    .where(and(ofApplication, isNull(payments.voidedAt)))
    .all()
}

/** The most of a payment's total that can be refunded without taking more than `heldCents`, if given. */
function refundableTotalCents(payment: PaymentRow, heldCents = Number.POSITIVE_INFINITY): number {
  const { amountCents, feeCents, refundedAmountCents, refundedFeeCents } = payment
  const refundedCents = refundedAmountCents + refundedFeeCents
  const takes = (cents: number) =>
    shareRefund(payment, refundedCents + cents).amountCents - refundedAmountCents
  let cents = leftOfTotalCents(payment)
  if (takes(cents) <= heldCents) return cents
  cents = Math.min(cents, heldCents + Math.ceil((feeCents * Math.max(0, heldCents)) / amountCents))
  while (cents > 0 && takes(cents) > heldCents) cents--
  return cents
}

function reasonOf(
  { cancelRequestedAt, paidAt }: PaymentRow,
  application: typeof applications.$inferSelect | null,
): UnexpectedPayment['reason'] {
  const isDeclined = application?.status === 'rejected'
  if (isDeclined && paidAt !== null && cancelRequestedAt !== null && paidAt < cancelRequestedAt) return 'held'
  if (application && application.deletedAt !== null) return 'deleted'
  return isDeclined ? 'declined' : 'closed'
}

/**
 * Marks what was paid for an application that is being declined or withdrawn, so that the owner gets a notice. Includes what
 * was refunded or disputed, because a failed refund or a won dispute brings it back.
 */
export function markHeldPayments(tx: Tx, at: string, applicationId: string): void {
  tx.update(payments)
    .set({
      cancelRequestedAt: sql`coalesce(${payments.cancelRequestedAt}, ${at})`,
      unexpectedDismissedAt: null,
    })
    .where(
      and(
        eq(payments.applicationId, applicationId),
        isNotNull(payments.paidAt),
        gt(payments.amountCents, 0),
        isNull(payments.voidedAt),
      ),
    )
    .run()
}

/**
 * Takes back the marks that declining or withdrawing an application set on its payments, when it is approved after all:
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
    .where(
      and(
        eq(events.subjectId, applicationId),
        inArray(events.kind, ['application.rejected', 'application.withdrawn']),
      ),
    )
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

/** Hides the notice; the money stays. @throws AppError not_found for any other payment */
export async function dismissUnexpectedPayment(deps: Deps, actor: Admin, paymentId: string) {
  const at = nowIso(deps)
  await deps.write(tx => {
    const dismissed = tx
      .update(payments)
      .set({ unexpectedDismissedAt: at })
      .where(and(eq(payments.id, paymentId), isUnexpected))
      .run()
    if (dismissed.changes === 0) throw paymentNotFound()
    recordEvent(tx, at, actor, 'payment.unexpected_dismissed', paymentId)
  })
  return { message: 'Dismissed' }
}
