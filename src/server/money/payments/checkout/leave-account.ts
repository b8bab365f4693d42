import { and, eq, isNull } from 'drizzle-orm'
import Stripe from 'stripe'
import { isUnfinishedPayment, payments } from '../../../../../db/schema.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import type { Deps } from '../../../kernel/deps.ts'
import { setAsidePayment } from '../reconcile/provider-sync.ts'
import type { PaymentRow } from '../records.ts'
import { isNotFound, requestOptions } from '../stripe.ts'
import { closeCheckout } from './checkout.ts'

/**
 * Closes open checkouts of the former account, whose payments would not be recorded after the change. One that cannot be
 * closed, because the former key was revoked, is a notice.
 * @throws AppError conflict while a bank payment is on its way there; provider_failed if the provider does not say which
 * payments are open there, or does not close one
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
    await closeCheckout(
      deps,
      row,
      'An open checkout could not be closed in the former Stripe account, so nothing was changed. Please try again in a few minutes.',
    ).catch(async error => {
      if (!isLocked(error)) throw error
      deps.log.warn({ err: error, paymentId: row.id }, 'a checkout of the former account stays open')
      await deps.write(tx =>
        setAsidePayment(deps, tx, row, {
          kind: 'left',
          what: 'can still be made in the former account, whose key no longer works, and would not be recorded here. Expire its checkout there, or record the payment by hand once it was made.',
        }),
      )
    })
}

async function isKnownTo({ checkout }: Stripe, { checkoutSessionId }: PaymentRow): Promise<boolean> {
  if (checkoutSessionId === null) return false
  return checkout.sessions.retrieve(checkoutSessionId, {}, requestOptions).then(
    () => true,
    cause => {
      if (isNotFound(cause)) return false
      throw new AppError(
        'provider_failed',
        'Stripe did not say whether an open payment is in this account, so nothing was changed. Please try again in a few minutes; a restricted key must be allowed to read Checkout Sessions.',
        { cause },
      )
    },
  )
}

/** Whether the former account cannot be reached at all: its key was revoked, or cannot be read. */
function isLocked(error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  const { cause, code } = error
  return (
    code === 'unavailable' ||
    cause instanceof Stripe.errors.StripeAuthenticationError ||
    cause instanceof Stripe.errors.StripePermissionError
  )
}
