import { and, eq, isNull, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Tx } from '../../../../db/open.ts'
import { applications, payments, users } from '../../../../db/schema.ts'
import { AppError } from '../../../domain/errors.ts'
import { paymentTypeLabels } from '../../../domain/ledger.ts'
import type { Deps } from '../../kernel/deps.ts'
import { requireProvider } from '../../kernel/payment-provider.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { createKeyedLock } from '../../lib/keyed-lock.ts'
import { findPayment, type PaymentRow } from '../ledger/records.ts'
import { advance, attachSession } from '../reconcile/reconcile.ts'
import { isKeyReused, isRefusal, isRetryableWithSameKey } from '../stripe.ts'
import { lookUpSessions } from './checkout-lookup.ts'

/** Between 30 minutes and 24 hours at the provider; long enough to be asked for again after a failure. */
export const checkoutLifetimeMs = 2 * 60 * 60 * 1000

export type OpenPayment = PaymentRow & { checkoutSessionId: string }

const perPayment = createKeyedLock()

/**
 * A payment with the session that is found for it at the provider. Rejects when the provider does not answer; see
 * `lookUpSessions`.
 */
export function lookUp(deps: Deps, { id }: PaymentRow): Promise<PaymentRow> {
  return perPayment(id, () => found(deps, read(deps, id)))
}

/**
 * The same for a payment that is to end: without a session it is canceled. One may yet come of a call that is under
 * way; it is watched for, and closed.
 */
export function lookUpOrCancel(deps: Deps, { id }: PaymentRow): Promise<PaymentRow> {
  return perPayment(id, async () => {
    const row = await found(deps, read(deps, id))
    if (row.checkoutSessionId !== null) return row
    return deps.write(tx => {
      const now = findPayment(tx, id) ?? row
      if (now.checkoutSessionId !== null || now.status !== 'pending') return now
      if (now.checkoutAttempt === 0) countFailedAttempt(tx, id)
      advance(tx, now, 'canceled')
      return findPayment(tx, id) ?? now
    })
  })
}

async function found(deps: Deps, row: PaymentRow): Promise<PaymentRow> {
  if (row.checkoutSessionId === null) await lookUpSessions(deps, [row])
  return read(deps, row.id)
}

function read({ db }: Deps, paymentId: string): PaymentRow {
  const row = findPayment(db, paymentId)
  if (!row) throw new Error(`no payment ${paymentId}`)
  return row
}

/**
 * Opens a pending payment's checkout at the provider, under the payment's id as idempotency key: asked again after no
 * answer, or by the sweep after a crash, it is the same session. A refusal ends the payment. After any other failure
 * that was answered the key is used up: the next call looks up what that attempt left behind, and needs another key
 * only where it left nothing.
 * @throws AppError provider_failed; conflict for a payment that was canceled meanwhile
 */
export function openSession(deps: Deps, { id }: PaymentRow): Promise<OpenPayment> {
  return perPayment(id, async () => {
    const known = read(deps, id)
    const row = known.checkoutAttempt > 0 ? await found(deps, known).catch(cannotOpen) : known
    if (row.checkoutSessionId !== null) return { ...row, checkoutSessionId: row.checkoutSessionId }
    if (row.status !== 'pending')
      throw new AppError('conflict', 'This checkout was closed meanwhile. Please try again.')
    return createSession(deps, row)
  })
}

function cannotOpen(cause: unknown): never {
  throw new AppError('provider_failed', 'Failed to create checkout session', { cause })
}

async function createSession(deps: Deps, payment: PaymentRow): Promise<OpenPayment> {
  const { stripe } = requireProvider(deps)
  const { checkoutAttempt, id } = payment
  let session: Stripe.Checkout.Session
  try {
    session = await stripe.checkout.sessions.create(sessionParams(deps, payment), {
      idempotencyKey: checkoutAttempt === 0 ? id : `${id}-${checkoutAttempt}`,
    })
  } catch (cause) {
    deps.log.error({ err: cause, paymentId: id }, 'the checkout could not be opened')
    if (!isRetryableWithSameKey(cause))
      await deps.write(tx => {
        countFailedAttempt(tx, id)
        if (isRefusal(cause) && !isKeyReused(cause)) advance(tx, payment, 'canceled')
      })
    return cannotOpen(cause)
  }
  failpoint('checkout-opened')
  return deps.write(tx => {
    // The webhook may have been faster.
    if (!findPayment(tx, payment.id)?.checkoutSessionId) attachSession(tx, payment.id, session)
    return { ...payment, ...findPayment(tx, payment.id), checkoutSessionId: session.id }
  })
}

/** What was asked for so far may still have made a session: from now on the payment's sessions are looked up. */
export function countFailedAttempt(tx: Tx, paymentId: string): void {
  tx.update(payments)
    .set({ checkoutAttempt: sql`${payments.checkoutAttempt} + 1` })
    .where(eq(payments.id, paymentId))
    .run()
}

/** Everything comes from the row, so that a repeated call is the same call. */
function sessionParams({ db }: Deps, payment: PaymentRow): Stripe.Checkout.SessionCreateParams {
  const { amountCents, checkoutExpiresAt, feeCents, id, type } = payment
  const user = db.select({ email: users.email }).from(users).where(eq(users.id, payment.userId)).get()
  const application = payment.applicationId
    ? db.select().from(applications).where(eq(applications.id, payment.applicationId)).get()
    : undefined
  const label = paymentTypeLabels[type]
  const metadata = {
    paymentId: id,
    paymentType: type,
    ...(application && { applicationId: application.id, applicationNumber: application.number }),
  }
  const item = (unit_amount: number, name: string, description?: string) => ({
    quantity: 1,
    price_data: { currency: 'usd', unit_amount, product_data: { name, ...(description && { description }) } },
  })
  return {
    mode: 'payment',
    // The price holds the card fee: no other way to pay is offered with it.
    allowed_payment_method_types: ['card'],
    client_reference_id: id,
    customer_email: user?.email,
    metadata,
    payment_intent_data: {
      metadata,
      description: application ? `${label}, application ${application.number}` : label,
    },
    line_items: [
      item(amountCents, application ? `${label} (${application.number})` : label, payment.description),
      ...(feeCents > 0 ? [item(feeCents, 'Card fee')] : []),
    ],
    success_url: payment.successUrl ?? '',
    cancel_url: payment.cancelUrl ?? '',
    expires_at: Math.floor(Date.parse(checkoutExpiresAt ?? payment.createdAt) / 1000),
  }
}

/** Card payments that wait for their checkout to be paid, oldest first. */
export function openCheckouts(
  { db }: Pick<Deps, 'db'>,
  of: { userId: string; applicationId: string | undefined; type: PaymentRow['type'] },
): PaymentRow[] {
  return db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.userId, of.userId),
        of.applicationId ? eq(payments.applicationId, of.applicationId) : isNull(payments.applicationId),
        eq(payments.type, of.type),
        eq(payments.method, 'card'),
        eq(payments.status, 'pending'),
        isNull(payments.voidedAt),
      ),
    )
    .orderBy(payments.createdAt)
    .all()
}
