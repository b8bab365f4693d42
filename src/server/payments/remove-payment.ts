import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { payments, refunds } from '../../../db/schema.ts'
import type { Admin } from '../../domain/access.ts'
import { AppError } from '../../domain/errors.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { closeCheckout } from './checkout/checkout.ts'
import { withinLaws } from './ledger/ledger-laws.ts'
import { findPayment, type PaymentRow, paymentNotFound } from './ledger/records.ts'

/**
 * Takes a payment out of every list and total; it stays in the audit log. One side of a transfer takes the other with
 * it. Money that a card payment brought stays at the provider, and the answer says so.
 * @throws AppError not_found; conflict for one that is still on its way, was paid this very moment, is being refunded,
 * or whose money has gone on already; provider_failed
 */
export async function removePayment(deps: Deps, actor: Admin, paymentId: string) {
  const before = removable(findPayment(deps.db, paymentId))
  // Nobody may pay what no longer is in the books.
  if (before.method === 'card' && before.status === 'pending')
    await closeCheckout(deps, before, 'Failed to delete payment')
  const keepsMoney = await deps.write(tx => {
    const row = removable(findPayment(tx, paymentId))
    if (before.status === 'pending' && row.paidAt !== null)
      throw new AppError('conflict', 'This payment has just been made. It was not deleted.')
    const at = nowIso(deps)
    requireNoRefundUnderWay(tx, row)
    const both = and(
      row.transferId ? eq(payments.transferId, row.transferId) : eq(payments.id, row.id),
      isNull(payments.voidedAt),
    )
    const keys = tx.select().from(payments).where(both).all()
    const voided = withinLaws(tx, keys, () =>
      tx.update(payments).set({ voidedAt: at }).where(both).returning().all(),
    )
    for (const { amountCents, id } of voided)
      recordEvent(tx, at, actor, 'payment.removed', id, { amountCents })
    return row.method === 'card' && (row.status === 'succeeded' || row.status === 'disputed')
  })
  return {
    message: keepsMoney
      ? 'Payment deleted. The money was not returned to the card: refund it at the card provider.'
      : 'Payment deleted successfully!',
  }
}

/** What is asked of the provider is in no sum once its payment is removed. @throws AppError conflict */
function requireNoRefundUnderWay(tx: Tx, { id }: PaymentRow): void {
  const asked = and(eq(refunds.paymentId, id), eq(refunds.status, 'requested'))
  if (tx.select({ id: refunds.id }).from(refunds).where(asked).get())
    throw new AppError(
      'conflict',
      'A refund of this payment is still under way. Please try again in a few minutes.',
    )
}

function removable(row: PaymentRow | undefined): PaymentRow {
  if (!row || row.voidedAt) throw paymentNotFound()
  if (row.status === 'processing')
    throw new AppError('conflict', 'This payment is still on its way from the bank. Please wait for its end.')
  return row
}
