import { and, asc, countDistinct, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { applications, disputes, payments, users } from '../../../../db/schema.ts'
import { paymentTypeLabels } from '../../../domain/ledger.ts'
import { currentSite } from '../../content/current-site.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { enqueueMail } from '../../mail/outbox.ts'

/** Statuses in which the payer's bank holds the money. */
export const openDisputeStatuses: readonly string[] = ['needs_response', 'under_review']

export type OpenDispute = ReturnType<typeof listOpenDisputes>[number]

/** A bank payment's dispute cannot be contested: the money is gone (BANK-11). */
const isNotBank = sql`${payments.providerMethod} is not 'us_bank_account'`

/** Open disputes of card payments, the most urgent first; `dueBy` is the provider's deadline for a response. */
export function listOpenDisputes(db: Pick<Db, 'select'>) {
  return db
    .select({
      id: disputes.id,
      status: disputes.status,
      totalCents: disputes.totalCents,
      openedAt: disputes.createdAt,
      dueBy: disputes.dueBy,
      paidAt: payments.paidAt,
      type: payments.type,
      tenantName: sql<string>`${users.firstName} || ' ' || ${users.lastName}`,
      applicationId: applications.id,
      applicationNumber: applications.number,
    })
    .from(disputes)
    .innerJoin(payments, eq(payments.id, disputes.paymentId))
    .innerJoin(users, eq(users.id, payments.userId))
    .leftJoin(applications, eq(applications.id, payments.applicationId))
    .where(and(inArray(disputes.status, [...openDisputeStatuses]), isNotBank))
    .orderBy(asc(disputes.dueBy), asc(disputes.createdAt))
    .all()
}

/** Mails the owner about an open dispute, once, in the transaction that stores it. */
export function notifyOwnerOfDispute(
  deps: Pick<Deps, 'clock' | 'config' | 'siteContent'>,
  tx: Tx,
  disputeId: string,
): void {
  const dispute = listOpenDisputes(tx).find(({ id }) => id === disputeId)
  if (!dispute) return
  const { tenantName, applicationNumber, applicationId, totalCents, dueBy, paidAt, type } = dispute
  enqueueMail(tx, nowIso(deps), {
    kind: 'owner-payment-disputed',
    props: {
      tenantName,
      applicationNumber,
      applicationId,
      paymentTypeLabel: paymentTypeLabels[type],
      disputeId,
      totalCents,
      dueBy,
      paidAt,
    },
    to: currentSite(deps).ownerEmail,
    dedupeKey: `owner-dispute:${disputeId}`,
  })
}

/** Number of payments and their cents, fees included. */
type Share = { count: number; amount: number }

/**
 * The money that disputes take out of the revenue of the selected payments, in cents: the rest of a payment while its
 * dispute is open, and what was lost or returned by a bank.
 */
export function disputedAmounts(
  db: Pick<Db, 'select'>,
  within: SQL | undefined,
): { open: Share; lost: Share } {
  const chosen = and(within, isNotNull(payments.paidAt), isNull(payments.voidedAt))
  const left = sql`${payments.amountCents} + ${payments.feeCents} - ${payments.refundedAmountCents} - ${payments.refundedFeeCents}`
  const open = db
    .select({ count: countDistinct(payments.id), amount: sumOf(left) })
    .from(payments)
    .where(
      and(
        chosen,
        eq(payments.status, 'disputed'),
        inArray(payments.id, db.select({ id: disputes.paymentId }).from(disputes)),
      ),
    )
    .get()
  const lost = db
    .select({ count: countDistinct(payments.id), amount: sumOf(disputes.totalCents) })
    .from(disputes)
    .innerJoin(payments, eq(payments.id, disputes.paymentId))
    .where(and(chosen, eq(disputes.status, 'lost'), isNotBank))
    .get()
  const returned = db
    .select({ count: countDistinct(payments.id), amount: sumOf(left) })
    .from(payments)
    .where(and(chosen, eq(payments.status, 'returned')))
    .get()
  return { open: open ?? nothing, lost: together(lost ?? nothing, returned ?? nothing) }
}

const together = (one: Share, other: Share): Share => ({
  count: one.count + other.count,
  amount: one.amount + other.amount,
})

const nothing: Share = { count: 0, amount: 0 }
const sumOf = (cents: SQL | typeof disputes.totalCents) => sql<number>`coalesce(sum(${cents}), 0)`
