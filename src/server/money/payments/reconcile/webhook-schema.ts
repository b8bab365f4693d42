import type Stripe from 'stripe'
import { z } from 'zod'

const id = z.string().regex(/^[\w-]{1,255}$/)
const reference = z.union([id, z.looseObject({ id })]).nullish()
const text = z.string().max(5000)
const seconds = z.number().int().min(0).max(1e11)
const cents = z.number().int()

const session = z.looseObject({
  id,
  client_reference_id: text.nullish(),
  metadata: z.looseObject({ paymentId: text.optional() }).nullish(),
  livemode: z.boolean(),
  mode: text,
  currency: text.nullable(),
  amount_total: cents.nullable(),
  payment_status: text,
  status: text.nullable(),
  url: text.nullish(),
  expires_at: seconds,
  payment_intent: reference,
})
const charge = z.looseObject({ id, currency: text, payment_intent: reference })
const moneyBack = z.looseObject({
  id,
  amount: cents,
  currency: text,
  created: seconds,
  payment_intent: reference,
})
const dispute = moneyBack.extend({
  status: text,
  reason: text.nullish(),
  evidence_details: z.looseObject({ due_by: seconds.nullish() }).nullish(),
})

const event = z.looseObject({ id, type: text, created: seconds, livemode: z.boolean() })

/** Whether this is an event of any kind. */
export const isEvent = (given: unknown): boolean => event.safeParse(given).success

/** Whether an event has the fields that we read for its type; another API version may differ. */
export function isReadable({ data, type }: Stripe.Event): boolean {
  const shape = shapeOf(type)
  return shape === undefined || shape.safeParse(data?.object).success
}

function shapeOf(type: string): z.ZodType | undefined {
  if (type.startsWith('checkout.session.')) return session
  if (type === 'charge.refunded') return charge
  if (type.startsWith('refund.') || type === 'charge.refund.updated')
    return moneyBack.extend({ status: text.nullish() })
  return type.startsWith('charge.dispute.') ? dispute : undefined
}

/** A provider object as JSON for storage; of a bank account it keeps only the last four digits (BANK-08). */
export function redactBankAccount(object: unknown): string {
  return JSON.stringify(object, (name, value) =>
    name === 'us_bank_account' && typeof value === 'object' && value !== null
      ? { last4: value.last4 }
      : value,
  )
}
