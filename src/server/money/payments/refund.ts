import { and, eq, gt, not } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Db, Tx } from '../../../../db/open.ts'
import { payments, refunds } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { hourMs } from '../../../domain/common/durations.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { formatCents } from '../../../domain/common/money.ts'
import {
  isCounted,
  leftOfTotalCents,
  type RefundPurpose,
  usualPurpose,
} from '../../../domain/money/ledger.ts'
import { bankRefundError } from '../../../domain/money/payment.ts'
import type { RefundInput } from '../../../domain/money/payment-input.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { requireProvider } from '../../kernel/payment-provider.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { createKeyedLock } from '../../lib/keyed-lock.ts'
import { withinReturnable } from './ledger-invariants.ts'
import { adminPayment } from './queries.ts'
import { closeRequest, recomputeStatus, refundRequestId, upsertRefund } from './reconcile/reconcile.ts'
import { findPayment, type PaymentRow, paymentNotFound } from './records.ts'
import { isAttemptKey } from './returns/legs.ts'
import { isRefusal } from './stripe.ts'

const paymentLock = createKeyedLock()

/**
 * Refunds a payment through the provider, in full or in part: cents of the total charged, split between amount and fee
 * in proportion. Repeating a request makes one refund; one without a response counts as made until the sweep knows.
 * @throws AppError forbidden without a step-up; not_found; bad_request for more than is left; conflict if pending
 * refunds, returns by hand, transfers or a dispute of money that was moved here leave too little, and for a bank payment
 * that is on its way, returned or too old; provider_failed
 */
export async function refundPayment(deps: Deps, actor: Admin, input: RefundInput) {
  requireStepUp(deps, deps.db, actor)
  const { stripe } = requireProvider(deps)
  return paymentLock(input.paymentId, async () => {
    const idempotencyKey = refundRequestId(input.paymentId, input.requestId)
    const request = await deps.write(tx => {
      const known = tx.select().from(refunds).where(eq(refunds.id, idempotencyKey)).get()
      if (known?.status === 'answered') return undefined
      if (known?.status === 'failed')
        throw new AppError('conflict', 'This refund did not go through. Please open the refund form again.')
      const payment = refundable(deps, findPayment(tx, input.paymentId))
      const totalCents = known?.totalCents ?? amountToRefund(tx, payment, input.totalCents)
      const purpose = known?.purpose ?? purposeOf(payment, input.purpose)
      if (!known)
        withinReturnable(tx, payment, () =>
          tx
            .insert(refunds)
            .values({
              id: idempotencyKey,
              paymentId: payment.id,
              totalCents,
              status: 'requested',
              purpose,
              createdAt: nowIso(deps),
            })
            .run(),
        )
      return { intentId: payment.stripePaymentIntentId ?? undefined, totalCents, purpose }
    })
    if (!request) return adminPayment(deps, input.paymentId)
    let refund: Stripe.Refund
    try {
      refund = await stripe.refunds.create(
        {
          payment_intent: request.intentId,
          amount: request.totalCents,
          reason: 'requested_by_customer',
          // Matches the refund to our request, even if the webhook arrives first.
          metadata: { requestId: idempotencyKey, purpose: request.purpose },
        },
        { idempotencyKey },
      )
    } catch (cause) {
      throw await refundFailed(deps, idempotencyKey, cause)
    }
    failpoint('refund-answered')
    await deps.write(tx => {
      closeRequest(tx, idempotencyKey, 'answered')
      const row = findPayment(tx, input.paymentId)
      if (!row) throw paymentNotFound()
      upsertRefund(deps, tx, [row], refund)
      recomputeStatus(tx, row)
      recordEvent(tx, nowIso(deps), actor, 'payment.refunded', input.paymentId, {
        totalCents: refund.amount,
        refundId: refund.id,
      })
    })
    return adminPayment(deps, input.paymentId)
  })
}

function refundable({ clock }: Deps, payment: PaymentRow | undefined): PaymentRow {
  if (!payment || payment.voidedAt) throw paymentNotFound()
  const problem = bankRefundError(payment, clock.now())
  if (problem) throw new AppError('conflict', problem)
  if (payment.method !== 'card' || !payment.stripePaymentIntentId || !isCounted(payment))
    throw new AppError(
      'conflict',
      payment.providerMethod === 'us_bank_account'
        ? 'Only a bank payment that has arrived can be refunded.'
        : 'Only a card payment that was received can be refunded to the card.',
    )
  return payment
}

function amountToRefund(tx: Tx, payment: PaymentRow, wanted: number | undefined): number {
  const left = leftOfTotalCents(payment)
  if (wanted !== undefined && wanted > left)
    throw fieldError('totalCents', `At most ${formatCents(left)} can be refunded.`)
  const underWay = tx
    .select()
    .from(refunds)
    .where(and(eq(refunds.paymentId, payment.id), eq(refunds.status, 'requested')))
    .all()
    .reduce((sum, { totalCents }) => sum + totalCents, 0)
  const remaining = Math.max(0, left - underWay)
  if (underWay > 0 && (wanted ?? 1) > remaining)
    throw new AppError(
      'conflict',
      `A refund of ${formatCents(underWay)} is still under way. At most ${formatCents(remaining)} more can be refunded.`,
    )
  return wanted ?? remaining
}

/**
 * Whether a refund of an application's payments has no answer yet; not one of a return, which tells its own end, nor after
 * an hour, because a former account never answers.
 */
export function isRefundUnknown({ clock }: Deps, db: Db, applicationId: string): boolean {
  const since = new Date(clock.now().getTime() - hourMs).toISOString()
  const isOpen = and(eq(refunds.status, 'requested'), not(isAttemptKey), gt(refunds.createdAt, since))
  const ofApplication = eq(payments.applicationId, applicationId)
  const rows = db.select().from(refunds).innerJoin(payments, eq(payments.id, refunds.paymentId))
  return rows.where(and(isOpen, ofApplication)).get() !== undefined
}

/** @throws AppError bad_request at `purpose`: only a deposit has a choice */
function purposeOf(
  { type }: PaymentRow,
  purpose: RefundInput['purpose'] = usualPurpose(type),
): RefundPurpose {
  if (type !== 'deposit' && purpose !== 'refund')
    throw fieldError('purpose', 'Only a deposit can be returned.')
  return purpose
}

/** Deletes a refused request; one without a response stays until the sweep knows. */
async function refundFailed(deps: Deps, requestId: string, cause: unknown): Promise<AppError> {
  deps.log.error({ err: cause, requestId }, 'a refund failed')
  if (!isRefusal(cause))
    return new AppError(
      'provider_failed',
      'The card provider did not answer. The refund may still have been made: please look again in a few minutes.',
      { cause },
    )
  await deps.write(tx => tx.delete(refunds).where(eq(refunds.id, requestId)).run())
  return new AppError('conflict', `The card provider refused the refund: ${cause.message}`, { cause })
}
