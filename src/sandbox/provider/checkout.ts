import type Stripe from 'stripe'
import { ApiError, noSuch } from './api-error.ts'
import { buildCharge, failCharge, succeedCharge } from './charge-objects.ts'
import {
  buildCustomerDetails,
  buildLineItem,
  buildPaymentIntent,
  buildSession,
  type SessionDetails,
} from './checkout-objects.ts'
import { emit, nowSeconds, type SandboxContext } from './events.ts'
import type { SessionParams } from './params.ts'
import { bankFailure, type Decline, type Method } from './test-methods.ts'

const minutes = 60
const hours = 60 * minutes
const minimumCents = 50
const maximumCents = 99_999_999
/** How long a bank transfer takes here; the provider's takes days. */
export const bankTransferMs = 30_000

export type Attempt = { paid: boolean; pending: boolean; message?: string }
export type Payer = { email: string | null; name: string | null }

export function createSession(context: SandboxContext, params: SessionParams): Stripe.Checkout.Session {
  const created = nowSeconds(context)
  const lineItems = params.line_items.map(item => buildLineItem(item, created))
  const amount = lineItems.reduce((sum, item) => sum + item.amount_total, 0)
  const currency = lineItems[0]?.currency
  if (lineItems.some(item => item.currency !== currency)) {
    throw new ApiError('All line items must have the same currency.', { param: 'line_items' })
  }
  if (amount < minimumCents) {
    throw new ApiError("The Checkout Session's total amount due must add up to at least $0.50 usd", {
      code: 'amount_too_small',
    })
  }
  if (amount > maximumCents) {
    throw new ApiError("The Checkout Session's total amount due must be no more than $999,999.99", {
      code: 'amount_too_large',
    })
  }
  if (params.expires_at !== undefined) {
    const lifetime = params.expires_at - created
    if (lifetime < 30 * minutes || lifetime > 24 * hours) {
      const limit = lifetime < 30 * minutes ? 'at least 30 minutes' : 'less than 24 hours'
      throw new ApiError(`The \`expires_at\` timestamp must be ${limit} from Checkout Session creation.`, {
        param: 'expires_at',
      })
    }
  }
  const session = buildSession(params, { amount, created, publicOrigin: context.publicOrigin })
  const details: SessionDetails = { lineItems, paymentIntent: params.payment_intent_data }
  context.store.insert(session)
  context.store.saveDetails(session.id, details)
  return session
}

export function findSession(context: SandboxContext, id: string): Stripe.Checkout.Session {
  const session = context.store.find('checkout.session', id)
  if (!session) throw noSuch('checkout.session', id, 'session')
  return session
}

export function sessionDetails(context: SandboxContext, id: string): SessionDetails {
  return context.store.details<SessionDetails>(id) ?? { lineItems: [], paymentIntent: { metadata: {} } }
}

export function expireSession(context: SandboxContext, id: string): Stripe.Checkout.Session {
  const session = findSession(context, id)
  if (session.status !== 'open') {
    throw new ApiError(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    )
  }
  const intent = intentOf(context, session)
  if (intent) {
    const canceled = {
      ...intent,
      canceled_at: nowSeconds(context),
      cancellation_reason: 'automatic',
      status: 'canceled',
    } as const
    context.store.save(canceled)
    emit(context, 'payment_intent.canceled', canceled)
  }
  const expired = { ...session, status: 'expired', url: null } as const
  context.store.save(expired)
  emit(context, 'checkout.session.expired', expired)
  return expired
}

/** Whatever time alone brings about: sessions that ran out, bank transfers that arrive or bounce. */
export function advanceTime(context: SandboxContext): void {
  context.store.atomically(() => {
    for (const session of context.store.sessionsToExpire(nowSeconds(context)))
      expireSession(context, session.id)
    for (const due of context.store.settlementsDue(context.now().getTime()))
      settle(context, due.session, due.ok === 1)
  })
}

/**
 * One attempt to pay an open session. A refused card leaves the session open with a failed charge; a bank
 * transfer completes it unpaid, and settles by itself unless `settlesByItself` is false.
 * @throws ApiError when the session is not open
 */
