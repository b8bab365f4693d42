import { and, desc, eq, isNotNull, isNull, or } from 'drizzle-orm'
import { applications, payments, users } from '../../../../../db/schema.ts'
import type { Admin } from '../../../../domain/accounts/access.ts'
import { leftOfTotalCents, paidCents } from '../../../../domain/money/ledger.ts'
import { recordEvent } from '../../../kernel/audit.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { ledgerOf, paymentNotFound } from './records.ts'

/** A card or bank payment that arrived after it was canceled. `leftCents` of the total are not refunded yet. */
export type UnexpectedPayment = {
  paymentId: string
  /** Why the payment was canceled: the application was declined or deleted, or only the checkout was closed. */
  reason: 'declined' | 'deleted' | 'closed'
  tenantName: string
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
    const reason = reasonOf(application)
    // The money was returned by hand, or transferred to another application.
    if (application && reason === 'declined' && paidCents(ledgerOf(db, application.id)) <= 0) return []
    return {
      paymentId: payment.id,
      reason,
      tenantName: `${user.firstName} ${user.lastName}`,
      isBank: payment.providerMethod === 'us_bank_account',
      leftCents: leftOfTotalCents(payment),
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
