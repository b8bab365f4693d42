import { z } from 'zod'
import { calendarDate, positiveCents } from '../common/inputs.ts'

/** A tax that was paid over to its authority; a date of today or earlier. */
export const remittanceForm = z.object({
  taxRuleId: z.string('Please choose a tax').min(1, 'Please choose a tax').max(100),
  amountCents: positiveCents(),
  paidOn: calendarDate(),
  reference: z
    .string()
    .trim()
    .max(200, 'Please use at most 200 characters')
    .nullish()
    .transform(text => text ?? ''),
  /** Idempotency key: repeating it returns the same remittance. */
  requestId: z.uuid('Please open the form again'),
})
export type RemittanceInput = z.output<typeof remittanceForm>
