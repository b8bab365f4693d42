import { z } from 'zod'
import { calendarDate, positiveCents } from '../common/inputs.ts'

export const bookMessages = { year: 'Please choose a year', line: 'Please choose a line' }

/** The year comes from a path, and so as text. */
export const bookYearInput = z.object({ year: z.coerce.number(bookMessages.year).int(bookMessages.year) })
export const bookLinesInput = bookYearInput.extend({
  line: z.string(bookMessages.line).max(200, bookMessages.line),
  month: z.number().int().min(1, 'Please choose a month').max(12, 'Please choose a month').optional(),
})
export type BookLinesInput = z.output<typeof bookLinesInput>
export const bookCsvInput = bookYearInput.extend({
  table: z.enum(['books', 'taxes', 'card', 'lines'], 'Please choose a table'),
})
export type BookCsvInput = z.output<typeof bookCsvInput>

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
