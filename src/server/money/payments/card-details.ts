import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { payments } from '../../../../db/schema.ts'
import type { Deps } from '../../kernel/deps.ts'
import { findPayment } from '../payment-records.ts'
import { requestOptions } from './stripe.ts'

/**
 * Fetches a paid payment's missing card brand, last digits and receipt URL; for a bank account it stores only the last
 * four digits (BANK-08). Rejects when the provider does not respond.
 */
export async function fillCardDetails(deps: Deps, paymentId: string): Promise<void> {
  const { db, provider, write } = deps
  const payment = findPayment(db, paymentId)
  if (!provider || !payment?.paidAt || !payment.stripePaymentIntentId || payment.stripeChargeId) return
  const intent = await provider.stripe.paymentIntents.retrieve(
    payment.stripePaymentIntentId,
    { expand: ['latest_charge'] },
    requestOptions,
  )
  const charge = intent.latest_charge
  if (!charge || typeof charge === 'string') return
  await write(tx => tx.update(payments).set(cardDetails(charge)).where(eq(payments.id, paymentId)).run())
}

function cardDetails(charge: Stripe.Charge) {
  const method = charge.payment_method_details
  const bank = method?.us_bank_account
  return {
    stripeChargeId: charge.id,
    cardBrand: method?.card?.brand ?? method?.type ?? null,
    cardLast4: method?.card?.last4 ?? bank?.last4 ?? null,
    receiptUrl: charge.receipt_url,
  }
}
