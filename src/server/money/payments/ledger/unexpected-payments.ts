import { and, desc, eq, gt, inArray, isNotNull, isNull, notInArray, or } from 'drizzle-orm'
import type { Tx } from '../../../../../db/open.ts'
import { applications, events, payments, users } from '../../../../../db/schema.ts'
import type { Admin } from '../../../../domain/accounts/access.ts'
import { isBooked } from '../../../../domain/bookings/application-status.ts'
import { leftOfTotalCents, paidCents } from '../../../../domain/money/ledger.ts'
import { recordEvent } from '../../../kernel/audit.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { ledgerOf, type PaymentRow, paymentNotFound } from './records.ts'

/**
 * A payment that arrived after it was canceled, or that a declined application still holds. `leftCents` of the total are
 * not refunded yet.
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
  return rows.flatMap(({ payment, application, user }) => {
    const reason = reasonOf(payment, application)
    const isDeclined = reason === 'declined' || reason === 'held'
    // The money was returned by hand, or transferred to another application.
    if (application && isDeclined && paidCents(ledgerOf(db, application.id)) <= 0) return []
    return {
      paymentId: payment.id,
      reason,
      tenantName: `${user.firstName} ${user.lastName}`,
      method: payment.method,
      isBank: payment.providerMethod === 'us_bank_account',
      leftCents: leftOfTotalCents(payment),
      paidAt: payment.paidAt,
      applicationNumber: application?.number ?? null,
      applicationId: payment.applicationId,
    }
  })
}

function reasonOf(
  { cancelRequestedAt, paidAt }: PaymentRow,
  application: typeof applications.$inferSelect | null,
): UnexpectedPayment['reason'] {
  if (application && application.deletedAt !== null) return 'deleted'
  if (application?.status !== 'rejected') return 'closed'
  return paidAt !== null && cancelRequestedAt !== null && paidAt < cancelRequestedAt ? 'held' : 'declined'
}

/** Marks what was paid for an application that is being declined or withdrawn, so that the owner gets a notice. */
export function markHeldPayments(tx: Tx, at: string, applicationId: string): void {
  tx.update(payments)
    .set({ cancelRequestedAt: at, unexpectedDismissedAt: null })
    .where(
      and(
        eq(payments.applicationId, applicationId),
        eq(payments.status, 'succeeded'),
        gt(payments.amountCents, 0),
        isNull(payments.voidedAt),
        isNull(payments.cancelRequestedAt),
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
