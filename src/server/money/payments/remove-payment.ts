import { and, eq, isNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { depositItems, payments, refunds } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { bankMessages } from '../../../domain/money/payment.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { closeCheckout } from './checkout/checkout.ts'
import { withinInvariants } from './ledger-invariants.ts'
import { isLeft } from './reconcile/provider-sync.ts'
import { recomputeStatus } from './reconcile/reconcile.ts'
import { findPayment, type PaymentRow, paymentNotFound } from './records.ts'
import { withdrawLeg } from './returns/legs.ts'
import { storeCurrentLegs } from './returns/owner-legs.ts'

/**
 * Voids a payment: it disappears from every list and total, and stays in the audit log. Both sides of a transfer are
 * voided. Card money is not refunded, and the message says so.
 * @throws AppError forbidden without a step-up; not_found; conflict while the payment is processing, just paid or being
 * refunded, or if its money was moved on; provider_failed
 */
export async function removePayment(deps: Deps, actor: Admin, paymentId: string) {
  requireStepUp(deps, deps.db, actor)
  const before = removable(deps.db, findPayment(deps.db, paymentId))
  // A voided payment must not be payable.
  if (before.method === 'card' && before.status === 'pending')
    await closeCheckout(deps, before, 'Failed to delete payment')
  const keepsMoney = await deps.write(tx => {
    const row = removable(tx, findPayment(tx, paymentId))
    if (before.status === 'pending' && row.paidAt !== null)
      throw new AppError('conflict', 'This payment has just been made. It was not deleted.')
    const at = nowIso(deps)
    requireNoRefundUnderWay(tx, row)
    const both = and(
      row.transferId ? eq(payments.transferId, row.transferId) : eq(payments.id, row.id),
      isNull(payments.voidedAt),
    )
    requireNotKept(tx, row)
    withdrawLeg(deps, tx, row.id)
    const voided = withinInvariants(tx, row.userId, () => {
      const rows = tx.update(payments).set({ voidedAt: at }).where(both).returning().all()
      for (const { applicationId: id, userId } of rows) if (id) storeCurrentLegs(deps, tx, { id, userId })
      return rows
    })
    if (row.method === 'card') recomputeStatus(tx, row)
    for (const { amountCents, id } of voided)
      recordEvent(tx, at, actor, 'payment.removed', id, { amountCents })
    return row.method === 'card' && (row.status === 'succeeded' || row.status === 'disputed')
  })
  return {
    message: keepsMoney
      ? `Payment deleted. The money was not returned to the ${before.providerMethod === 'us_bank_account' ? 'bank account' : 'card'}: refund it at the card provider.`
      : 'Payment deleted successfully!',
  }
}

/** What a statement has kept stays kept (DEP-28). @throws AppError conflict */
function requireNotKept(tx: Tx, { id }: PaymentRow): void {
  if (tx.select({ id: depositItems.id }).from(depositItems).where(eq(depositItems.paymentId, id)).get())
    throw new AppError('conflict', 'This is kept of the deposit, as its statement says.')
}

/** A pending refund of a voided payment would be missing from every total. @throws AppError conflict */
function requireNoRefundUnderWay(tx: Tx, { id }: PaymentRow): void {
  const asked = and(eq(refunds.paymentId, id), eq(refunds.status, 'requested'))
  if (tx.select({ id: refunds.id }).from(refunds).where(asked).get())
    throw new AppError(
      'conflict',
      'A refund of this payment is still under way. Please try again in a few minutes.',
    )
}

function removable(db: Db, row: PaymentRow | undefined): PaymentRow {
  if (!row || row.voidedAt) throw paymentNotFound()
  if (row.status === 'processing' && !isLeft(db, row)) throw new AppError('conflict', bankMessages.onItsWay)
  return row
}
