import type Stripe from 'stripe'
import { newId } from './ids.ts'
import type { EndpointParams, SessionParams } from './params.ts'
import type { Method } from './test-numbers.ts'

// The provider's objects, with only the fields that the site, the sandbox pages or a test reads.
type PartialDeep<T> = T extends object ? { [K in keyof T]?: PartialDeep<T[K]> } : T

export type Session = ReturnType<typeof buildSession>
export type LineItem = ReturnType<typeof buildLineItem>
export type PaymentIntent = ReturnType<typeof buildPaymentIntent>
export type Charge = ReturnType<typeof buildCharge>
export type BalanceTransaction = ReturnType<typeof buildBalanceTransaction>
export type Refund = ReturnType<typeof buildRefund>
export type Dispute = ReturnType<typeof buildDispute>

export type WebhookEndpoint = ReturnType<typeof buildEndpoint>

export type Payer = { email: string | null; name: string | null }

export function buildLineItem({ price_data, quantity }: SessionParams['line_items'][number]) {
  return {
    id: newId('li_1'),
    object: 'item',
    amount_total: price_data.unit_amount * quantity,
    currency: price_data.currency,
    description: price_data.product_data.name,
    quantity,
  } satisfies PartialDeep<Stripe.LineItem>
}

/** An open session. As with the real provider, its payment intent is created at the first attempt to pay. */
export function buildSession(
  params: SessionParams,
  { amount, created, publicOrigin }: { amount: number; created: number; publicOrigin: string },
) {
  const id = newId('cs_test_a1', 58)
  const allowedTypes = params.allowed_payment_method_types
  return {
    id,
    object: 'checkout.session',
    allowed_payment_method_types: allowedTypes ?? null,
    amount_subtotal: amount,
    amount_total: amount,
    cancel_url: params.cancel_url,
    client_reference_id: params.client_reference_id ?? null,
    created,
    currency: params.line_items[0]?.price_data.currency ?? 'usd',
    customer_details: null as Payer | null,
    customer_email: params.customer_email ?? null,
    expires_at: params.expires_at ?? created + 24 * 60 * 60,
    livemode: false,
    metadata: params.metadata,
    mode: params.mode,
    payment_intent: null as string | null,
    payment_method_types: allowedTypes ?? (['card', 'us_bank_account'] satisfies Method['type'][]),
    payment_status: 'unpaid' as 'paid' | 'unpaid',
    status: 'open' as 'complete' | 'expired' | 'open',
    success_url: params.success_url,
    url: `${publicOrigin}/sandbox/pay/${id}` as string | null,
  } satisfies PartialDeep<Stripe.Checkout.Session>
}

export function buildPaymentIntent(session: Session, metadata: Record<string, string>) {
  return {
    id: newId('pi_3'),
    object: 'payment_intent',
    amount: session.amount_total,
    amount_received: 0,
    currency: session.currency,
    last_payment_error: null as { code: string; message: string } | null,
    latest_charge: null as string | null,
    metadata,
    status: 'requires_payment_method' as Stripe.PaymentIntent.Status,
  } satisfies PartialDeep<Stripe.PaymentIntent>
}

/** A charge before its outcome is known. */
export function buildCharge(intent: PaymentIntent, method: Method, created: number) {
  return {
    id: newId(method.type === 'card' ? 'ch_3' : 'py_3'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    balance_transaction: null as string | null,
    captured: false as boolean,
    created,
    currency: intent.currency,
    disputed: false as boolean,
    failure_message: null as string | null,
    metadata: intent.metadata,
    paid: false as boolean,
    payment_intent: intent.id,
    payment_method_details: methodDetails(method),
    receipt_url: null as string | null,
    refunded: false as boolean,
    status: 'pending' as Stripe.Charge.Status,
  } satisfies PartialDeep<Stripe.Charge>
}

/** What a paid charge adds to the account, less the provider's usual fee. */
export function buildBalanceTransaction(
  { amount, currency, id, payment_method_details }: Charge,
  created: number,
) {
  const isCard = payment_method_details.type === 'card'
  const fee = isCard ? Math.round(amount * 0.029) + 30 : Math.min(500, Math.round(amount * 0.008))
  return {
    id: newId('txn_3'),
    object: 'balance_transaction',
    amount,
    created,
    currency,
    fee,
    net: amount - fee,
    source: id,
    status: 'available',
    type: isCard ? 'charge' : 'payment',
  } satisfies PartialDeep<Stripe.BalanceTransaction>
}

type MethodDetails = {
  type: Method['type']
  card?: { brand?: string; last4: string }
  us_bank_account?: { last4: string }
}

function methodDetails({ brand, last4, type }: Method): MethodDetails {
  return type === 'card' ? { type, card: { brand, last4 } } : { type, us_bank_account: { last4 } }
}

export function buildRefund(
  charge: Charge,
  amount: number,
  { created, metadata }: { created: number; metadata: Record<string, string> },
) {
  return {
    id: newId('re_3'),
    object: 'refund',
    amount,
    charge: charge.id,
    created,
    currency: charge.currency,
    metadata,
    payment_intent: charge.payment_intent,
    status: 'succeeded' as 'succeeded' | 'failed',
    failure_reason: undefined as string | undefined,
  } satisfies PartialDeep<Stripe.Refund>
}

/** A dispute. For a bank debit it is lost at once; for a card it waits for a response. */
export function buildDispute(charge: Charge, amount: number, created: number) {
  const isBank = charge.payment_method_details.type === 'us_bank_account'

  return {
    id: newId('du_1'),
    object: 'dispute',
    amount,
    charge: charge.id,
    created,
    currency: charge.currency,
    evidence_details: { due_by: isBank ? null : created + 9 * 24 * 60 * 60 },
    payment_intent: charge.payment_intent,
    reason: isBank ? 'insufficient_funds' : 'general',
    status: (isBank ? 'lost' : 'needs_response') as Stripe.Dispute.Status,
  } satisfies PartialDeep<Stripe.Dispute>
}

/** A webhook endpoint with its secret, which only the answer to its creation contains. */
export function buildEndpoint({ enabled_events, metadata, url }: EndpointParams, created: number) {
  return {
    id: newId('we_1'),
    object: 'webhook_endpoint',
    created,
    enabled_events,
    livemode: false,
    metadata,
    secret: newId('whsec_', 32),
    status: 'enabled',
    url,
  } satisfies PartialDeep<Stripe.WebhookEndpoint>
}
