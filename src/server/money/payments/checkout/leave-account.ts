import { and, eq, isNull } from 'drizzle-orm'
import type Stripe from 'stripe'
import { isUnfinishedPayment, payments } from '../../../../../db/schema.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import type { Deps } from '../../../kernel/deps.ts'
import type { PaymentRow } from '../records.ts'
import { isNotFound, requestOptions } from '../stripe.ts'
import { closeCheckout } from './checkout.ts'

/**
 * Closes open checkouts of the former account, whose payments would not be recorded after the change. One that cannot be
 * closed, because the former key was revoked, is only logged.
 * @throws AppError conflict while a bank payment is on its way there
 */
export async function leaveAccount(deps: Deps, next: Stripe): Promise<void> {
  const left: PaymentRow[] = []
  const unfinished = and(isUnfinishedPayment, eq(payments.method, 'card'), isNull(payments.checkoutLeadId))
  for (const row of deps.db.select().from(payments).where(unfinished).all())
    if (!(await isKnownTo(next, row))) left.push(row)
  if (left.some(({ status }) => status === 'processing'))
    throw new AppError(
      'conflict',
      'A bank payment is on its way to the former Stripe account. Please change the account once it has arrived.',
    )
  for (const row of left)
    await closeCheckout(deps, row).catch(error =>
      deps.log.warn({ err: error, paymentId: row.id }, 'a checkout of the former account stays open'),
    )
}

async function isKnownTo({ checkout }: Stripe, { checkoutSessionId }: PaymentRow): Promise<boolean> {
  if (checkoutSessionId === null) return false
  return checkout.sessions.retrieve(checkoutSessionId, {}, requestOptions).then(
    () => true,
    error => !isNotFound(error),
  )
}
