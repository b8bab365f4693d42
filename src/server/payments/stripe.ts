import { randomBytes } from 'node:crypto'
import Stripe from 'stripe'
import { AppError } from '../../domain/errors.ts'
import { type Config, ownAddress } from '../kernel/config.ts'
import type { PaymentProvider } from '../kernel/payment-provider.ts'

const callTimeoutMs = 10_000
/** For questions that somebody waits on, or that are asked again anyway. */
export const requestOptions: Stripe.RequestOptions = { timeout: 8000, maxNetworkRetries: 0 }

/** The provider of this installation: the embedded sandbox, a stand-in, or Stripe; undefined where none is set up. */
export function createPaymentProvider(
  config: Pick<Config, 'sandbox' | 'stripe' | 'host' | 'port'>,
): PaymentProvider | undefined {
  const { apiBase, secretKey, webhookSecret } = config.stripe
  if (config.sandbox) {
    // Made anew at each start: the sandbox lives in this process and signs at delivery.
    const secret = webhookSecret ?? `whsec_${randomBytes(24).toString('hex')}`
    return connectProvider(ownAddress(config), 'sk_test_sandbox', secret)
  }
  if (!webhookSecret || (!secretKey && !apiBase)) return undefined
  return connectProvider(apiBase, secretKey ?? 'sk_test_stand_in', webhookSecret)
}

/** The SDK at an address; without one, at Stripe's own. */
export function connectProvider(
  apiBase: string | undefined,
  secretKey: string,
  webhookSecret: string,
  timeoutMs = callTimeoutMs,
): PaymentProvider {
  const limits = { telemetry: false, timeout: timeoutMs, maxNetworkRetries: 1 }
  if (!apiBase) return { stripe: new Stripe(secretKey, limits), webhookSecret }
  const { hostname, port, protocol } = new URL(apiBase)
  const isPlain = protocol === 'http:'
  const stripe = new Stripe(secretKey, {
    ...limits,
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
  })
  return { stripe, webhookSecret }
}

/**
 * Whether the provider said no, so that the call certainly did nothing. Anything else (no answer, a late one, its own
 * failure) may or may not have done its work.
 */
export function isRefusal(error: unknown): error is Stripe.errors.StripeError {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  const { statusCode = 0 } = error
  return statusCode >= 400 && statusCode < 500 && statusCode !== 409 && statusCode !== 429
}

/** Whether nothing came back at all, so that asking for something else would not help. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeConnectionError
}

/**
 * Whether a call that came to nothing is to be repeated under its idempotency key: there was no answer, it is still
 * being worked on, or it came too early. Any other answer is what the key will bring from now on.
 */
export function isRetryableWithSameKey(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return true
  return isUnreachable(error) || error.statusCode === 409 || error.statusCode === 429
}

/** Whether the key was used for another body before: what that call did is not known. */
export function isKeyReused(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeIdempotencyError
}

export function isNotFound(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 404
}

/** For a question that went noResponseError: whoever asked us is to ask again. */
export function noResponseError(cause: unknown): AppError {
  return new AppError('unavailable', 'The card provider does not answer at the moment.', {
    cause,
    retryAfterSeconds: 30,
  })
}

/** The id of what the provider gives as an id, or whole when it was asked to. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === 'object' ? (reference?.id ?? null) : (reference ?? null)
}

/** The provider's seconds as a stored moment. */
export function momentOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
