import { z } from 'zod'
import { maxAmountCents } from './money.ts'

/** A dollar amount in requests: 0 or more, at most two decimals. */
export function dollars(message = 'Please enter a valid amount') {
  return z
    .number({ error: message })
    .min(0, message)
    .max(maxAmountCents / 100, message)
    .refine(value => Number(value.toFixed(2)) === value, 'Amounts have at most two decimals')
}

/** An amount in integer cents, above zero. */
export function positiveCents(message = 'Please enter a valid amount') {
  return z.number({ error: message }).int(message).min(1, message).max(maxAmountCents, message)
}