export function attemptPayment(
  context: SandboxContext,
  sessionId: string,
  method: Method,
  { payer, settlesByItself = true }: { payer?: Payer; settlesByItself?: boolean } = {},
): Attempt {
  const session = findSession(context, sessionId)
  if (session.status !== 'open') {
    throw new ApiError(`This Checkout Session is ${session.status} and can no longer be paid.`)
  }
  const created = nowSeconds(context)
  const who: Payer = payer ?? { email: session.customer_email, name: null }
  let intent = intentOf(context, session)
  if (!intent) {
    intent = buildPaymentIntent(session, sessionDetails(context, session.id).paymentIntent, created)
    context.store.insert(intent)
    emit(context, 'payment_intent.created', intent)
  }
  const charge = buildCharge(intent, method, who, created)
  intent = { ...intent, latest_charge: charge.id, payment_method: charge.payment_method }
  context.store.insert(charge)
  if (method.type === 'card' && method.decline) {
    fail(context, intent, charge, method.decline)
    context.store.save({ ...session, payment_intent: intent.id })
    return { paid: false, pending: false, message: method.decline.message }
  }
  const complete: Stripe.Checkout.Session = {
    ...session,
    customer_details: buildCustomerDetails(who.email, who.name),
    payment_intent: intent.id,
    payment_status: method.type === 'card' ? 'paid' : 'unpaid',
    status: 'complete',
    url: null,
  }
  if (method.type === 'card') {
    succeed(context, intent, charge)
  } else {
    intent = { ...intent, last_payment_error: null, status: 'processing' }
    context.store.save(intent)
    emit(context, 'charge.pending', charge)
    emit(context, 'payment_intent.processing', intent)
    if (settlesByItself) {
      context.store.planSettlement(session.id, context.now().getTime() + bankTransferMs, method.settles)
    }
  }
  context.store.save(complete)
  emit(context, 'checkout.session.completed', complete)
  return { paid: method.type === 'card', pending: method.type !== 'card' }
}

/** A bank transfer arrives, or fails days later: the session stays complete, paid only if it arrived. */
export function settle(context: SandboxContext, sessionId: string, ok: boolean): void {
  const session = findSession(context, sessionId)
  const intent = intentOf(context, session)
  const charge = intent && context.store.find('charge', String(intent.latest_charge))
  context.store.forgetSettlement(sessionId)
  if (!intent || !charge || intent.status !== 'processing') {
    throw new ApiError('This Checkout Session has no payment that is still on its way.')
  }
  if (ok) {
    succeed(context, intent, charge)
    const paid = { ...session, payment_status: 'paid' } as const
    context.store.save(paid)
    emit(context, 'checkout.session.async_payment_succeeded', paid)
  } else {
    fail(context, intent, charge, bankFailure)
    emit(context, 'checkout.session.async_payment_failed', session)
  }
}

function intentOf(
  context: SandboxContext,
  session: Stripe.Checkout.Session,
): Stripe.PaymentIntent | undefined {
  return session.payment_intent
    ? context.store.find('payment_intent', String(session.payment_intent))
    : undefined
}

function succeed(context: SandboxContext, intent: Stripe.PaymentIntent, charge: Stripe.Charge): void {
  const paidCharge = succeedCharge(charge, context.publicOrigin)
  const paidIntent = {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    status: 'succeeded',
  } as const
  context.store.save(paidCharge)
  context.store.save(paidIntent)
  emit(context, 'charge.succeeded', paidCharge)
  emit(context, 'payment_intent.succeeded', paidIntent)
}

function fail(
  context: SandboxContext,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge,
  decline: Decline,
): void {
  const failedCharge = failCharge(charge, decline)
  const failedIntent: Stripe.PaymentIntent = {
    ...intent,
    last_payment_error: {
      charge: charge.id,
      code: decline.code,
      decline_code: decline.declineCode,
      message: decline.message,
      type: 'card_error',
    },
    payment_method: null,
    status: 'requires_payment_method',
  }
  context.store.save(failedCharge)
  context.store.save(failedIntent)
  emit(context, 'charge.failed', failedCharge)
  emit(context, 'payment_intent.payment_failed', failedIntent)
}
