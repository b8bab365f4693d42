import { z } from 'zod'
import { withId } from '../../domain/common/record-ids.ts'
import { messageResponse } from '../../domain/common/wire.ts'
import { feeRuleForm, taxRuleForm } from '../../domain/money/charge-rule.ts'
import { stayQuoteQuery, stayQuoteQueryFor, stayQuoteView } from '../../domain/money/stay-quote.ts'
import {
  adminProcedure,
  checked,
  publicProcedure,
  router,
  validateWithGuestLimit,
  whenOpenOrSignedIn,
} from '../kernel/trpc.ts'
import {
  activeFeeRules,
  activeTaxRules,
  archiveFeeRule,
  archiveTaxRule,
  createFeeRule,
  createTaxRule,
  ownFeeView,
  ownTaxView,
  savedRule,
  updateFeeRule,
  updateTaxRule,
} from './charge-rules.ts'
import { quoteOf } from './quote.ts'

const feeResponse = z.strictObject({ fee: ownFeeView })
const taxResponse = z.strictObject({ tax: ownTaxView })

export const chargeRulesRouter = router({
  // Not cached, as booking rules depend on today.
  quote: publicProcedure
    .use(whenOpenOrSignedIn)
    .meta({ summary: 'What a stay costs, with fees and taxes', rest: ['GET /api/charge/quote'] })
    .use(validateWithGuestLimit(stayQuoteQueryFor))
    .input(stayQuoteQuery)
    .output(checked(z.strictObject({ quote: stayQuoteView.nullable() })))
    .query(({ ctx, input }) => ({ quote: quoteOf(ctx.deps, input) })),
  listFees: adminProcedure
    .meta({ summary: 'Fees and discounts', rest: ['GET /api/charge/admin/fees'] })
    .output(checked(z.strictObject({ fees: z.array(ownFeeView) })))
    .query(({ ctx }) => ({ fees: activeFeeRules(ctx.deps.db) })),
  createFee: adminProcedure
    .meta({
      summary: 'Add a fee or discount',
      rest: ['POST /api/charge/admin/fees'],
      status: 201,
      stepUp: 'always',
    })
    .input(feeRuleForm)
    .output(checked(feeResponse))
    .mutation(async ({ ctx, input }) => ({ fee: await createFeeRule(ctx.deps, ctx.actor, input) })),
  updateFee: adminProcedure
    .meta({
      summary: 'Replace a fee or discount',
      rest: ['PUT /api/charge/admin/fees/{id}'],
      stepUp: 'always',
    })
    .input(savedRule.and(feeRuleForm))
    .output(checked(feeResponse))
    .mutation(async ({ ctx, input: { id, updatedAt, ...fee } }) => ({
      fee: await updateFeeRule(ctx.deps, ctx.actor, id, fee, updatedAt),
    })),
  removeFee: adminProcedure
    .meta({
      summary: 'Remove a fee or discount',
      rest: ['DELETE /api/charge/admin/fees/{id}'],
      stepUp: 'always',
    })
    .input(withId)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await archiveFeeRule(ctx.deps, ctx.actor, input.id)
      return { message: 'Fee removed' }
    }),
  listTaxes: adminProcedure
    .meta({ summary: 'Taxes', rest: ['GET /api/charge/admin/taxes'] })
    .output(checked(z.strictObject({ taxes: z.array(ownTaxView) })))
    .query(({ ctx }) => ({ taxes: activeTaxRules(ctx.deps.db) })),
  createTax: adminProcedure
    .meta({ summary: 'Add a tax', rest: ['POST /api/charge/admin/taxes'], status: 201, stepUp: 'always' })
    .input(taxRuleForm)
    .output(checked(taxResponse))
    .mutation(async ({ ctx, input }) => ({ tax: await createTaxRule(ctx.deps, ctx.actor, input) })),
  updateTax: adminProcedure
    .meta({ summary: 'Replace a tax', rest: ['PUT /api/charge/admin/taxes/{id}'], stepUp: 'always' })
    .input(savedRule.and(taxRuleForm))
    .output(checked(taxResponse))
    .mutation(async ({ ctx, input: { id, updatedAt, ...tax } }) => ({
      tax: await updateTaxRule(ctx.deps, ctx.actor, id, tax, updatedAt),
    })),
  removeTax: adminProcedure
    .meta({ summary: 'Remove a tax', rest: ['DELETE /api/charge/admin/taxes/{id}'], stepUp: 'always' })
    .input(withId)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await archiveTaxRule(ctx.deps, ctx.actor, input.id)
      return { message: 'Tax removed' }
    }),
})
