import { z } from 'zod'
import { withId } from '../../../domain/common/record-ids.ts'
import { messageResponse } from '../../../domain/common/wire.ts'
import { bookLinesInput, bookYearInput, remittanceForm } from '../../../domain/money/book-input.ts'
import { adminProcedure, checked, router } from '../../kernel/trpc.ts'
import { closedYear, closeYear } from './closings.ts'
import { bookLines, bookTables, taxYear } from './queries.ts'
import { noteRemittance, removeRemittance } from './remittances.ts'
import {
  bookLinesView,
  bookYearView,
  cardYearView,
  closingView,
  remittanceView,
  taxYearView,
} from './views.ts'

export const booksRouter = router({
  year: adminProcedure
    .meta({ summary: 'The books of a year', rest: ['GET /api/book/admin/year/{year}'] })
    .input(bookYearInput)
    .output(checked(bookYearView))
    .query(({ ctx, input }) => closedYear(ctx.deps, input.year)),
  tax: adminProcedure
    .meta({
      summary: 'The tax report of a year, and what was paid over',
      rest: ['GET /api/book/admin/tax/{year}'],
    })
    .input(bookYearInput)
    .output(checked(taxYearView))
    .query(({ ctx, input }) => taxYear(ctx.deps, input.year)),
  card: adminProcedure
    .meta({
      summary: 'What a year’s 1099-K shows, and how it becomes the income',
      rest: ['GET /api/book/admin/card/{year}'],
    })
    .input(bookYearInput)
    .output(checked(cardYearView))
    .query(({ ctx, input: { year } }) => ({ year, ...bookTables(ctx.deps, year).card })),
  lines: adminProcedure
    .meta({
      summary: 'The movements that a figure is the sum of',
      rest: ['GET /api/book/admin/lines/{year}'],
    })
    .input(bookLinesInput)
    .output(checked(bookLinesView))
    .query(({ ctx, input }) => bookLines(ctx.deps, input)),
  noteRemittance: adminProcedure
    .meta({
      summary: 'Note a tax that was paid over',
      rest: ['POST /api/book/admin/remittance'],
      status: 201,
      stepUp: 'never',
    })
    .input(remittanceForm)
    .output(checked(z.strictObject({ remittance: remittanceView })))
    .mutation(async ({ ctx, input }) => ({ remittance: await noteRemittance(ctx.deps, ctx.actor, input) })),
  removeRemittance: adminProcedure
    .meta({
      summary: 'Take a paid tax out of the books',
      rest: ['DELETE /api/book/admin/remittance/{id}'],
      stepUp: 'never',
    })
    .input(withId)
    .output(checked(messageResponse))
    .mutation(({ ctx, input }) => removeRemittance(ctx.deps, ctx.actor, input.id)),
  close: adminProcedure
    .meta({
      summary: 'Keep the tables of a year that is over',
      rest: ['POST /api/book/admin/close/{year}'],
      status: 201,
      stepUp: 'never',
    })
    .input(bookYearInput)
    .output(checked(z.strictObject({ closing: closingView })))
    .mutation(async ({ ctx, input }) => ({ closing: await closeYear(ctx.deps, ctx.actor, input.year) })),
})
