import type Stripe from 'stripe'
import { AppError } from '../../domain/common/errors.ts'

/** The payment provider's SDK, which talks over HTTP to Stripe, the demo's sandbox, or a fake in tests. */
export type PaymentProvider = {
  stripe: Stripe
  webhookSecret: string
  /** Whether it takes real money. */
  isLive?: boolean
  publishableKey?: string
}

/** @throws AppError unavailable if card payments are not set up */
export function requireProvider({ provider }: { provider?: PaymentProvider | undefined }): PaymentProvider {
  if (provider) return provider
  throw new AppError('unavailable', 'Card payments are not set up. Please use one of the other ways to pay.')
}

/** Whether this installation takes real money. Events from the other mode are quarantined. */
export function isLive({ provider }: { provider?: PaymentProvider | undefined }): boolean {
  return provider?.isLive ?? false
}
