import { and, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { disputes, payments, refunds } from '../../../../db/schema.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { depositMessages } from '../../../domain/money/deposit-case.ts'
import { depositSection } from '../../../domain/money/deposit-input.ts'
import type { PaymentType } from '../../../domain/money/ledger.ts'
import { overdraftsOf, rejectionReason, type Violation } from '../../../domain/money/ledger-invariants.ts'
import { lostBefore, returnableFrom } from '../../../domain/money/transfer-losses.ts'
import { readSection } from '../../site/settings.ts'
import { type AccountKey, accountOf, accountsOfUser, loadAccounts } from '../accounts.ts'

/**
 * Runs a change of a tenant's accounts in a transaction, and undoes it if it breaks an invariant of the ledger.
 * @throws AppError conflict with the reason; whatever `change` throws
 */
export function withinInvariants<T>(tx: Tx, userId: string, change: () => T): T {
  const before = accountsOfUser(tx, userId)
  const result = change()
  const refusal = rejectionReason(before, accountsOfUser(tx, userId))
  if (refusal) throw new AppError('conflict', refusal)
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
  const lost = lostBefore(accountOf(tx, payment), accountsOfUser(tx, payment.userId))
  const returnable = () => returnableFrom(accountOf(tx, payment), lost, kind)
  const before = returnable()
  withinInvariants(tx, payment.userId, () => {
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
  return loadAccounts(db, isTouched).flatMap(account =>
    overdraftsOf(account, () => accountsOfUser(db, account.userId)),
  )
}
