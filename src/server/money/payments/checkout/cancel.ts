import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Tx } from '../../../../../db/open.ts'
import { payments } from '../../../../../db/schema.ts'
import type { ApplicationRow } from '../../../bookings/records.ts'
import type { Deps } from '../../../kernel/deps.ts'
import { moneyOf } from '../../records.ts'
import { findPayment, type PaymentRow } from '../records.ts'
import { closeCheckout } from './checkout.ts'

/**
 * Marks an application's open card payments as canceled, in the transaction that declines or deletes it. Returns their
 * ids for `closeCanceledCheckouts` after the commit; the sweep closes what that call misses.
 */
export function requestCancellation(tx: Tx, at: string, applicationId: string): string[] {
  return tx
    .update(payments)
    .set({ cancelRequestedAt: at })
    .where(
      and(
        eq(payments.applicationId, applicationId),
        eq(payments.method, 'card'),
        or(
          // A failed one is still recorded if the provider reports that it was paid after all.
          inArray(payments.status, ['pending', 'processing', 'failed']),
          // A bank took it back before it arrived; a won dispute can still bring it.
          and(eq(payments.status, 'returned'), isNull(payments.paidAt)),
        ),
        isNull(payments.voidedAt),
        isNull(payments.cancelRequestedAt),
      ),
    )
    .returning({ id: payments.id })
    .all()
    .map(({ id }) => id)
}

/** The same for open checkouts that ask for more than is open, once money was recorded for the application or moved to it. */
export function requestCancellationOfPaid(tx: Tx, at: string, application: ApplicationRow): string[] {
  const { open, rows } = moneyOf(tx, application)
  const pending = rows.filter(
    row => row.method === 'card' && row.status === 'pending' && row.cancelRequestedAt === null,
  )
  const isTooMuch = ({ amountCents, type }: PaymentRow) =>
    amountCents > (type === 'deposit' ? open.depositCents : (open.rentCents ?? Number.POSITIVE_INFINITY))
  const leadOf = ({ checkoutLeadId, id }: PaymentRow) => checkoutLeadId ?? id
  const paid = new Set(pending.filter(isTooMuch).map(leadOf))
  const ids = pending.filter(row => paid.has(leadOf(row))).map(({ id }) => id)
  tx.update(payments).set({ cancelRequestedAt: at }).where(inArray(payments.id, ids)).run()
  return ids
}

/** Closes the checkouts of canceled payments at the provider. Never rejects: the sweep retries what fails. */
export async function closeCanceledCheckouts(deps: Deps, paymentIds: readonly string[]): Promise<void> {
  if (!deps.provider) return
  await Promise.all(
    paymentIds.map(async id => {
      const payment = findPayment(deps.db, id)
      if (payment?.status !== 'pending' || payment.checkoutSessionId === null) return
      // Closed with the first payment of its checkout.
      if (payment.checkoutLeadId !== null) return
      await closeCheckout(deps, payment).catch(error =>
        deps.log.warn({ err: error, paymentId: id }, 'a checkout will be closed later'),
      )
    }),
  )
}

/** Keeps a deleted application's payments in the ledger, unlinked from it. */
export function unlinkPayments(tx: Tx, applicationId: string): void {
  tx.update(payments)
    .set({ applicationId: null, formerApplicationId: applicationId })
    .where(eq(payments.applicationId, applicationId))
    .run()
}
