import { randomBytes } from 'node:crypto'
import Stripe from 'stripe'
import { AppError } from '../../../domain/common/errors.ts'
import { isLiveKey } from '../../../domain/content/connections.ts'
import { type Config, selfOrigin } from '../../kernel/config.ts'
import type { PaymentProvider } from '../../kernel/payment-provider.ts'

const callTimeoutMs = 10_000
/** For requests that a user waits for, or that are retried later anyway. */
export const requestOptions: Stripe.RequestOptions = { timeout: 8000, maxNetworkRetries: 0 }

/**
 * The payment provider of this installation: the embedded sandbox, a stand-in, or Stripe; undefined if none is set up.
 */
export function createPaymentProvider(
  config: Pick<Config, 'sandbox' | 'stripe' | 'host' | 'port'>,
): PaymentProvider | undefined {
  const { apiBase, publishableKey, secretKey, webhookSecret } = config.stripe
  if (config.sandbox) {
    // A new secret on every start is enough: the sandbox runs in this process.
    const secret = webhookSecret ?? `whsec_${randomBytes(24).toString('hex')}`
    return connectProvider(selfOrigin(config), 'sk_test_sandbox', secret)
  }
  if (!webhookSecret || (!secretKey && !apiBase)) return undefined
  return { ...connectProvider(apiBase, secretKey ?? 'sk_test_stand_in', webhookSecret), publishableKey }
}

/** Connects the SDK to an API address; without one, to Stripe. */
export function connectProvider(
  apiBase: string | undefined,
  secretKey: string,
  webhookSecret: string,
  timeoutMs = callTimeoutMs,
): PaymentProvider {
  const limits = { telemetry: false, timeout: timeoutMs, maxNetworkRetries: 1 }
  const isLive = isLiveKey(secretKey)
  if (!apiBase) return { stripe: new Stripe(secretKey, limits), webhookSecret, isLive }
  const { hostname, port, protocol } = new URL(apiBase)
  const isPlain = protocol === 'http:'
  const stripe = new Stripe(secretKey, {
    ...limits,
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
  })
  return { stripe, webhookSecret, isLive }
}

/** Whether the provider refused the request, so that it had no effect. After any other error it may have had one. */
export function isRefusal(error: unknown): error is Stripe.errors.StripeError {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  const { statusCode = 0 } = error
  return statusCode >= 400 && statusCode < 500 && statusCode !== 409 && statusCode !== 429
}

/** Whether the provider refused the request only for its amount: below the minimum or above a limit. */
export function isAmountRefused({ code = '', param = '' }: Stripe.errors.StripeError): boolean {
  return /^(amount_too|charge_exceeds)_/.test(code) || param.endsWith('[unit_amount]')
}

/** Whether there was no response at all, so that further requests would fail too. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeConnectionError
}

/** Whether to retry with the same idempotency key: no response, still in progress, or rate limited. */
export function isRetryableWithSameKey(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return true
  return isUnreachable(error) || error.statusCode === 409 || error.statusCode === 429
}

/** Whether the idempotency key was used with another body before, so that the effect of that request is not known. */
export function isKeyReused(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeIdempotencyError
}

export function isNotFound(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 404
}

/** The error when the provider does not respond: the caller should retry. */
export function noResponseError(cause: unknown): AppError {
  return new AppError('unavailable', 'The card provider does not answer at the moment.', {
    cause,
    retryAfterSeconds: 30,
  })
}

/** The id of a reference, expanded or not. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === 'object' ? (reference?.id ?? null) : (reference ?? null)
}

/** Unix seconds as a UTC ISO string. */
export function isoFromUnix(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
