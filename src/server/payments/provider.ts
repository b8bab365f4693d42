import type Stripe from 'stripe'

/** The payment provider's SDK, reached over HTTP: Stripe, the demo's sandbox, or a stand-in in tests. */
export type PaymentProvider = { stripe: Stripe; webhookSecret: string }
