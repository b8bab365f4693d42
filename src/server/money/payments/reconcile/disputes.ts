import { and, asc, eq, gt, inArray, isNotNull, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../../../db/open.ts'
import {
  applications,
  disputes,
  isReturnedPayment,
  payments,
  refunds,
  users,
} from '../../../../../db/schema.ts'
import { openDisputeStatuses, uncountedRefundStatuses } from '../../../../domain/money/ledger.ts'

export type OpenDispute = ReturnType<typeof listOpenDisputes>[number]

/** A bank payment's dispute cannot be contested: the money is gone (BANK-11). */
const isOpen = inArray(disputes.status, [...openDisputeStatuses])
const isNotBank = sql`${payments.providerMethod} is not 'us_bank_account'`

/** Disputes of card payments, open unless given otherwise, the most urgent first; `dueBy` is the deadline for a response. */
export function listOpenDisputes(db: Db, statuses: readonly string[] = openDisputeStatuses) {
  const found = db
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
    .where(and(inArray(disputes.status, [...statuses]), isNotBank))
    .orderBy(asc(disputes.dueBy), asc(disputes.createdAt), asc(payments.checkoutLeadId))
    .all()
  return [...Map.groupBy(found, ({ id }) => id).values()].flatMap(parts => {
    const totalCents = parts.reduce((sum, part) => sum + part.totalCents, 0)
    return parts.slice(0, 1).map(first => ({ ...first, totalCents, types: parts.map(({ type }) => type) }))
  })
}

const countedRefunds = sql<number>`(select coalesce(sum(${refunds.totalCents}), 0) from ${refunds} where ${refunds.paymentId} = ${payments.id} and ${notInArray(refunds.status, [...uncountedRefundStatuses])})`

/**
 * Payments that were refunded and then lost in a dispute after `since`. `twiceCents` is the amount returned twice, with
 * its fee. No total includes it, because a payment is never reduced below zero.
 */
export function listLostTwice(db: Db, since: string) {
  const total = sql`${payments.amountCents} + ${payments.feeCents}`
  // The return of a bank payment always takes all of it.
  const lost = sql`case when ${isReturnedPayment} then ${total} else sum(${disputes.totalCents}) end`
  return db
    .select({
      paymentId: payments.id,
      twiceCents: sql<number>`${lost} + ${countedRefunds} - (${total})`,
      lastAt: sql<string>`max(${disputes.createdAt})`,
      tenantName: sql<string>`${users.firstName} || ' ' || ${users.lastName}`,
      applicationId: sql<
        string | null
      >`case when ${applications.deletedAt} is null then ${applications.id} end`,
    })
    .from(disputes)
    .innerJoin(payments, eq(payments.id, disputes.paymentId))
    .innerJoin(users, eq(users.id, payments.userId))
    .leftJoin(applications, eq(applications.id, payments.applicationId))
    .where(or(eq(disputes.status, 'lost'), isReturnedPayment))
    .groupBy(payments.id)
    .having(({ lastAt, twiceCents }) => and(gt(twiceCents, 0), gt(lastAt, since)))
    .all()
}

/** Number of payments and their cents, fees included. */
type Share = { count: number; amount: number }

/**
 * The money that disputes take out of the revenue of the selected payments, in cents: what is withheld while they are
 * open, and what was lost or returned by a bank. Like `stateOfPaid`, at most what refunds have left.
 */
export function disputedAmounts(db: Db, within: SQL | undefined): { open: Share; lost: Share } {
  const chosen = and(within, isNotNull(payments.paidAt), isNull(payments.voidedAt))
  const total = sql`${payments.amountCents} + ${payments.feeCents}`
  const sumIf = (test: SQL) => sql<number>`coalesce(sum(${disputes.totalCents}) filter (where ${test}), 0)`
  const disputed = db
    .select({
      leftCents: sql<number>`${total} - ${countedRefunds}`,
      lostCents: sumIf(eq(disputes.status, 'lost')),
      withheldCents: sumIf(isOpen),
    })
    .from(disputes)
    .innerJoin(payments, eq(payments.id, disputes.paymentId))
    .where(and(chosen, isNotBank))
    // By this column, so that SQLite reads the few disputes first.
    .groupBy(disputes.paymentId)
    .all()
  const lost = disputed.map(({ leftCents, lostCents }) => Math.min(lostCents, leftCents))
  const open = disputed.map(({ leftCents, lostCents, withheldCents }) =>
    Math.min(withheldCents, Math.max(0, leftCents - lostCents)),
  )
  const returned = db
    .select({ cents: sql<number>`${total} - ${payments.refundedAmountCents} - ${payments.refundedFeeCents}` })
    .from(payments)
    .where(and(chosen, isReturnedPayment))
    .all()
  return { open: shareOf(open), lost: shareOf([...lost, ...returned.map(({ cents }) => cents)]) }
}

function shareOf(parts: readonly number[]): Share {
  const taken = parts.filter(cents => cents > 0)
  return { count: taken.length, amount: taken.reduce((sum, cents) => sum + cents, 0) }
}
