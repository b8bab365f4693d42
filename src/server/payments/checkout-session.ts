import { and, eq, isNull } from 'drizzle-orm'
import type Stripe from 'stripe'
import { applications, payments, users } from '../../../db/schema.ts'
import { AppError } from '../../domain/errors.ts'
import { paymentTypeLabels } from '../../domain/ledger.ts'
import type { Deps } from '../deps.ts'
import { faultPoint } from '../fault-point.ts'
import { requireProvider } from './provider.ts'
import { findPayment, type PaymentRow } from './records.ts'
import { advance, attachSession } from './settle.ts'
import { isRefusal } from './stripe.ts'

/** Between 30 minutes and 24 hours at the provider; long enough to be asked for again after a failure. */
export const checkoutLifetimeMs = 2 * 60 * 60 * 1000

export type OpenPayment = PaymentRow & { checkoutSessionId: string }

/**
 * Opens a pending payment's checkout at the provider, under the payment's id as idempotency key: asked again after no
 * answer, or by the sweep after a crash, it is the same session. A refusal ends the payment.
 * @throws AppError provider_failed
 */
export async function openSession(deps: Deps, payment: PaymentRow): Promise<OpenPayment> {
  const { stripe } = requireProvider(deps)
  let session: Stripe.Checkout.Session
  try {
    session = await stripe.checkout.sessions.create(sessionParams(deps, payment), {
      idempotencyKey: payment.id,
    })
  } catch (cause) {
    if (isRefusal(cause)) await deps.write(tx => advance(tx, payment, 'canceled'))
    deps.log.error({ err: cause, paymentId: payment.id }, 'the checkout could not be opened')
    throw new AppError('provider_failed', 'Failed to create checkout session', { cause })
  }
  faultPoint('checkout-opened')
  return deps.write(tx => {
    // The webhook may have been faster.
    if (!findPayment(tx, payment.id)?.checkoutSessionId) attachSession(tx, payment.id, session)
    return { ...payment, ...findPayment(tx, payment.id), checkoutSessionId: session.id }
  })
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
