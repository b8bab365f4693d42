import type Stripe from 'stripe'
import { newId } from './ids.ts'
import type { SessionParams } from './params.ts'

type Price = Omit<Stripe.Price, 'unit_amount_decimal'> & { unit_amount_decimal: string }
/** As on the wire: the SDK's type has the decimal already converted. */
export type LineItem = Omit<Stripe.LineItem, 'price'> & { price: Price }

export type SessionDetails = {
  lineItems: LineItem[]
  paymentIntent: SessionParams['payment_intent_data']
}

export function buildLineItem(
  { price_data, quantity }: SessionParams['line_items'][number],
  created: number,
): LineItem {
  const total = price_data.unit_amount * quantity
  return {
    id: newId('li_1'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency: price_data.currency,
    description: price_data.product_data.name,
    metadata: {},
    price: {
      id: newId('price_1'),
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created,
      currency: price_data.currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: newId('prod_'),
      recurring: null,
      tax_behavior: 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'one_time',
      unit_amount: price_data.unit_amount,
      unit_amount_decimal: String(price_data.unit_amount),
    },
    quantity,
  }
}

/** An open session; its payment intent is made with the first attempt to pay, as the provider does. */
export function buildSession(
  params: SessionParams,
  { amount, created, publicOrigin }: { amount: number; created: number; publicOrigin: string },
): Stripe.Checkout.Session {
  const id = newId('cs_test_a1')
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created,
    currency: params.line_items[0]?.price_data.currency ?? 'usd',
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: params.customer_creation ?? 'if_required',
    customer_details: params.customer_email ? buildCustomerDetails(params.customer_email, null) : null,
    customer_email: params.customer_email ?? null,
    discounts: [],
    expires_at: params.expires_at ?? created + 24 * 60 * 60,
    integration_identifier: null,
    invoice: null,
    invoice_creation: {
      enabled: false,
      invoice_data: {
        account_tax_ids: null,
        custom_fields: null,
        description: null,
        footer: null,
        issuer: null,
        metadata: {},
        rendering_options: null,
      },
    },
    livemode: false,
    locale: params.locale ?? null,
    managed_payments: { enabled: false },
    metadata: params.metadata,
    mode: 'payment',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: params.allowed_payment_method_types ?? ['card', 'us_bank_account'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: params.submit_type ?? null,
    subscription: null,
    success_url: params.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${publicOrigin}/sandbox/pay/${id}`,
    wallet_options: null,
  }
}

export function buildCustomerDetails(
  email: string | null,
  name: string | null,
): Stripe.Checkout.Session.CustomerDetails {
  return {
    address: {
      city: null,
      country: name ? 'US' : null,
      line1: null,
      line2: null,
      postal_code: null,
      state: null,
    },
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  }
}

export function buildPaymentIntent(
  session: Stripe.Checkout.Session,
  data: SessionDetails['paymentIntent'],
  created: number,
): Stripe.PaymentIntent {
  const id = newId('pi_3')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: session.amount_total ?? 0,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${newId('prod_').slice(5)}`,
    confirmation_method: 'automatic',
    created,
    currency: session.currency ?? 'usd',
    customer: null,
    customer_account: null,
    description: data.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: { enabled: false },
    metadata: data.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: session.payment_method_types,
    payment_record: null,
    processing: null,
    receipt_email: data.receipt_email ?? null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: data.statement_descriptor ?? null,
    statement_descriptor_suffix: data.statement_descriptor_suffix ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  }
}
