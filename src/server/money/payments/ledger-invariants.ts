import { and, eq, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { applications, disputes, payments, refunds, returnLegs, users } from '../../../../db/schema.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { depositMessages } from '../../../domain/money/deposit-case.ts'
import { depositSection } from '../../../domain/money/deposit-input.ts'
import { openDisputeStatuses, type PaymentType } from '../../../domain/money/ledger.ts'
import {
  type Account,
  overdrafts,
  rejectionReason,
  returnableFrom,
  type Violation,
} from '../../../domain/money/ledger-invariants.ts'
import { readSection } from '../../site/settings.ts'
import { sumOfRefunds } from '../records.ts'

/** An application's account, also of a deleted one, or a tenant's account of payments without an application. */
type AccountKey = { applicationId: string | null; formerApplicationId?: string | null; userId: string }

/** All accounts of the ledger, voided rows included. */
export function allAccounts(db: Db): Account[] {
  return loadAccounts(db, undefined)
}

function loadAccounts(db: Db, where: SQL | undefined): Account[] {
  const requested = sumOfRefunds(sql`= 'requested'`)
  const inOpenDispute = db
    .select({ id: disputes.paymentId })
    .from(disputes)
    .where(inArray(disputes.status, [...openDisputeStatuses]))
  const completed = sumOfRefunds(sql`= 'answered'`)
  const rows = db
    .select({
      number: applications.number,
      email: users.email,
      userId: payments.userId,
      applicationId: payments.applicationId,
      formerApplicationId: payments.formerApplicationId,
      id: payments.id,
      type: payments.type,
      method: payments.method,
      status: payments.status,
      amountCents: payments.amountCents,
      feeCents: payments.feeCents,
      refundedAmountCents: payments.refundedAmountCents,
      refundedFeeCents: payments.refundedFeeCents,
      lostAmountCents: payments.lostAmountCents,
      correctedAmountCents: payments.correctedAmountCents,
      paysBill: payments.paysBill,
      paidAt: payments.paidAt,
      createdAt: payments.createdAt,
      voidedAt: payments.voidedAt,
      transferId: payments.transferId,
      description: payments.description,
      requestedRefundCents: requested,
      completedRefundCents: completed,
      inDispute: inArray(payments.id, inOpenDispute).mapWith(Boolean) as SQL<boolean>,
    })
    .from(payments)
    .leftJoin(applications, eq(applications.id, bookingId))
    .leftJoin(users, eq(users.id, payments.userId))
    .where(where)
    .all()
  const byAccount = Map.groupBy(rows, row => bookingOf(row) ?? `of ${row.userId}`)
  for (const leg of legsByHand(db)) {
    const ofLeg = byAccount.get(leg.applicationId)
    const [payment] = ofLeg ?? []
    if (payment) ofLeg?.push({ ...payment, ...pendingRow, ...toPendingRow(leg) })
  }
  return [...byAccount.values()].flatMap(rows => {
    const [first] = rows
    if (!first) return []
    const { email, number, userId } = first
    const applicationId = bookingOf(first)
    const isDeleted = first.applicationId === null && applicationId !== null
    return [{ applicationId, isDeleted, userId, label: labelOf(number, email), rows }]
  })
}

/** What waits to be given back by hand reserves its money like a refund that was asked for. */
const legsByHand = (db: Db) =>
  db
    .select()
    .from(returnLegs)
    .where(sql`${returnLegs.state} in ('waiting', 'sent') and ${returnLegs.by} = 'hand'`)
    .all()

const pendingRow = {
  method: 'manual' as const,
  status: 'pending' as const,
  feeCents: 0,
  refundedAmountCents: 0,
  refundedFeeCents: 0,
  lostAmountCents: 0,
  correctedAmountCents: 0,
  requestedRefundCents: 0,
  completedRefundCents: 0,
  paysBill: false,
  inDispute: false,
  paidAt: null,
  voidedAt: null,
  transferId: null,
  description: '',
} as const

const toPendingRow = ({ amountCents, createdAt, id, kind }: typeof returnLegs.$inferSelect) => ({
  id,
  createdAt,
  amountCents: -amountCents,
  type: kind === 'deposit' ? ('deposit_return' as const) : ('refund' as const),
})

/** The application that a payment is or was for. */
export const bookingOf = ({ applicationId, formerApplicationId = null }: Omit<AccountKey, 'userId'>) =>
  applicationId ?? formerApplicationId
const bookingId = sql<string | null>`coalesce(${payments.applicationId}, ${payments.formerApplicationId})`

const labelOf = (number: string | null, email: string | null) =>
  number ?? `the payments of ${email ?? 'an unknown tenant'} without an application`

/** The sum of our own refund requests in a status; they are stored in one table with the provider's refunds. */
/** A deleted application's rows are found by their tenant, whose index the query can use. */
function ofAccount({ applicationId, formerApplicationId = null, userId }: AccountKey): SQL {
  if (applicationId !== null) return eq(payments.applicationId, applicationId)
  const former = payments.formerApplicationId
  const ofBooking = formerApplicationId === null ? isNull(former) : eq(former, formerApplicationId)
  return and(isNull(payments.applicationId), ofBooking, eq(payments.userId, userId)) as SQL
}

/** One account; empty if nothing was paid yet. */
export function accountOf(db: Db, key: AccountKey): Account {
  const [account] = loadAccounts(db, ofAccount(key))
  const { applicationId, userId } = key
  const label = labelOf(numberOf(db, key), null)
  return account ?? { applicationId, isDeleted: false, userId, label, rows: [] }
}

/** All accounts of a tenant, without their abandoned checkouts, of which there can be very many. */
export function accountsOfUser(db: Db, userId: string): Account[] {
  return loadAccounts(db, and(eq(payments.userId, userId), ne(payments.status, 'canceled')))
}

function numberOf(db: Db, { applicationId }: AccountKey): string | null {
  if (applicationId === null) return null
  const { number } = applications
  return (
    db.select({ number }).from(applications).where(eq(applications.id, applicationId)).get()?.number ?? null
  )
}

/**
 * Runs a change of these accounts in a transaction, and undoes it if it breaks an invariant of the ledger.
 * @throws AppError conflict with the reason; whatever `change` throws
 */
export function withinInvariants<T>(tx: Tx, keys: readonly AccountKey[], change: () => T): T {
  const before = keys.map(key => accountOf(tx, key))
  const result = change()
  for (const [i, key] of keys.entries()) {
    const refusal = rejectionReason(before[i] as Account, accountOf(tx, key))
    if (refusal) throw new AppError('conflict', refusal)
  }
  return result
}

/**
 * Like `withinInvariants`, for a refund of a payment: of a watched deposit with the sentence of DEP-09, and no money that
 * was transferred from an account that has since lost it to a dispute (FIX-38).
 * @throws AppError conflict
 */
export function withinReturnable(
  tx: Tx,
  payment: AccountKey & { type: PaymentType },
  change: () => unknown,
): void {
  const isDeposit = payment.type === 'deposit'
  const isWatched = isDeposit && readSection(tx, depositSection).body.enabled
  const kind = isDeposit ? 'deposit_return' : 'refund'
  const returnable = () => returnableFrom(accountOf(tx, payment), accountsOfUser(tx, payment.userId), kind)
  const before = returnable()
  withinInvariants(tx, [payment], () => {
    change()
    if (isWatched) requireLeft(before, returnable(), depositMessages.onlyLeft(before))
  })
  requireLeft(
    before,
    returnable(),
    `Only ${formatCents(Math.max(0, before))} can be refunded. Other money was moved here, but is missing where it came from.`,
  )
}

function requireLeft(before: number, after: number, refusal: string): void {
  if (after < 0 && after < before) throw new AppError('conflict', refusal)
}

/** Accounts below zero. Reads only those with a refund, a dispute or a voided row: no others can be. */
export function listOverdrafts(db: Db): Violation[] {
  const place = { applicationId: payments.applicationId, userId: payments.userId }
  const touched: AccountKey[] = [
    ...db.select(place).from(payments).where(isNotNull(payments.voidedAt)).all(),
    ...db.select(place).from(refunds).innerJoin(payments, eq(payments.id, refunds.paymentId)).all(),
    ...db.select(place).from(disputes).innerJoin(payments, eq(payments.id, disputes.paymentId)).all(),
  ]
  if (touched.length === 0) return []
  const linked = new Set(touched.flatMap(({ applicationId }) => applicationId ?? []))
  const unlinked = new Set(touched.flatMap(({ applicationId, userId }) => (applicationId ? [] : userId)))
  const isTouched = or(
    inArray(payments.applicationId, [...linked]),
    and(isNull(payments.applicationId), inArray(payments.userId, [...unlinked])),
  )
  return loadAccounts(db, isTouched).flatMap(overdrafts)
}
