import { ApiError, notFound } from './http.ts'
import {
  buildBalanceTransaction,
  buildCharge,
  buildLineItem,
  buildPaymentIntent,
  buildSession,
  type Charge,
  type Payer,
  type PaymentIntent,
  type Session,
} from './objects.ts'
import type { SessionParams } from './params.ts'
import { openDispute } from './refunds-and-disputes.ts'
import { emit, nowSeconds, type SandboxContext } from './store.ts'
import { bankInsufficientFunds, type Decline, type Method } from './test-numbers.ts'

const minute = 60
const hour = 60 * minute
/** How long each step of a bank transfer takes here; with the real provider it takes days. */
const bankStepMs = 30_000

export type Attempt = { paid: boolean; pending: boolean; message?: string }

export function createSession(context: SandboxContext, params: SessionParams): Session {
  const created = nowSeconds(context)
  const lineItems = params.line_items.map(buildLineItem)
  const amount = lineItems.reduce((sum, item) => sum + item.amount_total, 0)
  checkSession(params, amount, created)
  const session = buildSession(params, { amount, created, publicOrigin: context.publicOrigin })
  context.store.insert(session)
  context.store.saveDetails(session.id, { lineItems, paymentIntent: params.payment_intent_data })
  return session
}

function checkSession({ expires_at, line_items }: SessionParams, amount: number, created: number): void {
  const total = "The Checkout Session's total amount due must"
  if (new Set(line_items.map(item => item.price_data.currency)).size > 1)
    throw new ApiError('All line items must have the same currency.', { param: 'line_items' })
  if (amount < 50) throw new ApiError(`${total} add up to at least $0.50 usd`, { code: 'amount_too_small' })
  if (amount > 99_999_999)
    throw new ApiError(`${total} be no more than $999,999.99`, { code: 'amount_too_large' })
  const lifetime = expires_at === undefined ? 24 * hour : expires_at - created
  if (lifetime >= 30 * minute && lifetime <= 24 * hour) return
  const limits = 'at least 30 minutes and at most 24 hours'
  throw new ApiError(`The \`expires_at\` timestamp must be ${limits} from Checkout Session creation.`, {
    param: 'expires_at',
  })
}

export function findSession(context: SandboxContext, id: string): Session {
  const session = context.store.find('checkout.session', id)
  if (!session) throw notFound('checkout.session', id)
  return session
}

export function expireSession(context: SandboxContext, id: string): Session {
  const session = findSession(context, id)
  if (session.status !== 'open') {
    throw new ApiError(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    )
  }
  const intent = context.store.find('payment_intent', session.payment_intent)
  if (intent) context.store.save({ ...intent, status: 'canceled' })
  const expired: Session = { ...session, status: 'expired', url: null }
  context.store.save(expired)
  emit(context, 'checkout.session.expired', expired)
  return expired
}

/** Applies changes caused by time alone: sessions expire, and bank transfers settle, fail or are returned. */
export function advanceTime(context: SandboxContext): void {
  const { now, store } = context
  store.atomically(() => {
    for (const { id } of store.sessionsToExpire(nowSeconds(context))) expireSession(context, id)
    const nowMs = now().getTime()
    for (const { ok, session } of store.settlementsDue(nowMs)) settle(context, session, ok === 1)
    for (const { charge } of store.returnsDue(nowMs)) returnCharge(context, charge)
  })
}

/**
 * One attempt to pay an open session. A declined card leaves the session open with a failed charge; a bank transfer
 * completes the session unpaid, and settles automatically unless `autoSettle` is false.
 * @throws ApiError if the session is not open
 */
