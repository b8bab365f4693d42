import { z } from 'zod'
import { requiredLine } from '../common/inputs.ts'
import { maxAmountCents } from '../common/money.ts'
import type { ChargeKind } from './charge.ts'

/** The kinds of charges that the owner can add after the lease is signed. */
export const laterKinds = [
  'fee',
  'discount',
  'damage',
  'late_fee',
  'adjustment',
  'deposit',
] as const satisfies readonly ChargeKind[]

const amountMessage = 'Please enter a valid amount'

/** A charge that the owner adds. Cents above zero; an adjustment may be negative (CHG-22). */
export const laterChargeForm = z
  .object({
    kind: z.enum(laterKinds, 'Please choose what is charged'),
    label: requiredLine(120, 'A label is required'),
    amountCents: z
      .number({ error: amountMessage })
      .int(amountMessage)
      .min(-maxAmountCents, amountMessage)
      .max(maxAmountCents, amountMessage)
      .refine(cents => cents !== 0, amountMessage),
    taxable: z.boolean().default(false),
    /** Idempotency key: repeating it returns the same charge. */
    requestId: z.uuid().optional(),
  })
  .refine(({ amountCents, kind }) => amountCents > 0 || kind === 'adjustment', {
    path: ['amountCents'],
    error: amountMessage,
  })
  .refine(({ kind, taxable }) => !taxable || kind !== 'deposit', {
    path: ['taxable'],
    error: 'A deposit is never taxed',
  })
export type LaterChargeFormValues = z.input<typeof laterChargeForm>
export type LaterChargeInput = z.output<typeof laterChargeForm>

export const voidForm = z.object({ reason: requiredLine(500, 'Please give a reason') })
