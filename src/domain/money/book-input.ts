import { z } from 'zod'

export const bookMessages = { year: 'Please choose a year', line: 'Please choose a line' }
export const bookCsvTables = ['books', 'taxes', 'card', 'lines'] as const

/** The year comes from a path, and so as text. */
export const bookYearInput = z.object({ year: z.coerce.number(bookMessages.year).int(bookMessages.year) })
export const bookLinesInput = bookYearInput.extend({
  line: z.string(bookMessages.line).max(200, bookMessages.line),
  month: z.number().int().min(1, 'Please choose a month').max(12, 'Please choose a month').optional(),
})
export const bookCsvInput = bookYearInput.extend({
  table: z.enum(bookCsvTables, 'Please choose a table'),
})