export function attemptPayment(
  context: SandboxContext,
  sessionId: string,
  method: Method,
  { payer, autoSettle = true }: { payer?: Payer; autoSettle?: boolean } = {},
): Attempt {
  const { now, store } = context
  const session = findSession(context, sessionId)
  if (session.status !== 'open')
    throw new ApiError(`This Checkout Session is ${session.status} and can no longer be paid.`)
  const known = store.find('payment_intent', session.payment_intent) ?? startIntent(context, session)
  const charge = buildCharge(known, method, nowSeconds(context))
  const intent = { ...known, latest_charge: charge.id }
  const isCard = method.type === 'card'
  store.insert(charge)
  if (method.failure && (isCard || method.failsAtOnce)) {
    fail(context, intent, charge, method.failure)
    store.save({ ...session, payment_intent: intent.id })
    return { paid: false, pending: false, message: method.failure.message }
  }
  if (isCard) succeed(context, intent, charge)
  else {
    store.save({ ...intent, last_payment_error: null, status: 'processing' })
    if (autoSettle) store.planSettlement(session.id, now().getTime() + bankStepMs, !method.failure)
    // The return is dated from the settlement, which may be late.
    if (autoSettle && method.isReturned) store.planReturn(charge.id)
  }
  const complete: Session = {
    ...session,
    customer_details: payer ?? { email: session.customer_email, name: null },
    payment_intent: intent.id,
    payment_status: isCard ? 'paid' : 'unpaid',
    status: 'complete',
    url: null,
  }
  store.save(complete)
  emit(context, 'checkout.session.completed', complete)
  return { paid: isCard, pending: !isCard }
}

function startIntent(context: SandboxContext, session: Session): PaymentIntent {
  const intent = buildPaymentIntent(session, context.store.details(session.id).paymentIntent.metadata)
  context.store.insert(intent)
  emit(context, 'payment_intent.created', intent)
  return intent
}

/** Settles or fails a bank transfer. The session stays complete, and is paid only if the transfer succeeded. */
export function settle(context: SandboxContext, sessionId: string, ok: boolean): void {
  const session = findSession(context, sessionId)
  const intent = context.store.find('payment_intent', session.payment_intent)
  const charge = intent && context.store.find('charge', intent.latest_charge)
  context.store.deleteSettlement(sessionId)
  if (!charge || intent.status !== 'processing')
    throw new ApiError('This Checkout Session has no payment that is still on its way.')
  if (!ok) {
    fail(context, intent, charge, bankInsufficientFunds)
    emit(context, 'checkout.session.async_payment_failed', session)
    return
  }
  succeed(context, intent, charge)
  context.store.dateReturn(charge.id, context.now().getTime() + bankStepMs)
  const paid: Session = { ...session, payment_status: 'paid' }
  context.store.save(paid)
  emit(context, 'checkout.session.async_payment_succeeded', paid)
}

/** The bank returns a settled transfer. */
function returnCharge(context: SandboxContext, chargeId: string): void {
  context.store.deleteReturn(chargeId)
  const charge = context.store.find('charge', chargeId)
  // A refunded or disputed charge has no money left to take back.
  if (charge && !charge.disputed && !charge.refunded) openDispute(context, chargeId)
}

function succeed(context: SandboxContext, intent: PaymentIntent, charge: Charge): void {
  const receipt_url = `${context.publicOrigin}/sandbox/receipts/${charge.id}`
  const outcome = { captured: true, paid: true, receipt_url, status: 'succeeded' } as const
  const transaction = buildBalanceTransaction(charge, nowSeconds(context))
  const paidCharge = {
    ...charge,
    ...outcome,
    amount_captured: charge.amount,
    balance_transaction: transaction.id,
  }
  context.store.insert(transaction)
  const paidIntent: PaymentIntent = {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    status: 'succeeded',
  }
  context.store.save(paidCharge)
  context.store.save(paidIntent)
  emit(context, 'charge.succeeded', paidCharge)
  emit(context, 'payment_intent.succeeded', paidIntent)
}

function fail(context: SandboxContext, intent: PaymentIntent, charge: Charge, failure: Decline): void {
  const { code, message } = failure
  const failed: PaymentIntent = {
    ...intent,
    last_payment_error: { code, message },
    status: 'requires_payment_method',
  }
  context.store.save({ ...charge, failure_message: message, status: 'failed' })
  context.store.save(failed)
  emit(context, 'payment_intent.payment_failed', failed)
}
