import { and, desc, eq, isNotNull, isNull, or } from 'drizzle-orm'
import { applications, payments, users } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/access.ts'
import { paidCents } from '../../../domain/ledger.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { ledgerOf, paymentNotFound } from './records.ts'

/** Money that came by card when none was expected any more. Cents of the total charged that did not go back yet. */
export type UnexpectedPayment = {
  paymentId: string
  /** Why none was expected: what became of the application, or of the checkout alone. */
  reason: 'declined' | 'deleted' | 'closed'
  tenantName: string
  leftCents: number
  paidAt: string | null
  applicationNumber: string | null
  /** The application that it counts for; null once that is deleted. */
  applicationId: string | null
}

const isUnexpected = and(
  isNotNull(payments.cancelRequestedAt),
  isNull(payments.unexpectedDismissedAt),
  isNotNull(payments.paidAt),
  isNull(payments.voidedAt),
  eq(payments.status, 'succeeded'),
)

/** Payments that came after they were canceled, newest first, until they are given back or dismissed. */
export function listUnexpected({ db }: Pick<Deps, 'db'>): UnexpectedPayment[] {
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
    const reason = reasonOf(application)
    // By hand, or moved to another application.
    if (application && reason === 'declined' && paidCents(ledgerOf(db, application.id)) <= 0) return []
    return {
      paymentId: payment.id,
      reason,
      tenantName: `${user.firstName} ${user.lastName}`,
      leftCents:
        payment.amountCents + payment.feeCents - payment.refundedAmountCents - payment.refundedFeeCents,
      paidAt: payment.paidAt,
      applicationNumber: application?.number ?? null,
      applicationId: payment.applicationId,
    }
  })
}

function reasonOf(application: typeof applications.$inferSelect | null): UnexpectedPayment['reason'] {
  if (application && application.deletedAt !== null) return 'deleted'
  return application?.status === 'rejected' ? 'declined' : 'closed'
}

/** The owner has seen it, and the money stays. @throws AppError not_found for a payment that is not among them */
export async function dismissUnexpected(deps: Deps, actor: Admin, paymentId: string) {
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
