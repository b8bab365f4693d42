import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { payments } from '../../../../db/schema.ts'
import type { Deps } from '../../kernel/deps.ts'
import { findPayment } from '../ledger/records.ts'
import { closeCheckout } from './checkout.ts'

/**
 * From now on no card payment is expected for an application: in the transaction that declines or deletes it. Answers
 * the ids of the payments under way, for `closeCanceledCheckouts` once it is committed; where that is not done the sweep does it.
 */
export function requestCancellation(tx: Tx, at: string, applicationId: string): string[] {
  return tx
    .update(payments)
    .set({ cancelRequestedAt: at })
    .where(
      and(
        eq(payments.applicationId, applicationId),
        eq(payments.method, 'card'),
        inArray(payments.status, ['pending', 'processing']),
        isNull(payments.voidedAt),
        isNull(payments.cancelRequestedAt),
      ),
    )
    .returning({ id: payments.id })
    .all()
    .map(({ id }) => id)
}

/**
 * Closes the checkouts of canceled payments at the provider; never rejects. What the provider does not close now, and
 * what has no session yet, is left to whoever opens it and to the sweep.
 */
export async function closeCanceledCheckouts(deps: Deps, paymentIds: readonly string[]): Promise<void> {
  if (!deps.provider) return
  await Promise.all(
    paymentIds.map(async id => {
      const payment = findPayment(deps.db, id)
      if (payment?.status !== 'pending' || payment.checkoutSessionId === null) return
      await closeCheckout(deps, payment).catch(error =>
        deps.log.warn({ err: error, paymentId: id }, 'a checkout will be closed later'),
      )
    }),
  )
}
