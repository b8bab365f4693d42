import { and, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { applications, disputes, payments, returnLegs, users } from '../../../db/schema.ts'
import type { Account } from '../../domain/money/account-sums.ts'
import {
  afterRequestedRefunds,
  endedSums,
  type LedgerRow,
  openDisputeStatuses,
  returnableCents,
} from '../../domain/money/ledger.ts'
import { accountsBefore, isMoved, lostBefore, withoutLost } from '../../domain/money/transfer-losses.ts'
import type { ApplicationRow } from '../bookings/records.ts'

/** An application's account, also of a deleted one, or a tenant's account of payments without an application. */
export type AccountKey = { applicationId: string | null; formerApplicationId?: string | null; userId: string }

/** All accounts of the ledger, voided rows included. */
export function allAccounts(db: Db): Account[] {
  return loadAccounts(db, undefined)
}

/** The accounts with these payments. */
export function loadAccounts(db: Db, where: SQL | undefined): Account[] {
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

/** The refunds of a payment with such a status, in cents. */
export const sumOfRefunds = (status: SQL) =>
  sql<number>`(select coalesce(sum(total_cents), 0) from refunds where refunds.payment_id = payments.id and refunds.status ${status})`

/** A pending refund by hand reserves its money, like a refund requested from the provider. */
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

/** A deleted application's rows are found by their tenant, whose index the query can use. */
function ofAccount({ applicationId, formerApplicationId = null, userId }: AccountKey): SQL {
  if (applicationId !== null) return eq(payments.applicationId, applicationId)
  const former = payments.formerApplicationId
  const ofBooking = formerApplicationId === null ? isNull(former) : eq(former, formerApplicationId)
  return and(isNull(payments.applicationId), ofBooking, eq(payments.userId, userId)) as SQL
}

/** The payments of a deleted application are unlinked from it. */
export const accountKeyOf = ({
  deletedAt,
  id,
  userId,
}: Pick<ApplicationRow, 'deletedAt' | 'id' | 'userId'>) =>
  deletedAt === null
    ? { applicationId: id, formerApplicationId: null, userId }
    : { applicationId: null, formerApplicationId: id, userId }

/** One account as it is stored, for those who ask for its losses; empty if nothing was paid yet. */
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
 * The rows of an application after disputes about transferred money (FIX-38): less what was disputed at the source of
 * money transferred here, plus what other bookings bear of its own disputes. Reads other accounts only if there was a transfer.
 */
export function withoutLostElsewhere<Row extends LedgerRow>(
  db: Db,
  { id, userId }: Pick<ApplicationRow, 'id' | 'userId'>,
  rows: readonly Row[],
): Row[] {
  if (!rows.some(isMoved)) return [...rows]
  const ofTenant = accountsOfUser(db, userId)
  const account = ofTenant.find(({ applicationId }) => applicationId === id)
  return account ? withoutLost(rows, lostBefore(account, ofTenant)) : [...rows]
}

/** The rows of an application's account, voided rows included, without what is lost where their money came from. */
export const accountRowsOf = (db: Db, application: ApplicationRow) =>
  withoutLostElsewhere(db, application, accountOf(db, accountKeyOf(application)).rows)

/**
 * What open disputes took of an account and of its deposit, in cents: of its own payments what it bears itself, and of those
 * from which money was moved here what is missing here (FIX-38).
 */
export function inDisputeOf(db: Db, account: Account) {
  const ofTenant = account.rows.some(isMoved) ? accountsOfUser(db, account.userId) : [account]
  const lost = lostBefore(account, ofTenant)
  const before = accountsBefore(account, ofTenant)
  const sumOf = (accounts: readonly Account[], isDeposit: boolean) =>
    accounts
      .flatMap(({ rows }) => rows)
      .filter(row => row.inDispute && row.voidedAt === null && (!isDeposit || row.type === 'deposit'))
      .reduce((sum, { lostAmountCents }) => sum + lostAmountCents, 0)
  const of = (lostCents: number, isDeposit: boolean) =>
    Math.max(0, sumOf([account], isDeposit) + Math.min(0, lostCents)) +
    Math.min(Math.max(0, lostCents), sumOf(before, isDeposit))
  return { cents: of(lost.paidCents, false), depositCents: of(lost.depositCents, true) }
}

/**
 * What of an application is left to go back when all that the provider was asked for has gone, in cents: the deposit that is
 * held, and of one without a booking all that is not kept.
 * @param toldCents what is claimed of the deposit of one without a booking (`toldClaims`)
 */
export function leftToReturn<Row extends LedgerRow & { requestedRefundCents: number }>(
  { status, totalCents }: Pick<ApplicationRow, 'status' | 'totalCents'>,
  rows: readonly Row[],
  toldCents = 0,
) {
  const left = afterRequestedRefunds(rows)
  const { toReturnCents } = endedSums(left, status === 'cancelled' ? totalCents : 0, toldCents)
  return {
    rows: left,
    depositCents: Math.max(0, returnableCents('deposit_return', left)),
    toReturnCents,
  }
}
